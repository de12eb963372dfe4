"""Chances beside an attack, against every throw of its dice (HX-10.2, WC-8.2, W-10)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.core.errors import Refusal
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.common import Destroyed, Revealed
from rules.hexbattle.field import Stumbled
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import ACTION, HostState
from tests.everyday import at_most
from tests.rules.wing_command.fights import LAW, Loaded, do
from tests.rules.wing_command.random_fights import any_command, start

WORST = {Destroyed: "destroyed", e.Routed: "routed", e.Shaken: "shaken", e.Recoiled: "recoil"}
SEEDS = at_most(2, full=120)
COMMANDS, AT_ONCE = at_most(40, full=120), 2


def fell(events: Any, unit: str) -> str:
    """The worst that happened to a unit before its side’s wings were tested."""
    own = [type(event) for event in events if getattr(event, "unit", "") == unit]
    return next((word for kind, word in WORST.items() if kind in own), "none")


def shown(target: Any, *, duel: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for piece in target.outcomes:
        found["none" if piece.slug == "attacker-recoils" else piece.slug] += piece.chance
    return Counter({word: chance for word, chance in found.items() if chance})


def thrown(state: HostState, command: Any, target: Any) -> Counter[str] | None:
    """What every throw comes to. None where its way meets somebody unseen (H-9)."""
    name = target.how.replace("duel-melee", "duel").replace("duel-missile", "duel")
    found: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2):
        _after, events = do(state, command, Loaded("fates", **{name: faces}))
        if any(isinstance(event, Revealed | Stumbled) for event in events):
            return None
        blow = next(place for place, event in enumerate(events) if isinstance(event, e.Attacked | e.DuelFought))
        found[fell(events[blow:], target.target)] += Fraction(1, 36)
    return found


def attacks(state: HostState, random: Random) -> list[tuple[Any, Any]]:
    """Some targets that can be attacked now, each with its command."""
    found = []
    for unit in LAW.legal(state, OMNISCIENT).able:
        for target in LAW.legal(state, OMNISCIENT, (unit,)).targets:
            if target.why_not is None:
                picks = (unit, target.source, target.target, target.how)
                legal = LAW.legal(state, OMNISCIENT, picks)
                same = next(
                    (one for one in legal.targets if (one.target, one.how) == (target.target, target.how)), None
                )
                if legal.confirm and same and legal.confirm.throws:
                    found.append((same, legal.confirm.command))
    return random.sample(found, min(AT_ONCE, len(found)))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_hx_10_2_the_chances_of_an_attack_count_every_throw(seed: int) -> None:
    random, state = Random(f"chances {seed}"), start(seed)
    for number in range(COMMANDS):
        if state.field.ended:
            break
        if state.phase == ACTION and number % 4 == 0:
            for target, command in attacks(state, random):
                told, real = shown(target, duel=target.how.startswith("duel")), thrown(state, command, target)
                assert real in (told, None), (seed, number, command, told, real)
        try:
            state, _events = do(state, any_command(state, OMNISCIENT, random), Loaded(f"{seed} {number}"))
        except Refusal:
            continue

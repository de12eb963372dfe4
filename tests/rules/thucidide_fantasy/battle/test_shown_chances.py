"""Chances beside an attack, against every throw of its dice (HX-10.2, TF-1.9, TF-1.10, TF-1.14)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.viewers import OMNISCIENT
from rules.thucidide_fantasy.battle.legal.pieces import throw_of
from rules.thucidide_fantasy.battle.record.state import FIGHTING_PHASE, FantasyState
from rules.thucidide_fantasy.battle.throws import losses
from rules.thucidide_fantasy.spec import BorneTrait
from tests.everyday import at_most
from tests.rules.thucidide_fantasy.fights import LAW, Loaded, Table, army, do, open_ground
from tests.rules.thucidide_fantasy.random_fights import any_command, start

SEEDS = at_most(2, full=80)
COMMANDS, AT_ONCE, MOST_DICE = at_most(60, full=200), 2, at_most(3, full=4)
OF_THE_BLOW = ("attack", "heroes", "shot", "confirm", "fire")
NOTHING = 5  # a letter: no loss, no flag, no fire


class More(Exception):
    """Another die is thrown than those that lie."""


class Lying:
    """Dice that lie as told; those of what follows the blow, a riposte or a surplus, come to nothing."""

    def __init__(self, faces: tuple[int, ...]):
        self.faces = list(faces)
        self.followed = False

    def roll(self, army: str, name: str, die: int) -> Roll:
        self.followed = self.followed or name not in OF_THE_BLOW
        if self.followed:
            return Roll(army, name, die, NOTHING)
        if not self.faces:
            raise More
        return Roll(army, name, die, self.faces.pop(0))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def thrown(state: FantasyState, command: Any, target: str) -> Counter[int]:
    """How many stands each throw costs."""
    had, found, waiting = left_of(state, target), Counter[int](), [()]
    while waiting:
        faces: Any = waiting.pop()
        try:
            after = LAW.fold(state, LAW.decide(state, command, Lying(faces), OMNISCIENT))
        except More:
            waiting += [(*faces, face) for face in range(1, 7)]
            continue
        found[had - left_of(after, target)] += Fraction(1, 6 ** len(faces))
    return found


def left_of(state: FantasyState, piece: str) -> int:
    if not state.standing(piece):
        return 0
    return state.units[piece].stands if piece in state.units else state.people[piece].left


def shown(state: FantasyState, target: Any) -> Counter[int]:
    found: Counter[int] = Counter()
    for piece in target.outcomes:
        lost = left_of(state, target.target) if piece.slug == "destroyed" else int(piece.slug.removeprefix("lost-"))
        found[lost] += piece.chance
    return Counter({lost: chance for lost, chance in found.items() if chance})


def attacks(state: FantasyState, random: Random) -> list[tuple[Any, Any]]:
    """Some targets that can be attacked now with few dice, each with its command; not where heroes fight first."""
    found = []
    for piece in LAW.legal(state, OMNISCIENT).able:
        for target in LAW.legal(state, OMNISCIENT, (piece,)).targets:
            legal = LAW.legal(state, OMNISCIENT, (piece, target.target, target.how))
            dice = int(str(target.throw).split()[0]) if str(target.throw) else 0
            if legal.confirm and 0 < dice <= MOST_DICE and "fight each other" not in " ".join(map(str, target.sum)):
                found.append((target, legal.confirm.command))
    return random.sample(found, min(AT_ONCE, len(found)))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_hx_10_2_the_chances_of_an_attack_count_every_throw(seed: int) -> None:
    """The stands that hits, blocked hexes and fire take."""
    random, state = Random(f"chances {seed}"), start(seed)
    for number in range(COMMANDS):
        if state.field.ended:
            break
        if state.phase == FIGHTING_PHASE and state.fight is None and not state.rerolls:
            for target, command in attacks(state, random):
                told, real = shown(state, target), thrown(state, command, target.target)
                assert told == real, (seed, number, command, told, real)
        try:
            state, _events = do(state, any_command(state, OMNISCIENT, random), Loaded(f"{seed} {number}"))
        except Refusal:
            continue


WOOD = ["............."] * 4 + ["....w........"] + ["............."] * 6
ISLAND = ["............."] * 3 + ["...~~~.......", "...~w~.......", "...~~~......."] + ["............."] * 5
WATER = ["............."] * 3 + ["...~~........"] + ["............."] * 7
PROOF = {"traits": (BorneTrait("fire-proof"),)}


@pytest.mark.parametrize(
    ("own", "foe", "at", "rows", "more", "least"),
    [
        ("engine:Own", "foot-heavy:Foe", "E1", (), {}, "TF-1.10"),
        ("engine:Own", "riders-heavy:Foe", "E2", (), {}, "T-63"),
        ("engine:Own", "foot-heavy:Foe", "E5", WATER, {}, "TF-1.10"),
        ("dragon:Own", "foot-medium:Foe", "E5", WOOD, {}, "T-19"),
        ("dragon:Own", "foot-medium:Foe", "E5", ISLAND, {}, "T-19"),
        ("dragon:Own", "foot-medium:Foe", "E5", ISLAND, PROOF, "T-46"),
    ],
)
def test_tf_1_10_blocked_hexes_and_fire_take_stands_in_the_chances_too(own, foe, at, rows, more, least):
    """TF-1.14, HX-10.2."""
    source = f"E{int(at[1:]) + (3 if own.startswith('engine') else 2)}"
    places = {"Chief a": "A11", "Chief b": "M11", "Own": source, "Foe": at}
    board = {"map_": open_ground(terrain=rows)} if rows else {}
    now = Table(army("a", 0, own), army("b", 1, foe), places=places, phase="combat", **board).set("Foe", **more)
    now.set("Own", shot=2)
    (target,) = now.legal("Own").targets
    command = now.legal("Own", "", "Foe").confirm.command
    told = shown(now.state, target)
    assert told == thrown(now.state, command, target.target), least
    made, _lines = throw_of(now.state, now.id("Own"), now.state.token(target.target), source, "shot")
    assert told[0] < losses(made.dice, made.hits, made.confirms)[0], "hits alone are not all"

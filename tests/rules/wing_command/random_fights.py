"""Random battles of wing command: any legal command may be next."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.core.viewers import Viewer
from rules.hexbattle.player import acts
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.spec import WingSpec
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.rules.wing_command.fights import LAW, army, begun, open_ground, starter

ROUGH = (
    "............", "............", "............", "..ww..t..w..", "..t...AA.^..", "...m..~~.t..", "............",
    ".w..t...kk..", "...^....t...", "............", "............", "............",
)  # fmt: skip
MAGES = (
    WingCharacter("Ash", "mage", pentacle=2).judged(None),  # type: ignore[arg-type]  # nothing is wrong with a mage
    WingCharacter("Ida", "mage", art="spirit", level=5).judged(None),  # type: ignore[arg-type]
    WingCharacter("Oak", "mage", art="nature", level=6).judged(None),  # type: ignore[arg-type]
)
HEROES = (WingCharacter("Bo", "champion", profile="autonomous"), WingCharacter("Kai", "archer-captain", "C", "chaotic"))


def motley(side: int) -> tuple[WingSpec, ...]:
    """Two wings with everything the law knows."""
    one, two = f"{'ab'[side]}0", f"{'ab'[side]}1"
    troops = ("scouts", "griffins", WingTroop("foot", "Veterans", 1, 1), "archers")
    return (
        army(one, side, *troops, characters=MAGES, fly=True, ability="A"),
        army(
            two, side, "trolls", "beasts", "levy", WingTroop("riders", infiltrate=True), characters=HEROES,
            order="advance", profile="irregular", infiltrate=True, ability="D",
        ),
    )  # fmt: skip


def ground(number: int) -> dict[str, Any]:
    maps = (open_ground(10, 9), open_ground(terrain=ROUGH), starter("meadows"), starter("the-pass"))
    return maps[number % len(maps)]


def start(seed: int, **more: Any) -> HostState:
    return begun(*motley(0), *motley(1), map_=ground(seed), **more)


def any_command(seen: HostState, viewer: Viewer, random: Random) -> Any:
    """A legal command, drawn step by step as a person picks it."""
    for _try in range(12):
        legal = LAW.legal(seen, viewer)
        if legal.confirm and (random.random() < 0.15 or not (legal.able or legal.targets or legal.acts)):
            return legal.confirm.command
        picks: tuple[str, ...] = ()
        for _step in range(4):
            offers = _offers(legal, picks)
            if not offers:
                break
            picks = (*picks, random.choice(offers))
            legal = LAW.legal(seen, viewer, picks)
            if legal.confirm and random.random() < 0.5:
                return legal.confirm.command
    top = LAW.legal(seen, viewer)
    return top.confirm.command if top.confirm else forced(seen, viewer)


def _offers(legal: Any, picks: tuple[str, ...]) -> list[str]:
    found = [] if picks else list(legal.able)
    if not picks or picks[0] in legal.able or legal.steps:
        found += [act.slug for act in legal.acts if act.why_not is None]
        found += [target.target for target in legal.targets if target.why_not is None]
    found += [step.hex for step in legal.steps if step.why_not is None]
    return [one for one in found if one not in picks]


def forced(seen: HostState, viewer: Viewer) -> Any:
    """What has to be done before anything else: the first complete command of a unit that must act."""
    for unit in LAW.legal(seen, viewer).able:
        for command in acts(LAW, seen, viewer, unit):
            return command
    raise AssertionError("nothing is legal")

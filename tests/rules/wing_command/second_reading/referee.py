"""The referee: a command with its dice makes of one situation the next, or is refused."""

from __future__ import annotations

from copy import copy
from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.wing_command.second_reading import acting, blows, command, magic, reserve, turning
from tests.rules.wing_command.second_reading.host import Situation, demand


def report(now: Situation, dice: Any, result: str) -> None:
    """WC-8.9, W-35"""
    blow = now["blow"]
    demand(blow and result in blows.words(blow), "W-35")
    now["blow"] = None
    blows.strike(now, dice, blow, result)


COMMANDS = {
    "roll_initiative": turning.roll_initiative, "distribute": command.distribute, "give_order": command.give_order,
    "end_distribution": command.end_distribution, "change_order": command.change_order,
    "take_command": command.take_command, "resign": command.resign, "choose_spell": magic.choose_spell,
    "cast": magic.cast, "aim": magic.aim, "pass": turning.pass_command, "take_wing": acting.take_wing,
    "act": acting.act, "rally": acting.rally, "duel": acting.duel, "end_wing": acting.end_wing,
    "resolve_rout": turning.resolve_rout, "report": report, "reinforce": reserve.reinforce,
    "override": reserve.override, "paint": reserve.paint,
}  # fmt: skip


def judged(now: Situation, dice: Any, what: str, fields: dict[str, Any]) -> Situation:
    """The situation after a command. Raises `Refused`; the one before stays as it is."""
    after = copied(now)
    demand(not after["ended"], "W-13 the battle has ended")
    demand(not after["blow"] or what == "report", "WC-8.9 the blow waits for its report")
    demand(not after["aiming"] or what in ("aim", "report"), "W-28 nothing else goes on before")
    COMMANDS[what](after, dice, **fields)
    turning.settle(after, dice)
    return after


def copied(now: Situation) -> Situation:
    """What a command may change is copied; options and the painted map it never changes."""
    after = dict(now)
    for part in ("units", "wings"):
        after[part] = {key: dict(one) for key, one in now[part].items()}
    for wing in after["wings"].values():
        wing["members"] = list(wing["members"])
    for part in ("distribution", "aiming", "blow", "stumbled", "last"):
        after[part] = now[part] and dict(now[part])
    for part in ("fought", "passed", "leaders"):
        after[part] = copy(now[part])
    after["timers"] = [dict(timer) for timer in now["timers"]]
    after["land"] = copy(now["land"])
    return after


FAR: dict[Any, Any] = {}


def far(now: Situation, how: moves.Unit, at: Any) -> Any:
    """Costs over bare terrain, remembered as long as the terrain is the same."""
    land = now["land"]
    key = (land.known, tuple(sorted(land.overlays.items())), how.gait.air, len(how.gait.points), at, tuple(how.closed))
    if key not in FAR:
        if len(FAR) > 5000:
            FAR.clear()
        FAR[key] = moves.costs(land, how, at)
    return FAR[key]

"""The referee: given a situation, dice and a command, what becomes of it (TF-1.2, TF-9)."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.rules.thucidide_fantasy.second_reading import combat, command, magic, marching
from tests.rules.thucidide_fantasy.second_reading.host import (
    Over,
    Refused,
    Situation,
    Waits,
    demand,
    everybody,
)


class Answers:
    """Dice and answers of one command, from its beginning."""

    def __init__(self, dice: Any, given: list[Any]) -> None:
        self.dice, self.given = dice, list(given)

    def one(self, label: str) -> int:
        found: int = self.dice.one(label)
        return found

    def answer(self, asks: str, side: int, who: str, options: list[Any]) -> Any:
        if not self.given:
            raise Waits(asks, side, who, options)
        return self.given.pop(0)


def judged(now: Situation, dice: Any, what: str, fields: dict[str, Any]) -> Situation:
    """The situation after a command. Raises `Refused`."""
    demand(not now["ended"], "the battle is over")
    waiting = now["waiting"]
    if waiting:
        return _answered(now, dice, what, fields)
    demand(what not in ("flee", "pursue"), "nobody asks for that")
    return _begun(now, dice, what, fields, [])


def _answered(now: Situation, dice: Any, what: str, fields: dict[str, Any]) -> Situation:
    """The combat is begun anew, with one answer more; the dice that fell are told again."""
    waiting = now["waiting"]
    demand(what == waiting["asks"], "something else is asked")
    if what == "flee":
        given = marching._place_of(fields["hex"])
        demand(fields["character"] == waiting["who"] and given in waiting["options"], "not there")
    else:
        given = fields["target"]
        demand(fields["unit"] == waiting["who"] and given in (None, *waiting["options"]), "not so")
    dice.again(waiting["dice"])
    return _begun(waiting["before"], dice, waiting["what"], waiting["fields"], [*waiting["given"], given])


def _begun(before: Situation, dice: Any, what: str, fields: dict[str, Any], given: list[Any]) -> Situation:
    now = deepcopy(before)
    try:
        _do(now, Answers(dice, given), what, fields)
    except Over:
        pass
    except Waits as stop:
        now["waiting"] = {
            "asks": stop.asks, "side": stop.side, "who": stop.who, "options": stop.options, "before": before,
            "what": what, "fields": fields, "given": given, "dice": dice.so_far(),
        }  # fmt: skip
    return now


def _do(now: Situation, dice: Answers, what: str, fields: dict[str, Any]) -> None:
    match what:
        case "activate":
            command.activate(now, fields["leader"], list(fields["units"]), list(fields["characters"]))
        case "order":
            command.order(now, fields["kind"], fields["unit"], fields["leader"], fields["hexes"])
        case "move":
            load = tuple(fields["carry"]) if fields["carry"] else None
            marching.move(now, fields["unit"], list(fields["path"]), fields["to"], list(fields["stay"]), load)
        case "announce":
            marching.announce(now, fields["caster"])
        case "attack":
            combat.attack(now, dice, fields["unit"], fields["target"])
        case "shoot":
            piece = combat.ready_to_fight(now, fields["unit"])
            demand(combat.zealous_choice(now, piece, True), "with the blade")
            combat.shoot(now, dice, fields["unit"], fields["target"])
        case "cast":
            magic.cast(now, dice, fields["caster"], fields["spell"], list(fields["targets"]), fields["ids"])
            lay(now)
        case "decline":
            magic.decline(now, fields["caster"])
        case "end_phase":
            end_phase(now, dice)
        case _:
            raise Refused(what)


def end_phase(now: Situation, dice: Answers) -> None:
    own = [one for one in everybody(now) if one["side"] == now["side"]]
    match now["phase"]:
        case "command":
            now["phase"] = "movement"
        case "movement":
            demand(not any(marching.has_to_move(now, one) for one in own), "somebody has to move")
            now["phase"] = "combat"
        case "combat":
            demand(not any(combat.has_to_attack(now, one) for one in own), "somebody has to attack")
            now["phase"] = "spells"
            if not any(one["announced"] for one in own):
                end_turn(now, dice)
        case "spells":
            end_turn(now, dice)


def end_turn(now: Situation, dice: Answers) -> None:
    """Undead beyond their leash crumble, effects end, the other side begins (T-36, T-92, TF-1.16)."""
    side = now["side"]
    for timer in now["timers"]:
        timer["left"] -= timer["side"] == side
    now["timers"] = [timer for timer in now["timers"] if timer["left"] > 0]
    lay(now)
    combat.crumble(now, dice, side)
    if side != now["first"]:
        if now["turn"] >= now["options"]["turn_limit"]:
            count_out(now)
        now["turn"] += 1
    command.begin_turn(now, 1 - side)


def lay(now: Situation) -> None:
    now["land"].overlays = {
        at: "fire" for timer in now["timers"] if timer["effect"] == "lit" for at in timer["on"]
    }  # fmt: skip
    for timer in now["timers"]:
        if timer["effect"] == "shackles":
            for at in timer["on"]:
                now["land"].overlays.setdefault(at, "mire")


def count_out(now: Situation) -> None:
    """TF-1.16: the smaller share lost wins."""
    lost = [len(set(now["fallen"][side])) * now["counted"][1 - side] for side in (0, 1)]
    now["ended"] = {"winner": None if lost[0] == lost[1] else int(lost[1] < lost[0])}
    raise Over

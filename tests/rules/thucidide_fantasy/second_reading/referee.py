"""The referee: given a situation, dice and a command, what becomes of it (TF-1.2, TF-9)."""

from __future__ import annotations

import pickle
from typing import Any

from tests.rules.thucidide_fantasy.second_reading import combat, command, gods, hand, magic, marching, turning
from tests.rules.thucidide_fantasy.second_reading.host import (
    Over,
    Refused,
    Situation,
    Waits,
    base_line,
    demand,
    everybody,
    on_table,
    show_false,
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
    demand(what not in ("flee", "pursue", "reroll", "god", "report"), "nobody asks for that")
    return _begun(now, dice, what, fields, [])


def _answered(now: Situation, dice: Any, what: str, fields: dict[str, Any]) -> Situation:
    """The combat is begun anew, with one answer more; the dice that fell are told again."""
    waiting = now["waiting"]
    demand(what == waiting["asks"], "something else is asked")
    if what == "flee":
        given: Any = marching._place_of(fields["hex"])
        demand(fields["character"] == waiting["who"] and given in waiting["options"], "not there")
    elif what == "reroll":
        given = fields["die"]
        demand(fields["roll"] == waiting["who"] and given in waiting["options"], "no such die")
    elif what == "god":
        given = fields
    elif what == "report":
        given, most = fields, waiting["options"][0]
        demand(all(0 <= fields[part] <= most for part in ("stands", "flags", "counters")), "more than dice")
        demand(0 <= fields["hexes"] <= 4 * (most + 1), "too far")
    else:
        given = fields["target"]
        demand(fields["unit"] == waiting["who"] and given in (None, *waiting["options"]), "not so")
    dice.again(waiting["dice"])
    again = waiting["fields"] | {"ids": fields["ids"]}
    return _begun(waiting["before"], dice, waiting["what"], again, [*waiting["given"], given])


def _begun(before: Situation, dice: Any, what: str, fields: dict[str, Any], given: list[Any]) -> Situation:
    now = pickle.loads(pickle.dumps(before))  # a deep copy, in a tenth of the time
    try:
        _do(now, Answers(dice, given), what, fields)
        show_false(now)
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
        case "turn_attack":
            turning.turn_attack(now, dice, fields["unit"], fields["target"])
        case "reinforce":
            now["pieces"].update(fields["pieces"])
        case "place":
            arrive(now, fields["unit"], fields["at"])
        case "divine":
            divine(now, dice, fields["character"], fields["ids"])
        case "override":
            hand.override(now, fields["what"], fields["field"], fields["value"])
            lay(now)
        case "paint":
            hand.paint(now, fields["told"])
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
            if not any(one["announced"] for one in own) and not turning.turned_of(now, now["side"]):
                end_turn(now, dice)
        case "spells":
            demand(not any(turning.has_to_attack(now, one) for one in own), "turned undead have to attack")
            end_turn(now, dice)


def arrive(now: Situation, unit: str, label: str) -> None:
    """T-97: in its own command phases, onto a free hex of the base line."""
    demand(now["phase"] == "command", "only in the command phase")
    piece = now["pieces"].get(unit)
    demand(piece and piece["side"] == now["side"] and piece["at"] is None and not piece["gone"], "not in the reserve")
    at = marching._place_of(label)
    demand(at in now["land"] and base_line(now, piece["side"], at), "not on the base line")
    demand(gods.hides(now, piece["side"], at) or marching.may_stand(now, piece, at), "not free")
    if gods.appears(now, piece["side"], at):
        piece["at"] = at


def divine(now: Situation, dice: Answers, character: str, ids: list[str]) -> None:
    """TF-7: the scenario foresees it."""
    piece = now["pieces"].get(character)
    demand(piece and on_table(piece) and piece["character"], "no character on the table")
    gods.appeal(now, dice, piece, ids)
    lay(now)


def end_turn(now: Situation, dice: Answers) -> None:
    """Undead beyond their leash crumble, effects end, the other side begins (T-36, T-92, TF-1.16)."""
    side = now["side"]
    turning.pass_by(now, side)
    for timer in now["timers"]:
        timer["left"] -= timer["side"] == side
    now["timers"] = [timer for timer in now["timers"] if timer["left"] > 0]
    for held in now["rerolls"]:
        held["left"] -= held["side"] == side
    now["rerolls"] = [held for held in now["rerolls"] if held["left"] > 0]
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
    had = [0, 0]
    for one in now["pieces"].values():
        had[one["first_side"]] += not one["character"] and not one["summoned"]
    lost = [len(set(now["fallen"][side])) * had[1 - side] for side in (0, 1)]
    now["ended"] = {"winner": None if lost[0] == lost[1] else int(lost[1] < lost[0])}
    raise Over

"""Appeals to the divinity (TF-7, T-17, T-82, T-83, T-98)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import apart
from tests.rules.thucidide_fantasy.second_reading import combat
from tests.rules.thucidide_fantasy.second_reading.host import (
    FOR_A_TURN,
    MOUNTED,
    Piece,
    Refused,
    Situation,
    demand,
    here,
    hides,
    leave,
    on_table,
    uncover,
    undead,
)
from tests.rules.thucidide_fantasy.second_reading.marching import _place_of, may_stand

NEXT, TWO = 2, 3
FAR, MOST_STANDS = 3, 10


def appeal(now: Situation, dice: Any, caster: Piece, ids: list[str]) -> None:
    total = sum(combat.rolled(now, dice, "divine", 2, caster["side"]))
    if total == 2:
        lay(now, caster, "angry", caster["id"], NEXT)
    elif 8 <= total <= 10:
        leave(now, caster, "carried home")
        combat.tidy(now, dice)
    elif total >= 11:
        intervene(now, dice, caster, ids)


def lay(now: Situation, caster: Piece, effect: str, on: Any, left: int) -> None:
    left -= now["side"] != caster["side"]  # T-36: only this turn’s own phase is not counted
    now["timers"].append({"effect": effect, "on": [on], "by": caster["id"], "side": caster["side"], "left": left})


def intervene(now: Situation, dice: Any, caster: Piece, ids: list[str]) -> None:
    total, side = sum(combat.rolled(now, dice, "intervention", 2, caster["side"])), caster["side"]
    if total <= 3:
        if any(short_of(now, side)):
            give_back(now, caster, dice.answer("god", side, caster["id"], ["stands"]))
    elif total <= 7:
        now["rerolls"].append({"side": side, "left": NEXT - (now["side"] != side)})
    elif total == 8:
        now["omens"].append({"effect": "double-flags", "side": side, "turn_of": side, "begun": False})
    elif total == 9:
        now["omens"].append({"effect": "no-flags", "side": side, "turn_of": 1 - side, "begun": False})
    elif total == 10:
        lay(now, caster, "divine-bell", caster["at"], TWO)
    elif total == 11:
        if any(rooms(now, caster, model) for model in models(now, side, False)):
            copy_of(now, caster, dice.answer("god", side, caster["id"], ["copy"]), ids)
    elif any(rooms(now, caster, model) for model in models(now, side, True)):
        servant_of(now, caster, dice.answer("god", side, caster["id"], ["servant"]), ids)


# Ten stands


def short_of(now: Situation, side: int) -> list[Piece]:
    """Units of a side with fewer stands than at the start, on the table or destroyed."""
    return [
        one for one in now["pieces"].values()
        if one["first_side"] == side and not one["character"] and not one["false"] and not one["turned"]
        and (one["gone"] in ("destroyed", "vanished") or (on_table(one) and one["stands"] < one["start_stands"]))
    ]  # fmt: skip


def give_back(now: Situation, caster: Piece, said: Any) -> None:
    """TF-7, 2–3: on units there up to their start; a destroyed one may return within 3 of the caster."""
    stands, places = said["stands"], said["places"]
    demand(sum(stands.values()) <= MOST_STANDS and all(n >= 0 for n in stands.values()), "ten at most")
    fit = {one["id"]: one for one in short_of(now, caster["side"])}
    for id_, n in stands.items():
        if not n:
            continue
        demand(id_ in fit, "not a unit that lost stands")
        have = fit[id_]["stands"] if on_table(fit[id_]) else 0
        demand(n <= fit[id_]["start_stands"] - have, "more than it had")
    for id_, n in stands.items():
        unit = fit.get(id_)
        if not n or unit is None:
            continue
        if not on_table(unit):
            demand(id_ in places, "where")
            at = _place_of(places[id_])
            demand(at in now["land"] and apart(at, caster["at"]) <= FAR, "within 3")
            unit["at"] = None
            demand(free(now, unit, at), "not free")
            if not appears(now, caster["side"], at):
                continue
            unit.update(FOR_A_TURN | {"gone": "", "at": at, "stands": n})
        else:
            unit["stands"] = unit["stands"] + n


def free(now: Situation, unit: Piece, at: Any) -> bool:
    """T-12: free and passable; a grove of the enemy is a wood for all one knows."""
    grove = hides(now, unit["side"], at)
    if grove:
        return True
    return not here(now, at) and may_stand(now, unit, at)


def appears(now: Situation, side: int, at: Any) -> bool:
    """T-70: what would appear on a grove does not; the grove ends."""
    grove = hides(now, side, at)
    if grove:
        uncover(now, grove)
    return grove is None


# A copy, a servant


def models(now: Situation, side: int, there: bool) -> list[Piece]:
    """T-82: units that are neither undead nor false."""
    return [
        one for one in now["pieces"].values()
        if not one["character"] and not undead(one) and not one["false"] and one["first_side"] == side
        and (on_table(one) or (not there and one["gone"]))
    ]  # fmt: skip


def rooms(now: Situation, caster: Piece, model: Piece) -> bool:
    probe = model | {"side": caster["side"]}
    return any(apart(at, caster["at"]) <= FAR and free(now, probe, at) for at in now["land"].letters)


def chosen(now: Situation, caster: Piece, said: Any, side: int, there: bool) -> tuple[Piece, Any]:
    model = next((one for one in models(now, side, there) if one["id"] == said["unit"]), None)
    if model is None:
        raise Refused("no such unit")
    at = _place_of(said["hex"])
    demand(at in now["land"] and apart(at, caster["at"]) <= FAR, "within 3")
    demand(free(now, model | {"side": caster["side"]}, at), "not free")
    return model, at


def copy_of(now: Situation, caster: Piece, said: Any, ids: list[str]) -> None:
    model, at = chosen(now, caster, said, caster["side"], False)
    if appears(now, caster["side"], at):
        now["pieces"][ids[0]] = model | FOR_A_TURN | {
            "id": ids[0], "at": at, "gone": "", "summoned": True, "stands": model["start_stands"],
            "side": caster["side"], "first_side": caster["side"], "army": model["army"],
            "traits": set(model["traits"]), "likes": set(model["likes"]),
        }  # fmt: skip


def unadjusted(model: Piece) -> dict[str, int]:
    """T-81, T-83: what the GM has adjusted of an army is not what its units are."""
    return {figure: model[figure] - model.get("given", {}).get(figure, 0) for figure in ("move", "calm", "range")}


def servant_of(now: Situation, caster: Piece, said: Any, ids: list[str]) -> None:
    """TF-7, 12, T-83; TF-4.2: they move as those they are like, and one more."""
    model, at = chosen(now, caster, said, caster["side"], True)
    if not appears(now, caster["side"], at):
        return
    flies = {"flyer"} & model["traits"]
    shoots, plain = model["shot"] > 0, unadjusted(model)
    now["pieces"][ids[0]] = FOR_A_TURN | {
        "id": ids[0], "at": at, "gone": "", "side": caster["side"], "first_side": caster["side"], "character": True,
        "army": caster["army"], "hero": True, "kind": "hero", "rank": "", "level": "", "stands": 5, "start_stands": 5,
        "points": 0, "purse": 0, "cards": [], "likes": set(), "mounted": model["kind"] in MOUNTED,
        "weight": model["weight"], "melee": 3,
        "assault": 3, "shot": 3 if shoots else 0, "range": plain["range"] if shoots else 0, "dice": 0, "temper": "",
        "fire": False, "fixed": False, "summoned": True, "false": False, "turned": "", "master": "",
        "traits": {"armour", "rapid", "fire-proof"} | flies, "move": plain["move"] + 1, "calm": plain["calm"] + 1,
    }  # fmt: skip


def omens_begin(now: Situation, side: int) -> None:
    """TF-7, 8 and 9: for the next own turn, for the next of the enemy."""
    now["omens"] = [one for one in now["omens"] if not one["begun"]]
    for one in now["omens"]:
        one["begun"] = one["turn_of"] == side

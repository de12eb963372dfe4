"""The command phase: activation and manoeuvre orders (TF-1.3, 1.13, T-1, T-20, T-30, T-84, T-86, T-87, T-90)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import apart
from tests.rules.thucidide_fantasy.second_reading.gods import omens_begin
from tests.rules.thucidide_fantasy.second_reading.host import (
    COMMAND_RANGE,
    COUNTERS,
    FOR_A_TURN,
    Piece,
    Situation,
    belled,
    demand,
    on_table,
    people_of,
    stilled,
    units_of,
)

COSTS = {
    "reconnaissance": 1, "forced-march": 2, "woodsman": 2, "courier": 3, "manoeuvre": 4, "forward": 5,
    "general-assault": 10,
}  # fmt: skip
FREE_CHARACTERS = 2


def begin_turn(now: Situation, side: int) -> None:
    """TF-1.3: what may be activated is counted anew."""
    now["side"], now["phase"], now["order"], now["activations"], now["range_lifted"] = side, "command", "", [], ""
    now["forwarded"] = ""
    for piece in now["pieces"].values():
        piece.update(FOR_A_TURN)
    omens_begin(now, side)
    count = sum(not (one["false"] or one["turned"]) for one in units_of(now, side))
    now["allowed"], now["share"] = (1, 3) if count <= 9 else (1, 4) if count <= 15 else (2, 3)


def leaders(now: Situation) -> list[Piece]:
    """Who may still lead an activation (T-20)."""
    led = [leader for leader, _units in now["activations"]]
    return [
        one for one in people_of(now, now["side"]) if one["rank"] and one["id"] not in led and not stilled(now, one)
    ]


def own(now: Situation, id_: str, character: bool) -> Piece:
    piece = now["pieces"].get(id_)
    demand(piece and on_table(piece) and piece["side"] == now["side"], "not a piece of yours on the table")
    demand(piece["character"] == character, "a unit and a character are different things")
    demand(not piece["turned"], "turned: it stands")
    return piece


def activate(now: Situation, leader: str | None, units: list[str], characters: list[str]) -> None:
    demand(now["phase"] == "command", "only in the command phase")
    demand(units or characters, "nothing to activate")
    demand(len({*units, *characters}) == len(units) + len(characters), "named twice")
    chosen = [own(now, id_, False) for id_ in units]
    people = [own(now, id_, True) for id_ in characters]
    demand(not any(one["activated"] or stilled(now, one) for one in chosen + people), "activated, or may do nothing")
    free_left = FREE_CHARACTERS - sum(one["free"] for one in now["pieces"].values())
    paying = people[max(0, free_left) :]
    if leader is not None:
        chief = own(now, leader, True)
        demand(chief in leaders(now), "does not lead, or has led")
        for unit in chosen:
            near = apart(chief["at"], unit["at"]) <= COMMAND_RANGE[chief["rank"]]
            demand(near or now["range_lifted"] == leader, "out of command range")
    if not units and not paying:  # free characters need no activation, whoever names them
        _mark(people, free=True)
        return
    demand(len(now["activations"]) < now["allowed"], "no activation is left")
    if leader is None:
        demand(not leaders(now), "somebody has to lead")
        share = 1
    else:
        share = now["share"]
    demand(len(chosen) + len(paying) <= share, "too many")
    _mark(chosen)
    for unit in chosen:
        unit["bonus"] += now["forwarded"] == leader and leader is not None
    _mark(people[: max(0, free_left)], free=True)
    _mark(paying)
    now["activations"].append((leader or "", list(units)))


def _mark(pieces: list[Piece], free: bool = False) -> None:
    for piece in pieces:
        piece["activated"], piece["free"] = True, free


def order(now: Situation, kind: str, unit: str, leader: str, hexes: int) -> None:
    demand(now["phase"] == "command", "only in the command phase")
    demand(not now["order"], "one order a turn")
    demand(kind in COSTS, "no such order")
    side = now["side"]
    cost = COSTS[kind] * (hexes if kind == "woodsman" else 1)
    demand(kind != "woodsman" or 1 <= hexes <= 9, "from one hex to nine")
    demand(now["counters"][side] >= cost, "too dear")
    if kind == "reconnaissance":
        demand(not any(one["activated"] for one in now["pieces"].values()), "before activating")
        now["share"] = now["allowed"] = 1
        general = now["pieces"].get(now["generals"][side])
        now["counters"][side] += COUNTERS[general["level"]] if general and on_table(general) else 0
    elif kind in ("forced-march", "woodsman"):
        piece = own(now, unit, False)
        piece["bonus" if kind == "forced-march" else "woodsman"] += hexes if kind == "woodsman" else 1
    elif kind == "courier":
        piece = own(now, unit, False)
        demand(not piece["activated"], "already activated")
        demand(not belled(now, piece["at"]), "TF-7, 10: under the god’s bell")
        piece["activated"] = True
    elif kind == "manoeuvre":
        demand(own(now, leader, True) in leaders(now), "does not lead, or has led")
        now["range_lifted"] = leader
    elif kind == "forward":
        chief = now["pieces"].get(leader)
        demand(chief and chief["side"] == side and chief["rank"], "leads nobody")
        now["forwarded"] = leader
        for who, units in now["activations"]:
            for id_ in units if who == leader else []:
                now["pieces"][id_]["bonus"] += 1
    elif kind == "general-assault":
        demand(leaders(now), "nobody to lead it")
        now["allowed"] += 1
    now["counters"][side] -= cost
    now["order"] = kind


def levels_at_start(now: Situation) -> list[int]:
    """TF-1.13, T-84."""
    found: list[int] = []
    for side in (0, 1):
        general: Any = now["pieces"].get(now["generals"][side])
        found.append(COUNTERS[general["level"]] if general else 0)
    return found

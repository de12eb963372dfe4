"""The GM's hand (TF-9): figures, stands, counters, marks, traits, cards, places and effects."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import LETTER_OF, Land, place
from tests.rules.thucidide_fantasy.second_reading.host import (
    Piece,
    Situation,
    demand,
    here,
    on_table,
    people_at,
    spells_on,
    uncover,
)
from tests.rules.thucidide_fantasy.second_reading.magic import LASTING, end
from tests.rules.thucidide_fantasy.second_reading.marching import _place_of

ADJUSTED = ("move", "calm", "range")


def override(now: Situation, what: str, field: str, value: Any) -> None:
    if field == "counters":
        now["counters"][int(what)] = value
        return
    if field.startswith("effect:"):
        effect(now, what, field.removeprefix("effect:"), value)
        return
    piece = now["pieces"].get(what)
    demand(piece and not piece["gone"], "it has left the battle")
    if field == "trait":
        trait(piece, value)
    elif field == "card":
        (piece["cards"].append if value[0] == "+" else piece["cards"].remove)(value[1:])
    elif field == "at":
        put(now, piece, value)
    else:
        figure(piece, field, value)


def figure(piece: Piece, field: str, value: Any) -> None:
    """What changes counts as set, without what the GM had adjusted of the army."""
    given = piece.get("given", {})
    if field in ("stands", "left"):
        piece["stands"] = value
    elif field == "dice":
        piece["dice"] = value + given.get("dice", 0)
    else:
        if field in ADJUSTED and piece[field] != value:
            piece["given"] = {name: more for name, more in given.items() if name != field}
        piece[field] = value
        if field == "melee" and piece["hero"]:
            piece["assault"] = value


def trait(piece: Piece, value: str) -> None:
    (piece["traits"].add if value[0] == "+" else piece["traits"].discard)(value[1:])


def put(now: Situation, piece: Piece, label: str) -> None:
    """It is no move; characters go along. A grove ends."""
    at = _place_of(label)
    there = [one for one in here(now, at) if one is not piece]
    demand(all(one["side"] == piece["side"] for one in there), "occupied")
    demand(piece["character"] or all(one["character"] for one in there), "occupied")
    mates = [] if piece["character"] or not on_table(piece) else people_at(now, piece["at"])
    uncover(now, piece)
    for one in (piece, *mates):
        one["at"] = at


def paint(now: Situation, told: dict[str, Any]) -> None:
    """HX-9.4; what lies over the map stays (HX-2.4). A hill is open ground of its height (HX-2.1, HX-2.2)."""
    land: Land = now["land"]
    for at in map(place, told["hexes"]):
        hill = told["terrain"] == "hill"
        land.letters[at] = LETTER_OF[True]["open" if hill else told["terrain"]]
        now["hills"] = now["hills"] | {at} if hill else now["hills"] - {at}
        if at not in now["raised"]:
            land.heights.pop(at, None)
            land.heights |= {at: 1} if hill else {}


def effect(now: Situation, what: str, slug: str, turns: int) -> None:
    """T-36. Begun by hand, it counts its target's phases, a bane the enemy's, on a hex those of whose turn it is."""
    on: Any = what if what in now["pieces"] else _place_of(what)
    running = [timer for timer in spells_on(now, on) if timer["effect"] == slug]
    if not turns:
        demand(running, "no such effect")
        for timer in running:
            end(now, timer)
        return
    if not running:
        demand(slug in LASTING and slug != "repulsion", "needs its caster")
        side = now["pieces"][what]["side"] if what in now["pieces"] else now["side"]
        side = 1 - side if LASTING[slug][0] == "enemy" else side
        running = [{"effect": slug, "on": [on], "by": "", "side": side, "left": 0}]
        now["timers"] += running
    for timer in running:
        timer["left"] = turns + (timer["side"] == now["side"] and now["phase"] == "spells")

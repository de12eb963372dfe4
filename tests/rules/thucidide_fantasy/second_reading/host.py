"""The situation of a battle, and what can be asked of it (TF-1.1, 1.10, 2.5, 3, T-48)."""

from __future__ import annotations

from copy import copy
from typing import Any

from tests.rules.hexes.second_reading.ground import Land, Place, apart
from tests.rules.hexes.second_reading.sides import from_home

Situation = dict[str, Any]
Piece = dict[str, Any]

COMMAND_RANGE = {"general": 5, "sub-general": 3, "senior-officer": 1}
COUNTERS = {"poor": 3, "normal": 5, "great": 7}
MOUNTED = ("cavalry", "camelry", "chariots")
ANIMALS = (*MOUNTED, "elephants")
DIFFICULT_TERRAIN = set("owhtmksn")
SHELTER, BAD_FOOTING = set("wht"), set("mksn")
FOR_A_TURN = {
    "activated": False, "free": False, "moved": False, "start": None, "far": False, "stirred": False,
    "fought": False, "pursued": False, "announced": False, "cast": False, "carried": False, "bonus": 0, "woodsman": 0,
}  # fmt: skip


class Refused(Exception):
    """The command is against the law."""


class Waits(Exception):
    """Somebody has to answer first (T-34)."""

    def __init__(self, asks: str, side: int, who: str, options: list[Any]) -> None:
        self.asks, self.side, self.who, self.options = asks, side, who, options
        super().__init__(asks)


class Over(Exception):
    """The battle has ended; nothing else of this command happens (T-41)."""


def demand(holds: Any, why: str) -> None:
    if not holds:
        raise Refused(why)


# Who is there


def on_table(piece: Piece) -> bool:
    return piece["at"] is not None and not piece["gone"]


def everybody(now: Situation) -> list[Piece]:
    return [piece for piece in now["pieces"].values() if on_table(piece)]


def units_of(now: Situation, side: int) -> list[Piece]:
    return [piece for piece in everybody(now) if piece["side"] == side and not piece["character"]]


def people_of(now: Situation, side: int) -> list[Piece]:
    return [piece for piece in everybody(now) if piece["side"] == side and piece["character"]]


def here(now: Situation, at: Place) -> list[Piece]:
    return [piece for piece in everybody(now) if piece["at"] == at]


def unit_at(now: Situation, at: Place) -> Piece | None:
    return next((piece for piece in here(now, at) if not piece["character"]), None)


def people_at(now: Situation, at: Place) -> list[Piece]:
    """In the order of T-66."""
    return [piece for piece in here(now, at) if piece["character"]]


def unit_of(now: Situation, piece: Piece) -> Piece | None:
    """The unit a character is with."""
    return unit_at(now, piece["at"]) if on_table(piece) else None


def alone(now: Situation, piece: Piece) -> bool:
    return piece["character"] and unit_of(now, piece) is None


def heroes_with(now: Situation, piece: Piece) -> list[Piece]:
    if piece["character"]:
        return [piece] if piece["hero"] else []
    return [one for one in people_at(now, piece["at"]) if one["hero"]]


# What they are


def spells_on(now: Situation, what: Any) -> list[dict[str, Any]]:
    """Running effects on a unit or a hex."""
    return [timer for timer in now["timers"] if what in timer["on"]]


def under(now: Situation, what: Any, effect: str) -> bool:
    return any(timer["effect"] == effect for timer in spells_on(now, what))


GIVEN = {
    "armour": "armour", "blessing": "great-armour", "bell": "bell", "fanaticism": "fanatic", "hatred": "fanatic",
    "immunity": "unaffected", "speed": "rapid",
}  # fmt: skip


def has(now: Situation, piece: Piece, trait: str) -> bool:
    """By birth, by an object or by a spell (TF-3, TF-6.3)."""
    given = {GIVEN.get(timer["effect"]) for timer in spells_on(now, piece["id"])}
    return trait in piece["traits"] or trait in given


def fanatic(now: Situation, piece: Piece) -> bool:
    return not piece["character"] and (piece["temper"] == "fanatic" or has(now, piece, "fanatic"))


def flies(now: Situation, piece: Piece) -> bool:
    """T-47: who is with a unit is where it is."""
    unit = unit_of(now, piece) if piece["character"] else None
    return "flyer" in (unit or piece)["traits"]


def undead(piece: Piece) -> bool:
    return "undead" in piece["traits"]


def close(now: Situation, one: Piece, other: Piece) -> bool:
    return apart(one["at"], other["at"]) == 1


def threatening(now: Situation, side: int) -> list[Piece]:
    """T-48: units and heroes, against this side; not those in a grove (T-70)."""
    return [
        one for one in everybody(now)
        if one["side"] != side and (not one["character"] or one["hero"]) and not in_grove(now, one)
    ]  # fmt: skip


def beside(now: Situation, side: int, at: Place) -> list[Piece]:
    """Enemies beside a hex."""
    return [one for one in threatening(now, side) if apart(one["at"], at) == 1]


def menaced(now: Situation, piece: Piece) -> bool:
    """An enemy is beside somebody, for casting and fleeing; house rule of flyers (T-8, T-21)."""
    found = beside(now, piece["side"], piece["at"])
    if now["options"]["flyers_beside"] == "not":
        found = [one for one in found if flies(now, one) == flies(now, piece)]
    return bool(found)


def supported(now: Situation, piece: Piece, attacked: bool = False) -> bool:
    """TF-1.10; T-95: foot in houses counts as supported when dice are thrown at it, and in its riposte."""
    foot = not piece["character"] and piece["kind"] == "infantry" and not flies(now, piece)
    if attacked and foot and letter(now, piece["at"]) == "h":
        return True
    friends = [
        one for one in units_of(now, piece["side"])
        if one is not piece and close(now, one, piece) and flies(now, one) == flies(now, piece)
        and not one["false"] and not in_grove(now, one)
    ]  # fmt: skip
    return len(friends) >= 2


def tempted(now: Situation, piece: Piece) -> int:
    """Flags added if there is one: 1 hesitant, 2 fleeing (TF-1.10, 1.12, TF-3 rows 13, 14)."""
    if fanatic(now, piece):
        return 0
    worst = {"hesitant": 1, "fleeing": 2}.get(piece["temper"], 0)
    for foe in everybody(now):
        if foe["side"] != piece["side"] and apart(foe["at"], piece["at"]) <= 2 and not in_grove(now, foe):
            worst = max(worst, 2 if has(now, foe, "great-threat") else 1 if has(now, foe, "threat") else 0)
    return worst


def heartened(now: Situation, piece: Piece) -> bool:
    """Trait 12: friends within 1; not its bearer (TF-3.1)."""
    return any(
        one["side"] == piece["side"] and one is not piece and has(now, one, "morale")
        and apart(one["at"], piece["at"]) <= 1 and not in_grove(now, one)
        for one in everybody(now)
    )  # fmt: skip


# Groves, false units, bells


def in_grove(now: Situation, piece: Piece) -> bool:
    """T-16: a grove covers the hex of its unit."""
    unit = unit_of(now, piece) if piece["character"] else piece
    return unit is not None and under(now, unit["id"], "grove")


def groves(now: Situation) -> list[Piece]:
    return [one for one in everybody(now) if not one["character"] and under(now, one["id"], "grove")]


def hides(now: Situation, side: int, at: Place) -> Piece | None:
    """The unit that looks like a wood there to this side."""
    return next((one for one in groves(now) if one["at"] == at and one["side"] != side), None)


def uncover(now: Situation, piece: Piece) -> None:
    """T-70: a grove ends with any move, retreat, blow or shot of its own."""
    now["timers"] = [one for one in now["timers"] if not (one["effect"] == "grove" and piece["id"] in one["on"])]


def belled(now: Situation, at: Place | None) -> bool:
    """TF-7, 10: the god’s bell over a hex."""
    return at is not None and under(now, at, "divine-bell")


def stilled(now: Situation, piece: Piece) -> bool:
    """TF-7: paralysed, or under the god’s bell: no move, action, spell."""
    return belled(now, piece["at"]) or under(now, piece["id"], "angry")


def show_false(now: Situation) -> None:
    """T-15: a false unit that stands beside an enemy after a move or retreat is gone."""
    for one in [one for one in everybody(now) if one["false"]]:
        if beside(now, one["side"], one["at"]):
            leave(now, one, "vanished")


# Ground


def ground_for(now: Situation, side: int) -> Land:
    """The land as a side walks on it: groves of the enemy are woods, allied nature is open or closed (TF-6.3, T-59)."""
    land: Land = now["land"]
    natures = [timer for timer in now["timers"] if timer["effect"] == "allied-nature"]
    woods = [one["at"] for one in groves(now) if one["side"] != side]
    if not natures and not woods:
        return land
    land = copy(land)
    land.letters, land.overlays = dict(land.letters), dict(land.overlays)
    for timer in natures:
        for at in timer["on"]:
            if timer["side"] == side:
                land.letters[at] = "."
            else:
                land.overlays[at] = "barrier"
    for at in woods:
        land.overlays.setdefault(at, "w")
    return land


def letter(now: Situation, at: Place) -> str:
    land: Land = now["land"]
    return land.letters[at]


def base_line(now: Situation, side: int, at: Place) -> bool:
    return from_home(now["land"], side, at) == 0


# Leaving the table


def leave(now: Situation, piece: Piece, how: str) -> None:
    """A piece leaves the table; undead of a master who does vanish (TF-5.1), and victory is looked at (T-41)."""
    at = piece["at"]
    piece["gone"], piece["at"] = how, None
    for timer in now["timers"]:
        timer["on"] = [one for one in timer["on"] if one != piece["id"]]
    now["timers"] = [timer for timer in now["timers"] if timer["on"]]
    if not piece["character"]:
        if how == "destroyed" and not piece["false"]:
            now["graves"].append((at, piece["id"]))
            now["bereaved"] += [one["id"] for one in people_at(now, at) if not one["hero"]]
        if not piece["summoned"]:
            now["fallen"][piece["first_side"]].append(piece["id"])
        look_for_victory(now)
        return
    for unit in list(units_of(now, 0) + units_of(now, 1)):
        if unit["master"] == piece["id"] and on_table(unit) and not unit["turned"]:
            now["orphans"].append(unit["id"])


def look_for_victory(now: Situation) -> None:
    for side in (0, 1):
        if len(set(now["fallen"][1 - side])) >= now["victory"][side]:
            now["ended"] = {"winner": side}
            raise Over

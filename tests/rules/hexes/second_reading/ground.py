"""Hexes as pairs (q, r), and a map as its file says it (HX-1, HX-2, HX-5, HX-7)."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any

Place = tuple[int, int]
Pair = frozenset[Place]
RING = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # E NE NW W SW SE
LABEL = re.compile(r"([A-Z]+)([1-9][0-9]*)")
EPSILON = Fraction(1, 10**6)
HIGH_FLIGHT = 3

# letter: (ground, cover, how one gets in on foot)
BATTLE = {
    ".": (0, 0, "clear"), "=": (0, 0, "clear"), "b": (0, 0, "clear"), "o": (0, 0, "difficult"),
    "^": (1, 0, "difficult"), "w": (0, 1, "difficult"), "h": (0, 1, "difficult"), "t": (0, 1, "infiltration_only"),
    "m": (0, 0, "difficult"), "k": (0, 0, "difficult"), "s": (0, 0, "difficult"), "n": (0, 0, "difficult"),
    "|": (0, 0, "impassable"), "~": (0, 0, "impassable"), "A": (2, 1, "impassable"),
}  # fmt: skip
WORSE = ["clear", "difficult", "infiltration_only", "impassable"]
LAID = {"fire": "impassable", "mire": "difficult", "barrier": "impassable"}  # at least that; the cover stays (WC-7)
DIFFICULT_LANDS, CLOSED_LANDS = set("^wjAmski"), set("P~o")
CAMPAIGN = set(".flc^wjAPmskti~o")


def apart(a: Place, b: Place) -> int:
    """HX-1.2"""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(at: Place) -> list[Place]:
    """HX-1.1"""
    return [(at[0] + q, at[1] + r) for q, r in RING]


def name(at: Place) -> str:
    """HX-1.3"""
    column, letters = at[0] + at[1] // 2, ""
    while True:
        letters = chr(ord("A") + column % 26) + letters
        column = column // 26 - 1
        if column < 0:
            return f"{letters}{at[1] + 1}"


def place(label: str) -> Place:
    """HX-1.3"""
    found = LABEL.fullmatch(label)
    assert found, label
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    row = int(found[2]) - 1
    return (column - 1 - row // 2, row)


class Land:
    """What a map's file says, place by place; `overlays`, letters or words of `LAID`, lie over it (HX-2.4)."""

    overlays: dict[Place, str]

    def __init__(self, document: dict[str, Any]) -> None:
        self.battle = document.get("kind", "battle") == "battle"
        self.columns, self.rows = document["columns"], document["rows"]
        spelled = {letter: LETTER_OF[self.battle][slug] for letter, slug in document.get("legend", {}).items()}
        self.letters = {
            (column - row // 2, row): spelled.get(letter, letter)
            for row, line in enumerate(document["terrain"])
            for column, letter in enumerate(line)
        }
        self.heights = {place(label): height for label, height in document.get("heights", {}).items()}
        self.labels = {place(label): text for label, text in document.get("labels", {}).items()}
        self.obstacles: dict[Pair, str] = {
            frozenset(map(place, one["between"])): one["obstacle"] for one in document.get("edges", [])
        }
        self.roads, self.rivers = (
            {frozenset((place(one), place(other))) for line in document.get(kind, []) for one, other in pairwise(line)}
            for kind in ("roads", "rivers")
        )
        self.homes = document.get("homes") or ["south", "north"]
        self.zones = [set(map(place, zone)) for zone in document.get("zones", [])]
        self.overlays = {}

    def __contains__(self, at: Place) -> bool:
        return at in self.letters

    def around(self, at: Place) -> list[Place]:
        return [near for near in ring(at) if near in self.letters]

    def ground(self, at: Place) -> int:
        return self.heights.get(at, BATTLE[self.letters[at]][0])

    def top(self, at: Place) -> int:
        over = self.overlays.get(at, self.letters[at])
        return self.ground(at) + BATTLE[over if over in BATTLE else self.letters[at]][1]

    def by_road(self, start: Place, target: Place) -> bool:
        """Along a road drawn, or from a hex of road or bridge to another (HX-2.3, H-1)."""
        drawn = frozenset((start, target)) in self.roads
        return drawn or (self.letters[start] in "=b" and self.letters[target] in "=b")

    def lies_as(self, at: Place) -> str:
        """How one gets on in a hex, whence ever one comes."""
        over = self.overlays.get(at)
        footing = BATTLE[over if over in BATTLE else self.letters[at]][2]
        return max(footing, LAID.get(over or "", "clear"), key=WORSE.index)

    def footing(self, start: Place, target: Place) -> str:
        """How one gets from a hex of a field of battle to the next on foot (HX-2.1, HX-2.3, H-1)."""
        way = frozenset((start, target))
        if self.obstacles.get(way) == "wall":
            return "impassable"
        over = self.overlays.get(target)
        footing = BATTLE[over if over in BATTLE else self.letters[target]][2]
        if self.by_road(start, target):
            footing = footing if over in BATTLE or footing == "impassable" else "clear"
        elif way in self.rivers or self.obstacles.get(way) == "stream":
            footing = max(footing, "difficult", key=WORSE.index)
        return max(footing, LAID.get(over or "", "clear"), key=WORSE.index)


def nearest(q: Fraction, s: Fraction, r: Fraction) -> Place:
    """Round all three, correct the one with the largest error (HX-5.2)."""
    exact = (q, s, r)
    whole = [floor(part + Fraction(1, 2)) for part in exact]
    errors = [abs(part - near) for part, near in zip(exact, whole, strict=True)]
    worst = errors.index(max(errors))
    whole[worst] -= sum(whole)
    return (whole[0], whole[2])


def line(a: Place, b: Place, sign: int) -> list[Place]:
    """The hexes strictly between, both ends moved by sign × (+ε, +2ε, −3ε) in (q, −q−r, r) (HX-5.2)."""
    ends = [(at[0] + sign * EPSILON, -at[0] - at[1] + 2 * sign * EPSILON, at[1] - 3 * sign * EPSILON) for at in (a, b)]
    n, found = apart(a, b), []
    for step in range(n + 1):
        q, s, r = ((1 - Fraction(step, n)) * x + Fraction(step, n) * y for x, y in zip(*ends, strict=True))
        found.append(nearest(q, s, r))
    return found[1:-1]


def sees(land: Land, a: Place, b: Place, flying: tuple[bool, bool], grove: set[Place]) -> bool:
    """HX-5.3, HX-5.4: `grove` blocks whatever its height."""
    if apart(a, b) <= 1:
        return True
    stands = [HIGH_FLIGHT if up else land.ground(at) for at, up in zip((a, b), flying, strict=True)]

    def blocked(between: list[Place]) -> bool:
        return any(at in land.letters and (at in grove or land.top(at) > max(stands)) for at in between)

    return not (blocked(line(a, b, 1)) and blocked(line(a, b, -1)))


LETTER_OF = {
    True: {"open": ".", "road": "=", "bridge": "b", "ford": "o", "hill": "^", "wood": "w", "houses": "h",
           "thicket": "t", "marsh": "m", "rocks": "k", "sand": "s", "snow": "n", "river": "|", "lake": "~",
           "mountain": "A"},
    False: {"forest": "w", "hills": "^", "plains": ".", "lake": "~"},
}  # fmt: skip

"""What is refused in a battlefield's file, and where it says so (HX-7.1 to HX-7.3, H-1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.rules.hexes.second_reading.ground import BATTLE, LABEL, LETTER_OF, Land, apart, place
from tests.rules.hexes.second_reading.moves import WALKING, Unit, reach
from tests.rules.hexes.second_reading.sides import free_of, place_in, zone

EDGES = ("south", "north", "west", "east")


def faults(told: dict[str, Any]) -> set[str]:
    """Pointers at what is wrong, as far as the member or the row; empty: it is read."""
    if told.get("format") != "warhost-hexmap" or told.get("version") != 1 or not told.get("name"):
        return {key for key, good in (("format", "warhost-hexmap"), ("version", 1)) if told.get(key) != good} | (
            set() if told.get("name") else {"name"}
        )
    sizes = {key for key in ("columns", "rows") if not 8 <= told.get(key, 0) <= 40}
    return sizes or set(_rows(told)) | set(_hexes(told))


def _rows(told: dict[str, Any]) -> Iterator[str]:
    known = set(BATTLE)
    for letter, slug in told.get("legend", {}).items():
        if slug in LETTER_OF[True]:
            known.add(letter)
        else:
            yield f"legend/{letter}"
    rows = told.get("terrain", [])
    if len(rows) != told["rows"]:
        yield "terrain"
        return
    for number, row in enumerate(rows):
        if len(row) != told["columns"] or not known.issuperset(row):
            yield f"terrain/{number}"


def _on_map(told: dict[str, Any], label: str) -> bool:
    if not LABEL.fullmatch(label):
        return False
    column, row = place_in(place(label))
    return column < told["columns"] and row < told["rows"]


def _touch(told: dict[str, Any], pair: tuple[str, str]) -> bool:
    return all(_on_map(told, label) for label in pair) and apart(*map(place, pair)) == 1


def _hexes(told: dict[str, Any]) -> Iterator[str]:
    for label, height in told.get("heights", {}).items():
        if not _on_map(told, label) or height not in (0, 1, 2, 3):
            yield f"heights/{label}"
    for number, one in enumerate(told.get("edges", [])):
        if not _touch(told, one["between"]) or one["obstacle"] not in ("stream", "wall"):
            yield f"edges/{number}"
    for kind in ("roads", "rivers"):
        for number, line in enumerate(told.get(kind, [])):
            if not all(_touch(told, pair) for pair in pairwise(line)):
                yield f"{kind}/{number}"
    for label in told.get("labels", {}):
        if not _on_map(told, label):
            yield f"labels/{label}"
    if not set(told.get("homes", [])) <= set(EDGES):
        yield "homes"
    yield from _zones(told)


def _zones(told: dict[str, Any]) -> Iterator[str]:
    zones = told.get("zones", [])
    for side, named in enumerate(zones):
        if not all(_on_map(told, label) for label in named) or (side and set(named) & set(zones[0])):
            yield f"zones/{side}"


def joined(land: Land, rows: int = 3) -> bool:
    """Whether there is a path on foot between the zones; where there is none, one is warned (HX-7.3)."""
    first, second = (free_of(land, zone(land, side, rows)) for side in (0, 1))
    unit = Unit(WALKING, 10**6, (), (), ())
    return any(not reach(land, unit, at).keys().isdisjoint(second) for at in first)

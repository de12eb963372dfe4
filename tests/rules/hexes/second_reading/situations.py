"""Maps and situations drawn from a seed, for both readings to be asked about."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.rules.hexes.second_reading.ground import BATTLE, LAID, LETTER_OF, Land, Place, name, ring

EASY = "........==bw^mt"
SLUG_OF = {letter: slug for slug, letter in LETTER_OF[True].items()}


def document(random: Random) -> dict[str, Any]:
    """A field of battle with a little of everything, easy ground for the most part."""
    columns, rows = random.randint(8, 10), random.randint(8, 10)
    letters = random.choice([EASY, EASY, EASY + "A|", "".join(BATTLE)])
    hexes = [(column - row // 2, row) for row in range(rows) for column in range(columns)]
    told: dict[str, Any] = {
        "format": "warhost-hexmap",
        "version": 1,
        "name": "Drawn",
        "columns": columns,
        "rows": rows,
        "terrain": ["".join(random.choices(letters, k=columns)) for _ in range(rows)],
        "heights": {name(at): random.randint(0, 3) for at in random.sample(hexes, 6)},
        "edges": [
            {"between": pair, "obstacle": random.choice(["stream", "wall"])} for pair in pairs(random, hexes, 14)
        ],
        "roads": [[name(at) for at in line(random, hexes, random.randint(2, 8))] for _ in range(2)],
        "rivers": pairs(random, hexes, 8),
        "homes": random.choice([[], ["south", "north"], ["west", "east"], ["south", "east"], ["north", "west"]]),
    }
    return {key: value for key, value in told.items() if value}


def pairs(random: Random, hexes: list[Place], count: int) -> list[list[str]]:
    """Different pairs of hexes that touch."""
    found = {tuple(map(name, line(random, hexes, 2))) for _ in range(count)}
    return [list(pair) for pair in sorted(found) if pair[::-1] not in found or pair < pair[::-1]]


def line(random: Random, hexes: list[Place], length: int) -> list[Place]:
    """Hexes that touch, one after another."""
    on_map = set(hexes)
    found = [random.choice(hexes)]
    while len(found) < length:
        found.append(random.choice([at for at in ring(found[-1]) if at in on_map]))
    return found


def overlays(random: Random, land: Land) -> dict[Place, str]:
    """Terrain over some hexes: letters of the catalogue, or words of `LAID`."""
    count = random.choice([0, 3, 8])
    return {at: random.choice([*LAID, *".=wt~"]) for at in random.sample(sorted(land.letters), count)}


def slugs(laid: dict[Place, str]) -> dict[str, str]:
    """The same in words, by label."""
    return {name(at): SLUG_OF.get(over, over) for at, over in laid.items()}


def some(random: Random, land: Land, most: int) -> set[Place]:
    return set(random.sample(sorted(land.letters), random.randint(0, most)))


SPOILS = (
    "row",
    "letter",
    "rows",
    "height",
    "off",
    "edge",
    "obstacle",
    "road",
    "river",
    "zones",
    "home",
    "size",
    "legend",
)


def spoilt(random: Random, told: dict[str, Any]) -> Iterator[str]:
    """Spoils a document in up to three ways, or in none; tells which."""
    for fault in random.sample(SPOILS, random.choice([0, 0, 1, 1, 1, 2, 3])):
        spoil(random, told, fault)
        yield fault


def spoil(random: Random, told: dict[str, Any], fault: str) -> None:
    rows, anywhere = told["terrain"], f"{random.choice('ABEHIJKZ')}{random.randint(1, 12)}"
    number = random.randrange(len(rows))
    match fault:
        case "row":
            rows[number] = rows[number] + "." if random.random() < 0.5 else rows[number][:-1]
        case "letter":
            rows[number] = random.choice("?xxX ") + rows[number][1:]
        case "rows":
            rows.pop()
        case "height":
            told.setdefault("heights", {})[anywhere] = random.choice([-1, 3, 4])
        case "off":
            told.setdefault("labels", {})[anywhere] = "There"
        case "edge":
            told.setdefault("edges", []).append({"between": ["B2", anywhere], "obstacle": "wall"})
        case "obstacle":
            told.setdefault("edges", []).append({"between": ["B2", "C2"], "obstacle": "hedge"})
        case "road" | "river":
            told.setdefault(f"{fault}s", []).append(["A1", "B1", anywhere][fault == "river" :])
        case "zones":
            told["zones"] = [["A1", "B1", anywhere], ["C3", random.choice(["B1", "D4"])]]
        case "home":
            told["homes"] = ["south", "up"]
        case "size":
            told[random.choice(["columns", "rows"])] = random.choice([7, 8, 40, 41])
        case "legend":
            told["legend"] = {"x": random.choice(["wood", "cheese"])}

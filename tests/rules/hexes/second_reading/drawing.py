"""Maps for both readings, as their file says them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.rules.hexes.second_reading.ground import BATTLE, CAMPAIGN, RING, Place, apart, name

COMMON = {True: "....wm^", False: "....w^m"}


@st.composite
def documents(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """A small map with roads, rivers, streams, walls, heights and names; half of them mostly easy ground."""
    battle = kind == "battle"
    columns, rows = draw(st.integers(8, 10)), draw(st.integers(8, 10))
    every = sorted(BATTLE if battle else CAMPAIGN)
    alphabet = draw(st.sampled_from(["".join(every), COMMON[battle]]))
    terrain = draw(st.text(alphabet, min_size=columns * rows, max_size=columns * rows))
    hexes = [(column - row // 2, row) for row in range(rows) for column in range(columns)]
    pairs = [
        [name(at), name((at[0] + q, at[1] + r))] for at in hexes for q, r in RING[:3] if (at[0] + q, at[1] + r) in hexes
    ]
    told: dict[str, Any] = {
        "format": "warhost-hexmap", "version": 1, "name": "Second", "kind": kind, "columns": columns, "rows": rows,
        "terrain": [terrain[first : first + columns] for first in range(0, len(terrain), columns)],
        "heights": draw(st.dictionaries(st.sampled_from([name(at) for at in hexes]), st.integers(0, 3), max_size=8)),
        "edges": [
            {"between": between, "obstacle": draw(st.sampled_from(["stream", "wall"]))}
            for between in draw(st.lists(st.sampled_from(pairs), max_size=12, unique_by=tuple))
        ],
        "roads": [[name(at) for at in draw(walks(hexes, 8))] for _ in range(draw(st.integers(0, 3)))],
        "rivers": draw(st.lists(st.sampled_from(pairs), max_size=12, unique_by=tuple)),
        "labels": draw(st.dictionaries(st.sampled_from([name(at) for at in hexes]), st.just("Ford"), max_size=3)),
    }  # fmt: skip
    return {key: value for key, value in told.items() if value not in ([], {})}


@st.composite
def walks(draw: st.DrawFn, hexes: list[Place], most: int) -> list[Place]:
    """Hexes that touch, one after another."""
    walk = [draw(st.sampled_from(hexes))]
    for _step in range(draw(st.integers(1, most))):
        walk.append(draw(st.sampled_from([at for at in hexes if apart(at, walk[-1]) == 1])))
    return walk

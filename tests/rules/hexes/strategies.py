"""Maps to try rules on."""

from __future__ import annotations

from hypothesis import strategies as st

from rules.hexes.geometry import distance, edge, hex_at
from rules.hexes.mapfile import KNOWN, HexMap, blank
from rules.hexes.terrain import CATALOGUE, MapKind

words = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(str.strip)


@st.composite
def maps(draw, kinds=tuple(MapKind)):
    """Small maps with a little of everything."""
    kind = draw(st.sampled_from(kinds))
    columns, rows = draw(st.integers(8, 12)), draw(st.integers(8, 12))
    row = st.text("".join(one.letter for one in CATALOGUE[kind]), min_size=columns, max_size=columns)
    terrain = tuple(draw(row) for _ in range(rows))
    bare = HexMap(draw(words), kind, columns, rows, terrain)
    hexes = list(bare)
    at, some = st.sampled_from(hexes), {"max_size": 6}
    steps = [edge(one, other) for one in hexes for other in bare.around(one)]
    return HexMap(
        bare.name, kind, columns, rows, terrain,
        heights=draw(st.dictionaries(at, st.integers(0, 3), **some)),
        edges=draw(st.dictionaries(st.sampled_from(steps), st.sampled_from(["stream", "wall"]), **some)),
        roads=draw(st.frozensets(st.sampled_from(steps), **some)),
        rivers=draw(st.frozensets(st.sampled_from(steps), **some)),
        labels=draw(st.dictionaries(at, words, **some)),
        homes=draw(st.sampled_from([(), ("south", "north"), ("west", "east")])),
        zones=draw(st.sampled_from([(), (frozenset(hexes[:5]), frozenset(hexes[9:12]))])),
        credits=draw(st.just("") | words),
        more=draw(st.dictionaries(words.filter(lambda key: key not in KNOWN), st.integers(), max_size=2)),
    )  # fmt: skip


@st.composite
def discs(draw):
    """Open ground with prices on the 61 hexes of radius 4 around a start: (map, price by hex, start)."""
    land, start = blank("Disc", MapKind.BATTLE, 10, 10), hex_at("E5")
    hexes = [at for at in land if distance(at, start) <= 4]
    prices = draw(st.text("11230", min_size=len(hexes), max_size=len(hexes)))
    return land, dict(zip(hexes, map(int, prices), strict=True)), start

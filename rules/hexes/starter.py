"""Three built-in battlefields (HX-12)."""

from __future__ import annotations

from rules.core.text import Term, _
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import MapKind

MEADOWS = """
................
................
..w.........w...
..ww...^....ww..
.......^^.......
....m........k..
...mm...ww...k..
..k...ww...mm...
..k........m....
.......^^.......
...ww...^...ww..
...w.........w..
................
................
"""

THE_FORD = """
.......=........
.......=........
....w..=...w....
...ww..=...ww...
......^=.^......
.......=........
.m.....=......m.
||o||||b||||o|||
.m......=.....m.
.......=........
......^.=^......
..ww...=..ww....
....w...=..w....
.......=........
........=.......
"""

THE_PASS = """
AA............AA
A..............A
A....w....w....A
AA...ww..ww...AA
AAtt........ttAA
AAAt..^^....tAAA
AAAA...^^...AAAA
AAAA..^^....AAAA
AAAt...^^...tAAA
AAtt........ttAA
AA...ww..ww...AA
A....w....w....A
A..............A
AA............AA
"""

FIELDS: tuple[tuple[str, Term, str], ...] = (
    ("meadows", _("Meadows"), MEADOWS),
    ("the-ford", _("The ford"), THE_FORD),
    ("the-pass", _("The pass"), THE_PASS),
)


def _drawn(name: str, rows: str) -> HexMap:
    terrain = tuple(rows.split())
    return HexMap(name, MapKind.BATTLE, len(terrain[0]), len(terrain), terrain)


STARTERS = {slug: _drawn(name, rows) for slug, name, rows in FIELDS}

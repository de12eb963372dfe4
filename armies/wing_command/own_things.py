"""A campaign's own types of troops (WC-HOUSE), for the arsenal and for tables."""

from __future__ import annotations

from armies.arsenal.own_things import OwnThings
from armies.arsenal.table_rows import TypesTable
from rules.core.text import _
from rules.wing_command.own import MOST, SHAPE, TYPES, OwnTroop
from rules.wing_command.starter import TROOPS


def is_taken(kind: str, slug: str) -> bool:
    return slug in TROOPS


PIKES = {"name": "Pikes", "tag": "Pk", "move": 2, "melee": 3, "guard": 4, "points": 4}
OWN_THINGS = OwnThings(
    kinds={TYPES: _("Type of troops")},
    shapes={TYPES: SHAPE},
    names={OwnTroop: "WingTroopType"},
    most=MOST,
    taken=is_taken,
    tables={TYPES: "units"},
    examples={"Troops of a wing": (TYPES, PIKES)},
)
TABLE = TypesTable(TYPES, SHAPE)

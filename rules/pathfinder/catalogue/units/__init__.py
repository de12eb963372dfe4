"""A library of ready unit types to raise armies from; a campaign may change and extend it (PF-1.11)."""

from rules.pathfinder.catalogue.units.folk import FOLK
from rules.pathfinder.catalogue.units.kinds import FAMILIES, UnitKind
from rules.pathfinder.catalogue.units.monsters import MONSTERS
from rules.pathfinder.catalogue.units.others import OTHERS

UNITS: dict[str, UnitKind] = {kind.slug: kind for kind in (*FOLK, *MONSTERS, *OTHERS)}

__all__ = ["FAMILIES", "UNITS", "UnitKind"]

"""A library of ready unit types to raise armies from; a campaign may change and extend it (PF-1.11)."""

from rules.pathfinder.units.kinds import UnitKind

from .folk import FOLK
from .monsters import MONSTERS
from .others import OTHERS

UNITS: dict[str, UnitKind] = {kind.slug: kind for kind in (*FOLK, *MONSTERS, *OTHERS)}

__all__ = ["UNITS", "UnitKind"]

"""A library of ready unit types to raise armies from; a campaign may change and extend it (PF-1.11)."""

from .folk import FOLK
from .kinds import FAMILIES, UnitKind
from .monsters import MONSTERS
from .others import OTHERS

UNITS: dict[str, UnitKind] = {kind.slug: kind for kind in (*FOLK, *MONSTERS, *OTHERS)}

__all__ = ["FAMILIES", "UNITS", "UnitKind"]

"""Models of fortified places, who stands in them, and their sieges (BP-8)."""

from armies.breaking_point.models.places import FortifiedPlace, Stationed
from armies.breaking_point.models.sieges import SiegeArmy, SiegeRow

__all__ = ["FortifiedPlace", "SiegeArmy", "SiegeRow", "Stationed"]

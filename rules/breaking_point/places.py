"""Kinds of fortified places (BP-8)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.breaking_point.spec import Fortification
from rules.core.text import _

_ALL = (
    Fortification("entrenchment", _("Entrenchment"), 5, 50, 1, 5, against_shots=True),
    Fortification("fort", _("Bunker, fort"), 50, 500, 2, 5),
    Fortification("fortress", _("Fortress"), 500, None, 3, 10),
)
FORTIFICATIONS: Mapping[str, Fortification] = {kind.slug: kind for kind in _ALL}
"""By slug, the weakest first."""

"""Choices for a generated map (HX-8.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.errors import demand
from rules.core.text import Term, _
from rules.hexes.terrain import MapKind

KINDS: Mapping[MapKind, Mapping[str, Term]] = {
    MapKind.BATTLE: {
        "plain": _("Plains"), "mixed": _("Mixed"), "rough": _("Rough"), "wooded": _("Wooded"), "hilly": _("Hilly"),
        "marshy": _("Marshy"),
    },
    MapKind.CAMPAIGN: {
        "heartland": _("Heartland"), "highlands": _("Highlands"), "woodland": _("Woodland"), "coast": _("Coast"),
        "islands": _("Islands"), "dry": _("Dry country"), "cold": _("Cold country"),
    },
}  # fmt: skip
SEED_MOST = 60


@dataclass(frozen=True, slots=True)
class MapChoices:
    """`seed`: the same one makes the same map. `symmetric` and the one river are a battlefield's, `roads` a land's.

    Raises `InvalidInput` for a kind there is not.
    """

    of: MapKind
    columns: int
    rows: int
    kind: str
    seed: str
    river: bool = False
    roads: bool = False
    symmetric: bool = True

    def __post_init__(self) -> None:
        kinds = KINDS[self.of]
        demand(self.kind in kinds, _("Choose one of: {choices}."), field="/kind", choices=", ".join(kinds))
        told = _("Give a text of {least} to {most} characters.")
        demand(0 < len(self.seed) <= SEED_MOST, told, field="/seed", least=1, most=SEED_MOST)

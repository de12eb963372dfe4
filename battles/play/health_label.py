"""Health label in the API: figures, or its word alone where figures are not the reader's."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.health import BANDS, band_of

LOOKS = f"its health in a word: {', '.join(band.slug for band in BANDS)}"


class HealthTold(NamedTuple):
    """`looks`: the slug of its word, for everybody; figures None where the campaign keeps them from this reader."""

    health: int | None
    health_max: int | None
    looks: str


def told_of(health: int, health_max: int, *, worded: bool) -> HealthTold:
    looks = band_of(health, health_max).slug
    return HealthTold(None, None, looks) if worded else HealthTold(health, health_max, looks)

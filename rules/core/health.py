"""Health in words: the one scale by which whoever is told no figures hears how an army fares, whatever its law.

What is told in words is drawn as a bar, too: it stands at the same place for all that bear the same word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.core.text import Term, _

WHOLE = 100


class Looks(NamedTuple):
    """`least` to `most`: what is left, in hundredths; `shown`: where the bar stands for all of them."""

    slug: str
    word: Term
    least: int
    most: int
    shown: int

    def within(self, whole: int, part: float) -> int:
        """What may be left of so much: the least (`part` 0), the most (1), or between them; of anything at least 1."""
        low, high = -(-self.least * whole // WHOLE), self.most * whole // WHOLE
        return max(min(self.least, 1), round(low + part * (high - low)))


BANDS = (
    Looks("unhurt", _("unhurt"), 100, 100, 100),
    Looks("scratched", _("scratched"), 76, 99, 88),
    Looks("wounded", _("wounded"), 51, 75, 63),
    Looks("bloodied", _("bloodied"), 26, 50, 38),
    Looks("nearly-broken", _("nearly broken"), 1, 25, 13),
    Looks("spent", _("spent"), 0, 0, 0),
)
BY_SLUG: Mapping[str, Looks] = {band.slug: band for band in BANDS}


def band_of(left: int, whole: int) -> Looks:
    """How an army looks that has so much left of the whole: unhurt, spent, or by quarters, half being bloodied."""
    if left >= whole:
        return BANDS[0] if left > 0 else BANDS[-1]
    if left <= 0:
        return BANDS[-1]
    quarters = -(-4 * left // whole)  # 1: up to a quarter is left
    return BANDS[5 - quarters]


# Health label in the API: figures, or its word alone where figures are not the reader's.


LOOKS = f"its health in a word: {', '.join(band.slug for band in BANDS)}"


class HealthTold(NamedTuple):
    """`looks`: the slug of its word, for everybody; figures None where the campaign keeps them from this reader."""

    health: int | None
    health_max: int | None
    looks: str


def told_of(health: int, health_max: int, *, worded: bool) -> HealthTold:
    looks = band_of(health, health_max).slug
    return HealthTold(None, None, looks) if worded else HealthTold(health, health_max, looks)

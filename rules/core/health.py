"""Health in words: the one scale for viewers who see no figures, under any law. On a bar, all armies with the same word
stand at the same place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.core.text import Term, _

WHOLE = 100


class Looks(NamedTuple):
    """Band of health. `least` to `most` is what is left, in percent; `shown` is the place on a bar
    for the whole band.
    """

    slug: str
    word: Term
    least: int
    most: int
    shown: int

    def within(self, whole: int, part: float) -> int:
        """Return the health an army of maximum `whole` may have in this band: the least (`part` 0), the most (1), or
        between. At least 1, unless the band is "spent".
        """
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
    """Return the band for so much health left: unhurt, spent, or one of four quarters."""
    if left >= whole:
        return BANDS[0] if left > 0 else BANDS[-1]
    if left <= 0:
        return BANDS[-1]
    quarters = -(-4 * left // whole)  # 1: at most a quarter is left
    return BANDS[5 - quarters]


# Health in the API: figures, or the word alone where the reader may not see figures.


LOOKS = f"its health in a word: {', '.join(band.slug for band in BANDS)}"


class HealthTold(NamedTuple):
    """Health as the API answers it. `looks` is the slug of its word; the figures are None where the campaign hides
    them.
    """

    health: int | None
    health_max: int | None
    looks: str


def told_of(health: int, health_max: int, *, worded: bool) -> HealthTold:
    looks = band_of(health, health_max).slug
    return HealthTold(None, None, looks) if worded else HealthTold(health, health_max, looks)

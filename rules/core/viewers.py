"""Viewers of a battle: their rights, the secrecy settings that apply to them, and the words in which they are told of
health.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.core.text import NO_WORDS, Said, Term, _

# Viewers of a battle, and what is hidden from them.


class Veil(NamedTuple):
    """Secrecy settings of a campaign: the information on enemy armies that players do not get.

    `health`: health and losses are told in words (`rules.core.viewers`). `figures`: attack, defence and every sum or
    die that would reveal them are hidden; health is then in words too, because damage would reveal them. `corrections`:
    a GM's manual changes are told without figure and reason.
    """

    health: bool = False
    figures: bool = False
    corrections: bool = False


OPEN = Veil()

type Veiled = int | None
"""Figure of an event. It is None in the event as witnessed by somebody who may not know it, never
in the stored event.
"""


def whole(figure: Veiled) -> int:
    """Return a figure of a stored event, where no figure is hidden (None)."""
    assert figure is not None
    return figure


@dataclass(frozen=True, slots=True)
class Viewer:
    """Viewer of a battle: the GM, or somebody who commands `armies` and may read the figures of `reads`.

    `user` is their id, or "" for an unknown person; a law may use it for those who command less than an army. `beside`
    are the armies on the sides where they command one. `veil`: the secrecy settings for all other armies.
    """

    gm: bool = False
    armies: frozenset[str] = field(default_factory=frozenset)
    reads: frozenset[str] = field(default_factory=frozenset)
    user: str = ""
    beside: frozenset[str] = field(default_factory=frozenset)
    veil: Veil = OPEN

    def commands(self, army: str) -> bool:
        return self.gm or army in self.armies

    def knows(self, army: str) -> bool:
        """Whether the viewer may know the army's figures. Its commander may."""
        return army in self.reads or self.commands(army)

    def _beyond(self, army: str) -> bool:
        """Whether the veil hides this army from them."""
        return not (self.knows(army) or army in self.beside)

    def measures(self, army: str) -> bool:
        """Whether the viewer sees the army's health and losses as figures."""
        return not ((self.veil.health or self.veil.figures) and self._beyond(army))

    def weighs(self, army: str) -> bool:
        """Whether the viewer sees dice, sums and damage that reveal the army's attack and defence."""
        return not (self.veil.figures and self._beyond(army))

    def hears_why(self, army: str) -> bool:
        """Whether the viewer sees the figure and reason of a GM's manual change to the army."""
        return not (self.veil != OPEN and self._beyond(army))

    @property
    def knowledge(self) -> str:
        """Key of what they know: viewers with the same key are told the same. All GMs share one."""
        if self.gm:
            return "all"
        veiled = () if self.veil == OPEN else (tuple(self.veil), sorted(self.beside))
        return repr((self.user, sorted(self.armies), sorted(self.reads), *veiled))


ANYBODY = Viewer()  # knows only what everybody may know
OMNISCIENT = Viewer(gm=True)  # knows everything, and may command everything


# Health in words: the one scale for viewers who see no figures, under any law. On a bar, all armies with the same word
# stand at the same place.

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


def word_outside_battle(left: int, whole: int, *, shrinks: bool) -> Said:
    """Return the word for the health of an army that is in no battle; "" for an army that has lost nothing of what is
    left of it, where losses leave its sheet (`SheetLaw.shrinks`): it may have just been beaten.
    """
    return NO_WORDS if shrinks and left >= whole else band_of(left, whole).word


# Health in the API: figures, or the word alone where the reader may not see figures.


LOOKS = f"its health in a word: {', '.join(band.slug for band in BANDS)}"


class HealthTold(NamedTuple):
    """Health as the API answers it. `looks` is the slug of its word; the figures are None if the campaign hides
    them.
    """

    health: int | None
    health_max: int | None
    looks: str


def told_of(health: int, health_max: int, *, worded: bool) -> HealthTold:
    looks = band_of(health, health_max).slug
    return HealthTold(None, None, looks) if worded else HealthTold(health, health_max, looks)

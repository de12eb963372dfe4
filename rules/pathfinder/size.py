"""The CR ladder, army sizes and the figures that follow from them (PF-1.1 to PF-1.8)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rules.core.content import Item
from rules.core.errors import demand
from rules.core.text import Term, _

LOW = ("1/8", "1/6", "1/4", "1/3", "1/2")
HIT_DIE_AVERAGE = {
    "d4": Fraction(5, 2),
    "d6": Fraction(7, 2),
    "d8": Fraction(9, 2),
    "d10": Fraction(11, 2),
    "d12": Fraction(13, 2),
}
HIT_DICE = tuple(HIT_DIE_AVERAGE)
HIGHEST_CR = 60  # higher than anything printed, so that numbers and experience stay within reason
MOST_UNITS = 10_000_000


@dataclass(frozen=True, slots=True, order=True)
class Acr:
    """A step on the CR ladder (PF-1.1): 0 is 1/8, 4 is 1/2, 5 is 1, 6 is 2…"""

    step: int

    @property
    def exact(self) -> Fraction:
        return Fraction(LOW[self.step]) if self.step < len(LOW) else Fraction(self.step - len(LOW) + 1)

    @property
    def floor(self) -> int:
        return int(self.exact)

    def __str__(self) -> str:
        return str(self.exact)


def parse_cr(text: object, field: str = "/unit/cr") -> Acr:
    """Parse "1/3" or "9" into a step of the ladder (PF-1.1). Raises `InvalidInput`."""
    text = str(text).strip()
    if text in LOW:
        return Acr(LOW.index(text))
    known = text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= HIGHEST_CR
    demand(
        known,
        _("“{cr}” is not a challenge rating. Use 1/8, 1/6, 1/4, 1/3, 1/2, or a whole number from 1 to {most}."),
        field=field,
        cr=text[:20],
        most=HIGHEST_CR,
    )
    return Acr(int(text) + len(LOW) - 1)


@dataclass(frozen=True, slots=True)
class Size(Item):
    """Army size, a row of PF-1.2. `defeat` is the Economy, Loyalty and Stability lost by the kingdom of a defeated
    army.
    """

    units: int = 1
    step: int = 0
    factor: Fraction = Fraction(1)
    defeat: tuple[int, int, int] = (0, 0, 0)
    rank: int = 0


def _size(rank: int, slug: str, name: Term, units: int, step: int, factor: str, defeat: tuple[int, int, int]) -> Size:
    summary = _("Size of the army. It changes the ACR, the prices and the cost of a defeat.")
    return Size(slug, name, "PF-1.2", summary, units, step, Fraction(factor), defeat, rank)


SIZES = {
    size.slug: size
    for size in (
        _size(0, "fine", _("fine"), 1, -8, "1/8", (0, 0, 0)),
        _size(1, "diminutive", _("diminutive"), 10, -6, "1/6", (0, -1, 0)),
        _size(2, "tiny", _("tiny"), 25, -4, "1/4", (-1, -1, 0)),
        _size(3, "small", _("small"), 50, -2, "1/2", (-1, -1, -1)),
        _size(4, "medium", _("medium"), 100, 0, "1", (-2, -2, -2)),
        _size(5, "large", _("large"), 200, 2, "2", (-3, -2, -2)),
        _size(6, "huge", _("huge"), 500, 4, "4", (-4, -2, -2)),
        _size(7, "gargantuan", _("gargantuan"), 1000, 6, "10", (-4, -2, -3)),
        _size(8, "colossal", _("colossal"), 2000, 8, "20", (-4, -3, -3)),
    )
}
BY_RANK = tuple(SIZES.values())


def size_of(count: int) -> Size:
    """Return the largest size that the number of units reaches (PF-1.2). Raises `InvalidInput` out of bounds."""
    demand(
        isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= MOST_UNITS,
        _("An army has from 1 to {most} units."),
        field="/count",
        most=MOST_UNITS,
    )
    return max((size for size in BY_RANK if size.units <= count), key=lambda size: size.rank)


@lru_cache(maxsize=4096)
def army_rating(cr: Acr, size: Size) -> Acr:
    """Return the ACR: the unit's CR moved by the size's step (PF-1.3). Raises `InvalidInput` below 1/8."""
    step = cr.step + size.step
    demand(
        step >= 0,
        _("This is too few units of CR {cr} for an army. Add units until it reaches ACR 1/8."),
        field="/count",
        cr=str(cr),
    )
    return Acr(step)


def hit_points(rating: Acr, hit_die: str) -> int:
    """Return floor(exact ACR × average hit die), at least 1 (PF-1.4)."""
    return max(1, int(rating.exact * HIT_DIE_AVERAGE[hit_die]))


_XP_BASE = {"1/8": 50, "1/6": 65, "1/4": 100, "1/3": 135, "1/2": 200, "1": 400, "2": 600}


def experience(rating: Acr) -> int:
    """Return the XP of a CR equal to the ACR (PF-1.6). From CR 1 on, two steps double it."""
    text = str(rating)
    if text in _XP_BASE:
        return _XP_BASE[text]
    doublings, odd = divmod(rating.floor - 1, 2)
    return int((600 if odd else 400) << doublings)


def consumption_base(rating: Acr) -> int:
    """Return the consumption without resources, in BP a week (PF-1.7)."""
    return max(1, rating.floor // 2)


def hexes_per_day(speed_m: Fraction) -> int:
    """Return max(1, floor(4 × metres per round ÷ 18)) hexes of 20 km (PF-1.8)."""
    return max(1, int(4 * speed_m / 18))


def scaled(amount: int, size: Size) -> int:
    """Return a price or consumption times the size's factor, rounded down, at least 1 (PF-5). An amount of 0 stays 0
    (R-83).
    """
    return max(1, int(amount * size.factor)) if amount else 0

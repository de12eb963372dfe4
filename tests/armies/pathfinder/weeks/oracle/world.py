"""Kingdoms, armies and commanders as a record keeper would write them down."""

from __future__ import annotations

from dataclasses import dataclass, field

STANDING = ("ready", "routed")
ENOUGH = 3  # days a week (PF-2.5)
WEEK = 7


@dataclass
class Leader:
    """`back` is the day they are with them again; `boon`: they know how to live off the land."""

    id: str
    kingdom: str
    status: str = "free"
    back: int | None = None
    active_days: int = WEEK
    boon: bool = False
    ransom: int | None = None

    def there(self, day: int) -> bool:
        """Free, and not on a journey on this day."""
        return self.status == "free" and (self.back or 0) <= day


@dataclass
class Army:
    id: str
    kingdom: str
    leader: Leader | None = None
    count: int = 100
    speed: int = 1
    hp: int = 1
    hp_max: int = 1
    acr: int = 0
    regrowth: int = 0
    morale: int = 0
    status: str = "ready"
    arrears: bool = False
    owed: int = 0
    ill: bool = False
    disease: int = 0
    drain: int = 0
    consumption: int = 1
    surcharge: int = 0
    foraging: int | None = None
    rested_on: int | None = None
    marching_until: int | None = None
    led_days: int = 0
    led_to: int = 0
    cannibal: bool = False
    teleports: bool = False
    reserved_on: int | None = None  # in reserve since that day
    called_up: int | None = None  # the day it is ready again, if it was called up
    eased: tuple[int, int] | None = None  # the last day of an adjustment, and Consumption after it

    @property
    def standing(self) -> bool:
        return self.status in STANDING

    def marching(self, day: int) -> bool:
        return (self.marching_until or 0) > day

    def resting(self, day: int) -> bool:
        """In reserve, or not yet ready after it was called up."""
        return self.reserved_on is not None and (self.called_up is None or self.called_up > day)

    def forager(self, day: int) -> bool:
        """Its commander is active and knows how to live off the land (PF-2.5, PF-2.9)."""
        him = self.leader
        return him is not None and him.boon and him.there(day) and him.active_days >= ENOUGH


@dataclass(frozen=True)
class Line:
    """Planned income or cost: on the last day of each week or the first of each month, while it holds."""

    amount: int
    monthly: bool
    since: int
    until: int | None

    def falls(self, day: int, month: bool) -> bool:
        on_it = month if self.monthly else day % WEEK == 0
        return on_it and self.since < day and (self.until is None or day <= self.until)


@dataclass
class Realm:
    id: str
    economy: int = 0
    loyalty: int = 0
    stability: int = 0
    unrest: int = 0
    size: int = 1
    districts: int = 0
    modifier: int = 0
    fixed_dc: int | None = None
    treasury: int = 0
    consumption: int = 0
    free: bool = False  # without a treasury: nothing is paid, owed or gained
    leaderless: bool = True  # its armies miss a commander
    planned: list[Line] = field(default_factory=list)


@dataclass
class World:
    day: int
    realms: dict[str, Realm]
    armies: dict[str, Army]
    leaders: dict[str, Leader]
    months: tuple[int, ...] = ()
    half: bool = False
    reserves: bool = True  # R-94, by house rule
    stored: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    rest_checks: dict[tuple[str, int], bool] = field(default_factory=dict)

    def standing(self) -> list[Army]:
        return [army for army in self.armies.values() if army.standing]

    def in_reserve(self, army: Army, end: int) -> bool:
        """Whether it is in reserve for the whole week that ends on this day."""
        since, back = army.reserved_on, army.called_up
        return since is not None and since <= end - WEEK and (back is None or back > end)

    def unpaid_in_reserve(self, army: Army, end: int) -> bool:
        """R-94: it is paid once a month, in the week in which the month begins."""
        paid = not self.reserves or any(self.month_begins(day) for day in range(end - WEEK + 1, end + 1))
        return self.in_reserve(army, end) and not paid

    def month_begins(self, day: int) -> bool:
        """Day 0 is the first of the first month; the months go round."""
        day %= sum(self.months)
        for days in self.months:
            if day == 0:
                return True
            if day < days:
                return False
            day -= days
        return True

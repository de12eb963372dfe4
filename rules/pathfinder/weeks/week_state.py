"""Armies and kingdoms as passing time reads them, and the report of what it would change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, Roll
from rules.core.text import Message, Said, Term, _, say
from rules.pathfinder.kingdom_checks import KingdomCheck, control_dc, kingdom_check
from rules.realm import PlannedLine

READY, ROUTED, DISBANDED = "ready", "routed", "disbanded"
STANDING = (READY, ROUTED)
DAYS_A_WEEK = 7
ACTIVE_DAYS = 3  # fewest days with the army for which a commander counts for the week (PF-2.5)


def week_end(day: int) -> int:
    """Return the last day of the week that is current after `day`. On the last day of a week it is the next week's."""
    return (day // DAYS_A_WEEK + 1) * DAYS_A_WEEK


def reserve_weeks(months: Iterable[int]) -> frozenset[int]:
    """Return the ends of the weeks in which these months begin: then armies in reserve are paid (R-94)."""
    return frozenset(-(-day // DAYS_A_WEEK) * DAYS_A_WEEK for day in months)


def rests_all_week(since: int | None, back: int | None, until: int) -> bool:
    """Whether an army in reserve since that day, and ready again on day `back` if it was called up, is in reserve for
    the whole week that ends on day `until` (R-94).
    """
    return since is not None and since <= until - DAYS_A_WEEK and (back is None or back > until)


@dataclass(frozen=True, slots=True)
class ArmyNow:
    """Stored army. Hit points; consumption, surcharge and owed in BP; `regrowth` in hit points a day; `acr` rounded
    down.

    `free`: its commander is available, or will be on day `back_on`. `active_days` is how many days a week they are with
    it. `led_days` counts the days with a commander before day `led_to` in that day's week, at the last change of
    command. It marches until day `marching_until`. `later`: its consumption from the day after each of these days on,
    on which adjustments end; not while it is in a battle. `adjusted_until`: the first day on which an adjustment ends.
    It is in reserve since day `reserved_on`, and ready again on day `called_up`, if it was called up (R-94).
    """

    id: str
    name: str = ""
    kingdom: str = ""
    hp: int = 1
    hp_max: int = 1
    acr: int = 0
    rank: int = 0
    regrowth: int = 0
    morale: int = 0
    status: str = READY
    arrears: bool = False
    owed: int = 0
    disease: int = 0
    ill: bool = False
    drain: int = 0
    consumption: int = 1
    surcharge: int = 0
    commander: str | None = None
    free: bool = True
    back_on: int | None = None
    active_days: int = DAYS_A_WEEK
    led_days: int = 0
    led_to: int = 0
    marching_until: int | None = None
    rested_on: int | None = None
    foraging: int | None = None
    later: tuple[tuple[int, int], ...] = ()
    adjusted_until: int | None = None
    reserved_on: int | None = None
    called_up: int | None = None

    def consumption_on(self, day: int) -> int:
        """Return the consumption in BP of a week that ends on this day."""
        return next((bp for last, bp in reversed(self.later) if last < day), self.consumption)

    @property
    def standing(self) -> bool:
        return self.status in STANDING

    def reserved(self, until: int) -> bool:
        """Whether the army is in reserve for the whole week that ends on this day (R-94)."""
        return rests_all_week(self.reserved_on, self.called_up, until)

    def days_led(self, day: int) -> int:
        """Return on how many days before `day`, in their week, a commander was with it (R-80)."""
        began = (day - 1) // DAYS_A_WEEK * DAYS_A_WEEK
        counted = self.led_days if self.led_to > began else 0
        if self.commander is None or not self.free or self.active_days < ACTIVE_DAYS:
            return counted
        return counted + max(0, day - max(began, self.led_to, self.back_on or 0))

    def led(self, day: int) -> bool:
        """Whether a commander was with it on at least three days of the week that ends on `day` (PF-2.5, R-80)."""
        return self.days_led(day) >= ACTIVE_DAYS

    def led_in(self, day: int, *, away: Collection[str], there: Collection[str]) -> bool:
        """`led` with the GM's corrections: armies whose commander was `away`, and those whose commander was `there`
        (R-80).
        """
        return self.id not in away and (self.id in there or self.led(day))


@dataclass(frozen=True, slots=True)
class KingdomNow:
    """Figures of a kingdom (PF-8.1): treasury in BP, `consumption` in BP a month, size in hexes, and planned lines.

    `without_treasury`: nothing is paid, owed or gained. `needs_commanders`: weeks without a commander cost
    its armies Morale; a kingdom with a treasury always does.
    """

    id: str
    name: str = ""
    economy: int = 0
    loyalty: int = 0
    stability: int = 0
    unrest: int = 0
    size: int = 1
    treasury: int = 0
    consumption: int = 0
    districts: int = 0
    modifier: int = 0
    override: int | None = None
    planned: tuple[PlannedLine, ...] = ()
    without_treasury: bool = False
    needs_commanders: bool = True

    @property
    def control_dc(self) -> Breakdown:
        return control_dc(size=self.size, districts=self.districts, modifier=self.modifier, override=self.override)

    def check(self, attribute: str, roll: int, *, disease: int = 0) -> KingdomCheck:
        """Make a check: d20 + attribute − Unrest (− the penalty of a disease) against the control
        DC (PF-3.1, PF-8.2).
        """
        return kingdom_check(
            attribute=attribute,
            value=getattr(self, attribute),
            unrest=self.unrest,
            dc=self.control_dc.total,
            roll=roll,
            disease=disease,
        )


# Plan of a passage: the time that passes, and people's choices.

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices that the rules leave open, by army or kingdom id. The defaults apply if nobody chooses.

    For a week (R-81): `land`: armies that live off the land. `feast`: armies that cannibalize after a victory. `away`:
    armies without their commander for three days; `there`: armies with them. `double`: kingdoms that pay leaderless
    armies double.

    For the days that pass: `march`: armies that do not rest. `first`: armies paid before the others, in this order.
    `rally`: kingdoms that try the daily Loyalty check. `income`: kingdoms that collect taxes. `no_upkeep`: kingdoms
    whose upkeep phase is not run.
    """

    march: frozenset[str] = NONE
    land: frozenset[str] = NONE
    feast: frozenset[str] = NONE
    away: frozenset[str] = NONE
    there: frozenset[str] = NONE
    first: tuple[str, ...] = ()
    double: frozenset[str] = NONE
    rally: frozenset[str] = NONE
    income: frozenset[str] = NONE
    no_upkeep: frozenset[str] = NONE


@dataclass(frozen=True, slots=True)
class TimePlan:
    """Passage from day `since` to day `until`. `months` are the days in between on which a month begins.

    `running` are earlier choices for the week of day `since`, if any; `choices` hold for later weeks, except `feast`,
    which lasts one week. `rallied` are results of Loyalty checks already made on day `since` (R-79). Armies in
    `fighting` are in an unsettled battle and neither rest nor regrow. Armies in `fought` fought on day `since`, which
    was no day of rest. `half`: rest heals up to half the hit points (PF-7.1). Armies in reserve are paid in the weeks
    that end on the days of `reserve_weeks` (R-94).
    """

    since: int
    until: int
    months: frozenset[int] = frozenset()
    choices: Choices = Choices()
    running: Choices | None = None
    rallied: Mapping[str, bool] = field(default_factory=dict)
    fighting: frozenset[str] = NONE
    fought: frozenset[str] = NONE
    half: bool = False
    reserve_weeks: frozenset[int] = frozenset()

    def choices_of(self, end: int) -> Choices:
        """Return the choices for the week that ends on this day."""
        if end == week_end(self.since):
            return self.running or self.choices
        return replace(self.choices, feast=NONE)


# Report of a proposal: changes with their reasons, payments and rolls.


class DatedChange(NamedTuple):
    """Change of one figure: before and after (JSON values), with rule, reason and day."""

    kind: str
    id: str
    subject: str
    field: str
    before: object
    after: object
    rule: str
    label: Said
    day: int


class WeekNote(NamedTuple):
    """Note beside the changes, such as a check with its die and sum."""

    text: Said
    rule: str
    roll: Roll | None = None
    sum: Breakdown | None = None


class Payment(NamedTuple):
    """Payment of an army for the week that ended on `day`, in BP."""

    day: int
    kingdom: str
    army: str
    name: str
    due: Breakdown
    spent: int
    paid: bool
    arrears: bool
    double: bool


class KingdomWeek(NamedTuple):
    """Summary of a week's end for a kingdom's armies. In BP: `purse` before pay, `due` for the week, `owed` from
    before, `spent` on them. `deserters` names the first few armies that desert.
    """

    day: int
    kingdom: str
    purse: int
    armies: int = 0
    due: int = 0
    owed: int = 0
    spent: int = 0
    unpaid: int = 0
    doubled: int = 0
    leaderless: int = 0
    losing: int = 0
    deserting: int = 0
    deserters: tuple[str, ...] = ()


class Report:
    """Report that collects lines in order. `detailed` is False if armies are too many to name."""

    def __init__(self, dice: Dice, *, detailed: bool = True):
        self._dice = dice
        self.detailed = detailed
        self.changes: list[DatedChange] = []
        self.notes: list[WeekNote] = []
        self.payments: list[Payment] = []
        self.weeks: list[KingdomWeek] = []
        self.warnings: list[Said] = []
        self.rolls: list[Roll] = []

    def roll(self, subject: str, name: str, die: int) -> int:
        roll = self._dice.roll(subject, name, die)
        self.rolls.append(roll)
        return roll.value

    @property
    def known(self) -> bool:
        """Whether the last die has a real face. A die that depends on it is not asked for before."""
        return self.rolls[-1].known

    def change(self, kind: str, thing: Any, field: str, after: object, rule: str, label: object, day: int) -> None:
        """Change a figure. Nothing is recorded if it is equal already."""
        assert isinstance(label, Term | Message)
        before = getattr(thing, field)
        if before != after:
            self.changes.append(DatedChange(kind, thing.id, thing.name, field, before, after, rule, label, day))

    def tally(self, kingdom: str, name: str, count: int, rule: str, label: Said, day: int) -> None:
        """Record a count of a kingdom's armies, if they are too many to name."""
        self.changes.append(DatedChange("kingdom", kingdom, name, "armies", None, count, rule, label, day))

    def say(self, text: Said, rule: str) -> None:
        self.notes.append(WeekNote(text, rule))

    def warn(self, text: Said) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def check(self, title: Said, check: KingdomCheck, rule: str, *, contested: bool = True) -> None:
        """Record a kingdom check just rolled. Its die is the last d20."""
        text: Said = title
        if contested:
            template = (
                _("{what}: {total} against {dc}, success.")
                if check.success
                else _("{what}: {total} against {dc}, failure.")
            )
            text = say(template, what=title, total=check.total, dc=check.dc)
        die = next(roll for roll in reversed(self.rolls) if roll.die == 20)
        self.notes.append(WeekNote(text, rule, die, check.breakdown))

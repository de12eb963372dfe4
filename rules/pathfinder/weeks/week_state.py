"""Armies and kingdoms as time sees them, and the report of what it would change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, Roll
from rules.core.text import Message, Said, Term, _, say
from rules.pathfinder.kingdom_checks import KingdomCheck, control_dc, kingdom_check
from rules.planned import PlannedLine

READY, ROUTED, DISBANDED = "ready", "routed", "disbanded"
STANDING = (READY, ROUTED)
DAYS_A_WEEK = 7
ACTIVE_DAYS = 3  # PF-2.5: a commander counts for a week from three days with their army


def week_end(day: int) -> int:
    """The day on which the week that is running on `day` ends."""
    return (day // DAYS_A_WEEK + 1) * DAYS_A_WEEK


@dataclass(frozen=True, slots=True)
class ArmyNow:
    """An army's record. hp in points, consumption, surcharge and owed in BP, `regrowth` in hp a day.

    `acr` is the floor. `free`: whoever leads it is there, or will be on day `back_on`; `active_days`: how many days of
    a week they are with it. `led_days`: days a commander was with it before day `led_to`, in the week of that day:
    counted when the command last changed. Until day `marching_until` it is on the march.
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

    @property
    def standing(self) -> bool:
        return self.status in STANDING

    def days_led(self, day: int) -> int:
        """On how many days before `day`, of the week they belong to, a commander was with it (R-80)."""
        began = (day - 1) // DAYS_A_WEEK * DAYS_A_WEEK
        counted = self.led_days if self.led_to > began else 0
        if self.commander is None or not self.free or self.active_days < ACTIVE_DAYS:
            return counted
        return counted + max(0, day - max(began, self.led_to, self.back_on or 0))

    def led(self, day: int) -> bool:
        """Whether a commander was with it on at least three days of the week that ends on `day` (PF-2.5, R-80)."""
        return self.days_led(day) >= ACTIVE_DAYS

    def led_in(self, day: int, *, away: Collection[str], there: Collection[str]) -> bool:
        """The same, as the GM corrects it: armies whose commander was away, and those whose was there (R-80)."""
        return self.id not in away and (self.id in there or self.led(day))


@dataclass(frozen=True, slots=True)
class KingdomNow:
    """A kingdom's figures (PF-8.1). Treasury in BP, `consumption` in BP a month, size in hexes; what is planned."""

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

    @property
    def control_dc(self) -> Breakdown:
        return control_dc(size=self.size, districts=self.districts, modifier=self.modifier, override=self.override)

    def check(self, attribute: str, roll: int, *, disease: int = 0) -> KingdomCheck:
        """d20 + attribute − Unrest (− the penalty of a disease) against the control DC (PF-3.1, PF-8.2)."""
        return kingdom_check(
            attribute=attribute,
            value=getattr(self, attribute),
            unrest=self.unrest,
            dc=self.control_dc.total,
            roll=roll,
            disease=disease,
        )


# Plan of a passage: how much time passes, and what is left to people to choose.

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Choices:
    """What the rules leave open, by army or kingdom id. The defaults are what happens if nobody chooses.

    For a week (R-81): land: live off the land · feast: cannibalize after a battle they won · away: their commander
    was not with them on three days · there: they were · double: kingdoms that pay their leaderless armies double.
    For the days that pass: march: armies that do not rest · first: armies paid before the others, in this order ·
    rally: kingdoms that try the daily Loyalty check · income: kingdoms that collect taxes · no_upkeep: kingdoms
    whose upkeep phase is not run here.
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
    """From day `since` to day `until`. `months`: the days in between on which a month begins.

    `running`: the choices that hold in the week day `since` belongs to, where some were made before; `choices` hold in
    every later one, but for the corpses, which feed one week. `rallied`: what the Loyalty checks for rest came to that
    kingdoms made on day `since` already (R-79).
    `fighting`: armies in a battle that is not settled: they neither rest nor regrow. `fought`: armies that
    fought on day `since`: that day was no rest. `half`: rest heals up to half the hit points (PF-7.1).
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

    def choices_of(self, end: int) -> Choices:
        """What holds for the week that ends on this day."""
        if end == week_end(self.since):
            return self.running or self.choices
        return replace(self.choices, feast=NONE)


# Report of a proposal as it is written: what would change and why, who is paid, what was rolled.


class DatedChange(NamedTuple):
    """One figure, before and after (JSON values), with its rule, its reason and the day."""

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
    """What is said beside the changes: checks made, with their dice and sums."""

    text: Said
    rule: str
    roll: Roll | None = None
    sum: Breakdown | None = None


class Payment(NamedTuple):
    """What an army asked of its kingdom for the week that ended on `day`, and got, in BP."""

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
    """What a week's end does to the armies of a kingdom, counted. BP: `purse` before they are paid, `due` for the week,
    `owed` from before, `spent` on them. `deserters`: the first few of those that desert, by name.
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
    """Collects lines in the order they happen. `detailed` is False where armies are too many to name."""

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
        """Whether the die just cast has fallen; one that hinges on it is not called for before."""
        return self.rolls[-1].known

    def change(self, kind: str, thing: Any, field: str, after: object, rule: str, label: object, day: int) -> None:
        """The thing's figure becomes `after`; nothing is said where it already is."""
        assert isinstance(label, Term | Message)
        before = getattr(thing, field)
        if before != after:
            self.changes.append(DatedChange(kind, thing.id, thing.name, field, before, after, rule, label, day))

    def tally(self, kingdom: str, name: str, count: int, rule: str, label: Said, day: int) -> None:
        """So many armies of a kingdom at once, where they are too many to name."""
        self.changes.append(DatedChange("kingdom", kingdom, name, "armies", None, count, rule, label, day))

    def say(self, text: Said, rule: str) -> None:
        self.notes.append(WeekNote(text, rule))

    def warn(self, text: Said) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def check(self, title: Said, check: KingdomCheck, rule: str, *, contested: bool = True) -> None:
        """A kingdom check just rolled; its die is the last one that is a d20."""
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

"""Report of a proposal as it is written: what would change and why, who is paid, what was rolled."""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, Roll
from rules.core.text import Message, Said, Term, _, say
from rules.pathfinder.kingdom_checks import KingdomCheck


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

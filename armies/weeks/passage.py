"""Passage of days: the arguments a ruleset's `WeeksUI` gets, and the proposal it returns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.crypto import salted_hmac

from armies.models import Army, TimeStep
from armies.ruleset_ui import WeeksUI
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.queries import find_last_standing_entry
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, Pinned, Roll, Typed, TypedDie
from rules.core.text import Said, _, by_number, say

GONE_BY = by_number("One day passed: day {until}.", "{days} days passed: day {since} to {until}.", "days")

RECOVERED = _("{army} has recovered by day {day}.")


class DiceTable(NamedTuple):
    """Typed dice; whether to ask for missing ones; and whether to ignore spare ones (`lenient`)."""

    typed: Sequence[TypedDie] = ()
    ask: bool = False
    lenient: bool = False


class Steps:
    """Steps of a passage, in order.

    A ruleset that works in several steps records where each ends; the rest of the days is one step.
    """

    def __init__(self) -> None:
        self._reached: list[tuple[int, int]] = []

    def reach(self, since: int, day: int) -> None:
        self._reached.append((since, day))

    def write(self, entry: ChronicleEntry, since: int, until: int) -> None:
        """Stores the steps, up to day `until`. Raises `IntegrityError` for a day that has passed already."""
        last = self._reached[-1][1] if self._reached else since
        if last < until:
            self.reach(last, until)
        TimeStep.objects.bulk_create(
            TimeStep(campaign_id=entry.campaign_id, since=since, day=day, entry=entry) for since, day in self._reached
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """Days from `since` (today) to `until`. `choices`: as sent, by name.

    `marching`: armies on the march today; they are loaded before the ruleset is asked.
    """

    campaign: Campaign
    by: User
    since: int
    until: int
    choices: Mapping[str, Any]
    table: DiceTable
    life: WeeksUI
    steps: Steps
    secret: str = field(repr=False)
    marching: Sequence[Army] = ()

    @property
    def days(self) -> int:
        return self.until - self.since

    def dice(self) -> Dice:
        """Dice of this passage, from the first one on; each call gives the same rolls.

        The ruleset calls `checkpoint` between steps, and `finish` at the end.
        """
        server = Pinned(self.secret)
        kind = _Forgiving if self.table.lenient else Typed
        return kind(self.table.typed, by=self.by.get_username(), ask=self.table.ask, server=server)


class _Forgiving(Typed):
    """Typed dice that ignores spare ones: a page keeps dice that were typed for earlier choices."""

    def finish(self) -> None:
        self.checkpoint()


def secret_of(campaign: Campaign) -> str:
    """Seed of the server's dice: unpredictable, and another one after every chronicle entry."""
    last = find_last_standing_entry(campaign)
    moment = f"{campaign.pk}|{campaign.day}|{last.pk if last else ''}"
    return salted_hmac("armies.time", moment, algorithm="sha256").hexdigest()


class TimeNote(NamedTuple):
    """A remark besides the changes: a check, with its roll and breakdown."""

    text: Said
    rule: str
    roll: Roll | None = None
    sum: Breakdown | None = None


class TimeStop(StrEnum):
    """Events up to which time can pass; the values are those of the API."""

    ARRIVAL = "arrival"
    RECOVERY = "recovery"
    EMPTY_TREASURY = "empty_treasury"


class TimeEvent(NamedTuple):
    """An event up to which time can pass, and the day by which it has happened."""

    kind: TimeStop
    day: int
    text: Said
    rule: str = ""


def tell_recovered(army: str, day: int, rule: str) -> TimeEvent:
    return TimeEvent(TimeStop.RECOVERY, day, say(RECOVERED, army=army, day=day), rule)


class TreasuryMove(NamedTuple):
    """An entry of a treasury's ledger on that day, with the balance before and after, in BP. `kingdom`: id; `planned`:
    whether it comes from the kingdom's planned income and costs.
    """

    kingdom: str
    before: int
    after: int
    reason: Said
    day: int
    planned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposal:
    """What days `since` to `until` do: changes, notes, warnings and dice. A ruleset extends it.

    `events`: those up to which time can pass (`armies.weeks.advance_until`). `grouped`: there are too many armies to
    name, so lines count them and recoveries are no events. `changes` are written one by one
    (`kingdom.chronicle.changes`), except those `kept`, which the ruleset writes and undoes itself. `moves`: single
    costs and incomes; a kept change tells each treasury before and after.
    """

    since: int
    until: int
    changes: tuple[chronicle_changes.Change, ...] = ()
    notes: tuple[TimeNote, ...] = ()
    warnings: tuple[Said, ...] = ()
    rolls: tuple[Roll, ...] = ()
    moves: tuple[TreasuryMove, ...] = ()
    events: tuple[TimeEvent, ...] = ()
    grouped: bool = False

    @property
    def days(self) -> int:
        return self.until - self.since

    @property
    def weighed(self) -> Any:
        """JSON data that must be the same at confirmation too: the choices that count, who is paid."""
        return None

    @property
    def mark(self) -> str:
        """Hash of the days, choices, dice and every figure shown. To confirm, it must be sent."""
        lines = [
            [*change.place, chronicle_changes.make_plain(change.before), chronicle_changes.make_plain(change.after)]
            for change in self.changes
        ]
        dice = [[*roll[:5]] for roll in self.rolls]
        body = json.dumps([self.since, self.until, lines, dice, self.weighed], default=str)
        return hashlib.sha256(body.encode()).hexdigest()[:32]

    @property
    def text(self) -> Said:
        return say(GONE_BY, days=self.days, since=self.since, until=self.until)

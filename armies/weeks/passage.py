"""Passage: the days that are to pass, as a ruleset's life gets them, and what it says they would do."""

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
    """The dice on the table: those typed, whether missing ones are asked for, and whether spare ones are ignored."""

    typed: Sequence[TypedDie] = ()
    ask: bool = False
    lenient: bool = False


class Steps:
    """The days a passage reaches, in their order.

    A life that does its work in several steps says where each ends; days it cuts nowhere are one step.
    """

    def __init__(self) -> None:
        self._reached: list[tuple[int, int]] = []

    def reach(self, since: int, day: int) -> None:
        self._reached.append((since, day))

    def write(self, entry: ChronicleEntry, since: int, until: int) -> None:
        """Write them down, up to day `until`. Raises `IntegrityError` for a day that was reached before."""
        last = self._reached[-1][1] if self._reached else since
        if last < until:
            self.reach(last, until)
        TimeStep.objects.bulk_create(
            TimeStep(campaign_id=entry.campaign_id, since=since, day=day, entry=entry) for since, day in self._reached
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """From day `since` (today) to day `until`. `choices` as they were sent: lists of ids and the like, by name.

    `marching`: the armies on their way today, once they are read, which is before a law's life is asked.
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
        """The dice of this passage, from the first one on, each time it is asked: they fall the same each time.

        Between two steps of its work a life calls `checkpoint`, and `finish` in the end.
        """
        server = Pinned(self.secret)
        kind = _Forgiving if self.table.lenient else Typed
        return kind(self.table.typed, by=self.by.get_username(), ask=self.table.ask, server=server)


class _Forgiving(Typed):
    """A page keeps the dice typed for choices that were changed since."""

    def finish(self) -> None:
        self.checkpoint()


def secret_of(campaign: Campaign) -> str:
    """Nobody can foresee it, and it is another one as soon as something has happened."""
    last = find_last_standing_entry(campaign)
    moment = f"{campaign.pk}|{campaign.day}|{last.pk if last else ''}"
    return salted_hmac("armies.time", moment, algorithm="sha256").hexdigest()


class TimeNote(NamedTuple):
    """What is said beside the changes: checks made, with their dice and sums."""

    text: Said
    rule: str
    roll: Roll | None = None
    sum: Breakdown | None = None


class TimeStop(StrEnum):
    """What time can pass up to. Its values are the API's."""

    ARRIVAL = "arrival"
    RECOVERY = "recovery"
    EMPTY_TREASURY = "empty_treasury"


class TimeEvent(NamedTuple):
    """Something people wait for, and the day by which it has happened."""

    kind: TimeStop
    day: int
    text: Said
    rule: str = ""


def tell_recovered(army: str, day: int, rule: str) -> TimeEvent:
    return TimeEvent(TimeStop.RECOVERY, day, say(RECOVERED, army=army, day=day), rule)


class TreasuryMove(NamedTuple):
    """A treasury before and after, and what for: an entry of its ledger, of that day. `kingdom`: its id;
    `planned`: it comes or goes as the kingdom has planned it.
    """

    kingdom: str
    before: int
    after: int
    reason: Said
    day: int
    planned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposal:
    """What days `since` to `until` do: changes, notes and warnings, the dice behind them. A law puts more below it.

    `events` are what time can pass up to (`armies.weeks.advance_until`); `grouped`: armies are too many to name, their
    lines count them and nobody's recovery is told.

    `changes` are written line by line (`kingdom.chronicle.changes`), but for those `kept`: the life writes them itself,
    and takes them back. `moves` are what armies and the like cost or bring, one by one; a line in `changes` that is
    kept tells each treasury before and after.
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
        """What else has to be as it was shown when it is confirmed (JSON): choices as they count, who is paid."""
        return None

    @property
    def mark(self) -> str:
        """One for the days, the choices, the dice and every figure shown: confirming names it."""
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

"""Passage of days: the arguments a ruleset's `WeeksUI` gets, the proposal it returns, due lines, and treasuries moved
day by day.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.crypto import salted_hmac

from armies.models import Army, TimeStep
from armies.ruleset_ui import WeeksUI
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.queries import find_last_standing_entry
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.models.calendar import Date
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, Pinned, Roll, Typed, TypedDie
from rules.core.text import Said, _, by_number, say
from rules.realm import PlannedLine, falling

# Passage of days: the arguments a ruleset's `WeeksUI` gets, and the proposal it returns.

GONE_BY = by_number("One day passed: day {until}.", "{days} days passed: day {since} to {until}.", "days")

RECOVERED = _("{army}: recovered by day {day}.")
READY_AGAIN = _("{army}: ready again by day {day}.")


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


def tell_recovered(army: str, day: int, rule: str, *, whole: bool = True) -> TimeEvent:
    """A routed army that is ready again has recovered too, though it is not whole."""
    return TimeEvent(TimeStop.RECOVERY, day, say(RECOVERED if whole else READY_AGAIN, army=army, day=day), rule)


class TreasuryMove(NamedTuple):
    """An entry of a treasury's ledger on that day, with the balance before and after, in BP; none where they are equal.
    `kingdom`: id; `planned`: whether it comes from the kingdom's planned income and costs.
    """

    kingdom: str
    before: int
    after: int
    reason: Said
    day: int
    planned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposal:
    """Preview of days `since` to `until`: changes, notes, warnings and dice. A ruleset extends it.

    `events`: those up to which time can pass (`armies.weeks.queries`). `grouped`: there are too many armies to name, so
    lines count them and recoveries are no events. `changes` are written one by one (`kingdom.chronicle.changes`),
    except those `kept`, which the ruleset writes and undoes itself. `moves`: single costs and incomes; a kept change
    tells each treasury before and after.
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


# Due lines, and the limit of days that may pass at once.


@dataclass(frozen=True, slots=True)
class DueLine:
    """Something that falls due on a day, with its rule id. `bad`: whether it will go wrong; `army`: id of an army that
    recovers.
    """

    day: int
    date: Date
    kingdom: Kingdom | None
    text: Said
    rule: str
    bad: bool = False
    army: UUID | None = None


# Limit of the days that may pass at once.


MOST_DAYS = 366


# Treasuries while days pass, for rulesets that move them day by day.

PAID_IN_PART = _("Army upkeep: {paid} of {due} BP")
UNPAID = _("{kingdom} can’t pay all its armies on day {day}.")
EMPTY = _("{kingdom}’s treasury is empty on day {day}.")
PLANNED = ""  # planned by the table, so there is no rule id


class PassingPurses:
    """Balance of each kingdom from day to day, in BP, and the moves. Kingdoms without a treasury are left out."""

    def __init__(self, passage: Passage):
        rows = Kingdom.objects.filter(campaign=passage.campaign, without_treasury=False).order_by("pk")
        self.kingdoms = {str(row.pk): row for row in rows}
        self.held = {key: row.treasury for key, row in self.kingdoms.items()}
        self.moves: list[TreasuryMove] = []
        self.events: list[TimeEvent] = []
        self._months = frozenset(passage.campaign.dates.month_starts(passage.since, passage.until))

    def move(self, key: str, amount: int, reason: Said, day: int, *, planned: bool = False) -> None:
        held = self.held[key]
        self.held[key] = held + amount
        self.moves.append(TreasuryMove(key, held, held + amount, reason, day, planned))

    def fall(self, day: int) -> None:
        """Planned income and costs of this day. Call it before anybody is paid."""
        for key, row in self.kingdoms.items():
            for line in falling(row.planned_lines, day, month=day in self._months):
                self.move(key, line.amount, line.said, day, planned=True)

    def pay_armies(self, owed: Mapping[str, int], day: int) -> Iterator[Said]:
        """Pays what each kingdom owes its armies for a week, in BP by its id, as far as its treasury reaches. Yields a
        warning for each shortfall, whose move says how much was due, even if nothing could be paid.
        """
        for key, due in owed.items():
            if key not in self.kingdoms:
                continue
            paid = min(due, max(0, self.held[key]))
            if paid < due:
                self.events.append(tell_unpaid(self.kingdoms[key].name, day))
                template = _("{kingdom} can’t pay all its armies on day {day}: {paid} of {due} BP.")
                yield say(template, kingdom=self.kingdoms[key].name, day=day, paid=paid, due=due)
            if due:
                self.move(key, -paid, _("Army upkeep") if paid == due else say(PAID_IN_PART, paid=paid, due=due), day)

    def changes(self, rule: str) -> Iterator[Change]:
        """Changes of treasuries; consecutive moves for the same reason are one. `rule`: rule id of moves that are not
        planned.
        """
        for key, row in self.kingdoms.items():
            last: Change | None = None
            for move in (move for move in self.moves if move.kingdom == key):
                line = Change("kingdom", key, "treasury", move.before, move.after, PLANNED if move.planned else rule,
                              move.reason, row.name, kept=True)  # fmt: skip
                if last is not None and (last.rule, last.label) != (line.rule, line.label):
                    yield last
                    last = None
                last = line if last is None else _joined(last, line)
            if last is not None:
                yield last


def tell_unpaid(kingdom: str, day: int, rule: str = "") -> TimeEvent:
    return TimeEvent(TimeStop.EMPTY_TREASURY, day, say(UNPAID, kingdom=kingdom, day=day), rule)


def list_emptied(proposal: TimeProposal) -> Iterator[TimeEvent]:
    """Events of treasuries that become empty. No query."""
    names = {change.subject_id: change.subject for change in proposal.changes if change.subject_kind == "kingdom"}
    for move in proposal.moves:
        if move.after <= 0 < move.before:
            text = say(EMPTY, kingdom=names.get(move.kingdom, ""), day=move.day)
            yield TimeEvent(TimeStop.EMPTY_TREASURY, move.day, text)


def _joined(first: Change, then: Change) -> Change:
    return Change(first.subject_kind, first.subject_id, first.field, first.before, then.after, first.rule, first.label,
                  first.subject, kept=True)  # fmt: skip


def planned_due(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
    """Next due day of each planned line of these kingdoms. No query."""
    month = campaign.dates.next_month(campaign.day)
    for kingdom in kingdoms:
        for line in () if kingdom.without_treasury else kingdom.planned_lines:
            if (day := line.next_day(campaign.day, month)) is not None:
                yield DueLine(day, campaign.dates.date(day), kingdom, _said(line), PLANNED)


def _said(line: PlannedLine) -> Said:
    return say(_("{what}: {bp:+} BP, {rhythm}."), what=line.name, bp=line.amount, rhythm=line.rhythm)


UPKEEP = _("Army upkeep: {bp} BP")
UPKEEP_SHORT = _("Army upkeep: {bp} BP, but the treasury has only {held}")


def sum_upkeep(campaign: Campaign, *, but: Collection[str] = ()) -> dict[str, int]:
    """What the armies of each kingdom cost a week, in BP by its id. `but`: ids of armies that are gone by then."""
    found: dict[str, int] = defaultdict(int)
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING, upkeep__gt=0).exclude(pk__in=but)
    for kingdom, upkeep in rows.values_list("kingdom_id", "upkeep"):
        found[str(kingdom)] += upkeep
    return found


def upkeep_due(
    campaign: Campaign, kingdoms: Sequence[Kingdom], owed: Mapping[str, int], rule: str
) -> Iterator[DueLine]:
    """What these kingdoms owe at the end of the week, which is paid as far as their treasuries reach. No query."""
    day = campaign.day + campaign.days_to_upkeep
    for kingdom in kingdoms:
        bp = owed.get(str(kingdom.pk), 0)
        if bp and not kingdom.without_treasury:
            short = bp > kingdom.treasury
            text = say(UPKEEP_SHORT if short else UPKEEP, bp=bp, held=max(0, kingdom.treasury))
            yield DueLine(day, campaign.dates.date(day), kingdom, text, rule, bad=short)

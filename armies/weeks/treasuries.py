"""Treasuries while days pass, for rulesets that move them day by day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from armies.weeks.due import DueLine
from armies.weeks.passage import Passage, TimeEvent, TimeProposal, TimeStop, TreasuryMove
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, Kingdom
from rules.core.text import Said, _, say
from rules.planned import PlannedLine, falling

UNPAID = _("{kingdom} can’t pay all its armies on day {day}.")
EMPTY = _("{kingdom}’s treasury is empty on day {day}.")
PLANNED = ""  # planned by the table, so there is no rule id


class PassingPurses:
    """Balance of each kingdom from day to day, in BP, and the moves."""

    def __init__(self, passage: Passage):
        self.kingdoms = {str(row.pk): row for row in Kingdom.objects.filter(campaign=passage.campaign).order_by("pk")}
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
        warning for each shortfall.
        """
        for key, due in owed.items():
            paid = min(due, max(0, self.held[key]))
            if paid < due:
                self.events.append(tell_unpaid(self.kingdoms[key].name, day))
                template = _("{kingdom} can’t pay all its armies on day {day}: {paid} of {due} BP.")
                yield say(template, kingdom=self.kingdoms[key].name, day=day, paid=paid, due=due)
            if paid:
                self.move(key, -paid, _("Army upkeep"), day)

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
        for line in kingdom.planned_lines:
            if (day := line.next_day(campaign.day, month)) is not None:
                yield DueLine(day, campaign.dates.date(day), kingdom, _said(line), PLANNED)


def _said(line: PlannedLine) -> Said:
    return say(_("{what}: {bp:+} BP, {rhythm}."), what=line.name, bp=line.amount, rhythm=line.rhythm)

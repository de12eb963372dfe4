"""What passing time would do, before anybody confirms it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from armies.pathfinder.time.chosen import kept_after
from kingdom import world
from kingdom.models import Campaign
from rules.dice import Roll
from rules.pathfinder.time import DatedChange, Note, Payment, Plan, Report
from rules.text import Said, _, say

# Figures the world writes line by line; all others of armies are written by the thousand.
SINGLY = frozenset({"foraging"})
BY_LEDGER = frozenset({"treasury", "armies"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """Lines, payments, checks made and warnings. `mark` changes with anything that would change in it.

    `moves` are the treasuries' changes one by one: each becomes a ledger entry of its day.
    """

    campaign: Campaign
    plan: Plan
    changes: tuple[world.Change, ...]
    notes: tuple[Note, ...]
    payments: tuple[Payment, ...]
    warnings: tuple[Said, ...]
    rolls: tuple[Roll, ...]
    grouped: bool
    moves: tuple[DatedChange, ...] = ()

    @property
    def days(self) -> int:
        return self.plan.until - self.plan.since

    @property
    def mark(self) -> str:
        """One for the days, the choices, the dice and every figure shown: confirming names it."""
        lines = [[*change.place, world.plain(change.before), world.plain(change.after)] for change in self.changes]
        dice = [[*roll[:5]] for roll in self.rolls]
        paid = [[*pay[:4], pay.due.total, *pay[5:]] for pay in self.payments]
        body = json.dumps([self.plan.since, self.plan.until, self._choices, lines, dice, paid], default=str)
        return hashlib.sha256(body.encode()).hexdigest()[:32]

    @property
    def _choices(self) -> dict[str, list[str]]:
        """By name; only those to be paid first have an order."""
        chosen = asdict(self.plan.running or self.plan.choices) | {"later": self.plan.choices.land}
        return {name: list(ids) if name == "first" else sorted(ids) for name, ids in chosen.items()}

    @property
    def text(self) -> Said:
        if self.days == 1:
            return say(_("A day goes by: day {until}."), until=self.plan.until)
        return say(
            _("{days} days go by: day {since} to {until}."),
            days=self.days,
            since=self.plan.since,
            until=self.plan.until,
        )


def written(campaign: Campaign, plan: Plan, report: Report, *, grouped: bool) -> Proposal:
    return Proposal(
        campaign=campaign,
        plan=plan,
        changes=(_days(campaign, plan), *_lines(report.changes), *_kept(campaign, plan)),
        notes=tuple(report.notes),
        payments=tuple(report.payments),
        warnings=tuple(report.warnings),
        rolls=tuple(report.rolls),
        grouped=grouped,
        moves=tuple(change for change in report.changes if change.field == "treasury"),
    )


def _days(campaign: Campaign, plan: Plan) -> world.Change:
    label = _("Time passes")
    return world.Change("campaign", str(campaign.pk), "day", plan.since, plan.until, "PF-7", label, campaign.name)


def _kept(campaign: Campaign, plan: Plan) -> list[world.Change]:
    """What goes on holding in the week that is running then."""
    return kept_after(campaign, plan.until, plan.choices, plan.running or plan.choices)


def _lines(changes: Iterable[DatedChange]) -> list[world.Change]:
    """As the world takes them. What happens to an army's figure again and again by one rule becomes one line."""
    lines: list[world.Change] = []
    places: dict[Any, int] = {}
    for change in changes:
        line = _line(change)
        key = (line.place, line.rule)
        if line.kept and change.kind == "army" and key in places:
            earlier = lines[places[key]]
            lines[places[key]] = replace(earlier, after=line.after, label=line.label)
            continue
        places[key] = len(lines)
        lines.append(line)
    return [line for line in lines if line.before != line.after]


def _line(change: DatedChange) -> world.Change:
    kept = change.field not in SINGLY if change.kind == "army" else change.field in BY_LEDGER
    return world.Change(
        change.kind, change.id, change.field, change.before, change.after, change.rule, change.label, change.subject,
        kept=kept,
    )  # fmt: skip

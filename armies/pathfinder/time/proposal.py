"""What passing days would do to armies and treasuries, line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from armies.pathfinder.time.chosen import kept_after
from armies.time.proposal import TimeNote, TimeProposal, TreasuryMove
from kingdom import world
from kingdom.models import Campaign
from rules.pathfinder.time import DatedChange, Payment, Plan, Report

# Figures the world writes line by line; all others of armies are written by the thousand.
SINGLY = frozenset({"foraging"})
BY_LEDGER = frozenset({"treasury", "armies"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekProposal(TimeProposal):
    """With the plan behind it, and who is paid. `grouped`: lines count armies, they are too many to name."""

    plan: Plan
    payments: tuple[Payment, ...]
    grouped: bool

    @property
    def weighed(self) -> Any:
        return [self._choices, [[*pay[:4], pay.due.total, *pay[5:]] for pay in self.payments]]

    @property
    def _choices(self) -> dict[str, list[str]]:
        """By name; only those to be paid first have an order."""
        chosen = asdict(self.plan.running or self.plan.choices) | {"later": self.plan.choices.land}
        return {name: list(ids) if name == "first" else sorted(ids) for name, ids in chosen.items()}


def written(campaign: Campaign, plan: Plan, report: Report, *, grouped: bool) -> WeekProposal:
    return WeekProposal(
        since=plan.since,
        until=plan.until,
        changes=(*_lines(report.changes), *_kept(campaign, plan)),
        notes=tuple(TimeNote(*note) for note in report.notes),
        warnings=tuple(report.warnings),
        rolls=tuple(report.rolls),
        moves=tuple(_move(change) for change in report.changes if change.field == "treasury"),
        plan=plan,
        payments=tuple(report.payments),
        grouped=grouped,
    )


def _move(change: DatedChange) -> TreasuryMove:
    assert isinstance(change.before, int)
    assert isinstance(change.after, int)
    return TreasuryMove(change.id, change.before, change.after, change.label, change.day)


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

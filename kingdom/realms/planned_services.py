"""Services for planned income and costs, which are entered as time passes (`rules.realm`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.models import Kingdom, User
from kingdom.models.base import uuid7
from kingdom.realms.planned_queries import clean_line, planned_line
from kingdom.realms.treasury_services import refuse_without_treasury
from rules.core.errors import demand
from rules.core.text import Said, Term, _, say
from rules.realm import MOST_LINES, RHYTHMS, WEEK, PlannedLine, as_json


@needs_approval("kingdom.plan_line", "treasury")
@transaction.atomic
def plan_line(
    *, by: User, kingdom: Kingdom, name: str, amount: int, every: str = WEEK, since: int | None = None,
    until: int | None = None,
) -> PlannedLine:  # fmt: skip
    """Plan an `amount` in BP, income above 0, each week or month (whoever runs the kingdom).

    It begins now or after day `since`, and ends with day `until`. Raises Http404, `InvalidInput`, and `IllegalCommand`
    for a kingdom without a treasury.
    """
    require_runs(by, kingdom)
    refuse_without_treasury(kingdom)
    since = kingdom.campaign.day if since is None else since
    line = clean_line(PlannedLine(uuid7().hex, name, amount, every, since, until))
    with _replanned(by, kingdom) as told:
        lines = kingdom.planned_lines
        demand(
            len(lines) < MOST_LINES,
            _("A kingdom can have {most} planned entries at most. Delete one first."),
            field="/name",
            most=MOST_LINES,
        )
        _keep(kingdom, (*lines, line))
        told.text = _said(_("{kingdom} planned {what}: {bp:+} BP, {rhythm}."), kingdom, line)
    return line


@needs_approval("kingdom.change_line", "treasury")
@transaction.atomic
def change_line(*, by: User, kingdom: Kingdom, line: str, **fields: object) -> PlannedLine:
    """Change the name, amount, frequency or days of a line; other fields stay. Raises Http404, `InvalidInput`."""
    require_runs(by, kingdom)
    with _replanned(by, kingdom) as told:
        changed = clean_line(planned_line(kingdom, line)._replace(**fields))  # type: ignore[arg-type]
        _keep(kingdom, tuple(changed if one.id == line else one for one in kingdom.planned_lines))
        told.text = _said(_("{kingdom} changed its plan for {what}: {bp:+} BP, {rhythm}."), kingdom, changed)
    return changed


@needs_approval("kingdom.strike_line", "treasury")
@transaction.atomic
def strike_line(*, by: User, kingdom: Kingdom, line: str) -> None:
    """Delete a planned line. Raises Http404."""
    require_runs(by, kingdom)
    with _replanned(by, kingdom) as told:
        struck = planned_line(kingdom, line)
        _keep(kingdom, tuple(one for one in kingdom.planned_lines if one.id != line))
        told.text = _said(_("{kingdom} canceled its plan for {what}: {bp:+} BP, {rhythm}."), kingdom, struck)


@contextmanager
def _replanned(by: User, kingdom: Kingdom) -> Iterator[Recording]:
    """Record a change of the planned lines, read again under the lock. Raises Http404 if the kingdom is dissolved
    meanwhile.
    """
    with record_changes(by=by, campaign=kingdom.campaign, kind="kingdom", on=[("kingdom", kingdom)]) as told:
        kingdom.planned = told.held("kingdom", kingdom).planned
        yield told


def _said(template: Term, kingdom: Kingdom, line: PlannedLine) -> Said:
    return say(template, kingdom=kingdom.name, what=line.name, bp=line.amount, rhythm=line.rhythm)


def _keep(kingdom: Kingdom, lines: tuple[PlannedLine, ...]) -> None:
    kingdom.planned = as_json(lines)
    kingdom.save(update_fields=["planned"])


def lines_in_words(stored: Any) -> Any:
    """Return the planned lines in words for the chronicle."""
    if not isinstance(stored, list):
        return stored
    return [say(_("{what}: {bp:+} BP, {rhythm}"), what=line["name"], bp=line["amount"],
                rhythm=RHYTHMS[line["every"]]) for line in stored if isinstance(line, Mapping)]  # fmt: skip

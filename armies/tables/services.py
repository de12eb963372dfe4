"""Services that import a table: all of it or nothing, in one chronicle entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from armies.bulk.services import refuse_stale
from armies.tables.headings import Columns, keep_columns
from armies.tables.imports import Bringing, brought, find_table, list_further_leave
from armies.tables.tables import FIELD, pointer_of
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import InvalidInput, demand
from rules.core.text import _

SHOWN = 50


class BroughtIn(NamedTuple):
    """The import and its chronicle entry."""

    bringing: Bringing
    entry: ChronicleEntry


def _wanted(given: Mapping[str, Any]) -> RequestedChange:
    """Request for the import. The mark is dropped: a request is granted later, when the proposal has changed."""
    campaign, text, columns = given["campaign"], given["text"], given.get("columns")
    table = find_table(campaign, given["table"])
    kinds = (table.leave,) if table and table.leave else ()

    def further(by: User) -> set[str]:
        return list_further_leave(by, campaign, table, text, columns) if table else set()

    return RequestedChange(kinds, {name: value for name, value in given.items() if name != "mark"}, further)


@needs_approval("armies.files.bring_in_table", "raise", "appoint", "attributes", wish=_wanted)
@transaction.atomic
def bring_in_table(
    *,
    by: User,
    campaign: Campaign,
    table: str,
    text: str,
    mark: str | None = None,
    columns: Columns | None = None,
) -> BroughtIn:
    """Imports armies (`table` "armies"), unit types ("units") or commanders ("commanders") from CSV text.

    `columns`: the column for each heading, if the headings are not column names; kept for the next import. `mark`: the
    mark of the proposal that the user confirms. Raises `StaleProposal` if the proposal would differ now, and
    `InvalidInput` with every problem ("/rows/12/cr": line and column), or where nothing would change.
    """
    kind = find_table(campaign, table)
    demand(kind is not None, _("Unknown table. Check the address."), field="/table")
    assert kind is not None
    if not kind.leave:
        require_gm(by, campaign)
    with record_changes(by=by, campaign=campaign, kind="army", private=kind.private) as told:
        found, parts = brought(by, campaign, kind, text, columns)
        demand_as_shown(found, mark)
        if columns is not None:
            keep_columns(campaign, kind.slug, columns)
        told.take(parts)
        told.text = kind.told(found.new, found.changed)
    assert told.entry is not None
    return BroughtIn(found, told.entry)


def demand_as_shown(found: Bringing, mark: str | None) -> None:
    """Raises `InvalidInput` with line and column of every problem, or where nothing would change; `StaleProposal` where
    `mark` is that of another proposal. None skips that check.
    """
    if found.wrong:
        errors = tuple((pointer_of(problem), problem.told) for problem in found.problems[:SHOWN])
        raise InvalidInput(errors[0][1], errors[0][0], errors)
    if mark is not None:
        refuse_stale(mark, found.mark)
    demand(found.ready, _("Nothing to import: everything in this file is already up to date."), field=FIELD)

"""Export of a campaign, row by row, and queries for the pages of export and import."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import batched
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.http import Http404
from django.utils import timezone

from core import text
from kingdom.access.queries import get_one, require_gm
from kingdom.archive.columns import PersonColumn
from kingdom.archive.import_checks import ROOT, CarriedTable, list_carried_tables
from kingdom.archive.versions import FORMAT, VERSION
from kingdom.models import Campaign, CampaignImport, User
from rules.core.errors import fit_within, unfit_in
from rules.core.text import _

ROWS = 500  # rows read and written at a time
ESCAPED = re.compile(r"\\u00[01]")  # a control character in JSON


def write_document(campaign: Campaign, *, named: bool = False) -> Iterator[bytes]:
    """Yield the document in pieces, from one snapshot. `named`: with the names of the members."""
    with _one_moment():
        yield from (piece.encode() for piece in _pieces(campaign, named))


def _pieces(campaign: Campaign, named: bool) -> Iterator[str]:
    tables = [table for table in list_carried_tables() if named or not table.people]
    head = {"format": FORMAT, "version": VERSION, "written_at": timezone.now().isoformat(timespec="seconds")}
    yield "{" + ",\n".join(f"{_json(name)}: {_json(value)}" for name, value in head.items())
    own = ROOT.model._default_manager.filter(pk=campaign.pk)
    yield f',\n"campaign": {next(_rows(ROOT, own, named))}'
    yield f',\n"people": {_json(_people(campaign, tables) if named else [])}'
    yield ',\n"tables": {'
    for place, table in enumerate(tables):
        yield f"{',' if place else ''}\n{_json(table.name)}: ["
        yield from _separated(_rows(table, table.rows(campaign), named))
        yield "]"
    yield "}}\n"


def _rows(table: CarriedTable, found: Any, named: bool) -> Iterator[str]:
    columns = list(table.columns.values())
    names = [column.field.attname for column in columns]
    for values in found.values_list(*names).iterator(chunk_size=ROWS):
        yield _json({c.name: c.shown(value, named=named) for c, value in zip(columns, values, strict=True)})


def _separated(rows: Iterable[str]) -> Iterator[str]:
    before = "\n"
    for some in batched(rows, ROWS):
        yield before + ",\n".join(some)
        before = ",\n"


def _people(campaign: Campaign, tables: Iterable[CarriedTable]) -> list[dict[str, str]]:
    """Return everybody whom a row names, by id and name."""
    ids: set[Any] = set()
    for table in tables:
        for name in (column.field.attname for column in table.columns.values() if isinstance(column, PersonColumn)):
            ids |= set(table.rows(campaign).order_by().values_list(name, flat=True).distinct())
    found = User.objects.filter(pk__in=ids - {None}).order_by("pk").values_list("pk", "username")
    return [{"id": str(pk), "name": name} for pk, name in found]


@contextmanager
def _one_moment() -> Iterator[None]:
    """Context of one database snapshot; inside another transaction that one's view applies."""
    inside = connection.in_atomic_block
    with transaction.atomic():
        if not inside:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _json(value: Any) -> str:
    """Return the value as JSON, without characters that an import would refuse."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if ESCAPED.search(written) or unfit_in(written):
        return json.dumps(fit_within(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written


# Queries for the pages of export and import.


def document_for(user: User, campaign: Campaign, *, named: bool) -> Iterator[bytes]:
    """Yield the document in pieces, for a GM. `named`: with the names of the members. Raises `PermissionDenied`."""
    require_gm(user, campaign)
    return write_document(campaign, named=named)


# Queries for running imports, for their owners.


SILENT = timedelta(seconds=30)
GONE = _("The server was stopped before it finished. Nothing was imported. Send the file again.")


def get_import_for(user: User, import_id: UUID | str) -> CampaignImport:
    """Return the user's import with its progress. One whose process has died is returned as stopped. Raises Http404,
    also for a token of one campaign.
    """
    if user.bound_to is not None:
        raise Http404
    found = get_one(CampaignImport.objects.filter(owner=user.pk), import_id)
    if found.running and found.beat_at < timezone.now() - SILENT:
        found.state, found.faults = CampaignImport.Status.STOPPED, [["", text.dump_said(GONE)]]
    return found


def list_imports_under_way(user: User) -> list[CampaignImport]:
    """Return the user's running imports."""
    lately = timezone.now() - SILENT
    running = CampaignImport.Status.RUNNING
    return list(CampaignImport.objects.filter(owner=user.pk, state=running, beat_at__gte=lately))

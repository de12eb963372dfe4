"""Views that export and import tables, with a preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from armies.ruleset_ui import get_army_ui
from armies.tables.forms import TableForm
from armies.tables.headings import (
    Columns,
    HeadingChoice,
    fold_heading,
    list_choices,
    needs_columns,
    propose_columns,
    read_headings,
)
from armies.tables.imports import Bringing, find_table, may_bring, propose
from armies.tables.services import bring_in_table
from armies.tables.tables import FIELD, TableFile
from core.csv_tables import build_csv_response
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import Leave, PageRequest, strictest
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.approvals.serializers import leave_of
from kingdom.models import Campaign
from kingdom.rendering import render_page
from rules.core.errors import Refusal, StaleProposal


@dataclass(frozen=True, slots=True)
class SentTable:
    """The text of a sent table. `columns`: the column for each heading, None if the headings are column names;
    `headings`: the same as choices.
    """

    text: str = ""
    columns: Columns | None = None
    headings: Sequence[HeadingChoice] = ()


def read_sent(campaign: Campaign, kind: TableFile, text: str, posted: Mapping[str, str]) -> SentTable:
    """The table, with the columns somebody chose on the page, else the proposed ones. Raises `InvalidInput`."""
    table = read_headings(text, field=FIELD)
    if not needs_columns(table, kind.columns(campaign)):
        return SentTable(text)
    columns = propose_columns(campaign, kind, table.columns)
    choices = list_choices(table, columns)
    if any(choice.name in posted for choice in choices):
        columns = {fold_heading(table.columns[one.place]): posted.get(one.name, "") for one in choices}
        choices = list_choices(table, columns)
    return SentTable(text, columns, choices)


OK, STALE, REFUSED = 200, 412, 422
SEMICOLON_IN = ("fr",)  # languages whose spreadsheets use commas in numbers


@login_required
@require_safe
@limit_page("costly")
def table_out(request: PageRequest, campaign_id: UUID, table: str) -> HttpResponse:
    """CSV of what the reader may see, with the separator of their language's spreadsheets."""
    campaign, kind = _known(request, campaign_id, table)
    found = kind.out(request.user, campaign)
    separator = ";" if (get_language() or "")[:2] in SEMICOLON_IN else ","
    return build_csv_response(f"{campaign.name} {kind.slug}", found.head, found.rows, separator)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def table_in(request: PageRequest, campaign_id: UUID, table: str) -> HttpResponse:
    """Preview of the submitted table, then the import. Nothing is stored between these steps."""
    campaign, kind = _known(request, campaign_id, table)
    if request.method == "POST" and not may_bring(request.user, campaign, kind):
        raise PermissionDenied
    form = TableForm(request.POST, request.FILES) if request.method == "POST" else TableForm()
    if not form.is_bound or not form.is_valid():
        return _draw(request, campaign, kind, form, status=REFUSED if form.is_bound else OK)
    sent = SentTable()
    try:
        sent = read_sent(campaign, kind, form.text(), request.POST)
        if request.POST.get("do") == "confirm":
            return _confirm(request, campaign, kind, form, sent)
        found = propose(request.user, campaign, kind, sent.text, sent.columns)
        return _draw(request, campaign, kind, form, found, sent)
    except Refusal as refusal:
        form.add_refusal(refusal)
        return _draw(request, campaign, kind, form, sent=sent, status=REFUSED)


def _confirm(
    request: PageRequest, campaign: Campaign, kind: TableFile, form: TableForm, sent: SentTable
) -> HttpResponse:  # fmt: skip
    asked: dict[str, Any] = {"text": sent.text, "columns": sent.columns}
    try:
        mark = request.POST.get("mark", "")
        done = bring_in_table(by=request.user, campaign=campaign, table=kind.slug, mark=mark, **asked)
    except StaleProposal as stale:
        messages.warning(request, say(stale.message))
        found = propose(request.user, campaign, kind, **asked)
        return _draw(request, campaign, kind, form, found, sent, STALE)
    messages.success(request, say(load_said(done.entry.text)))
    return redirect("kingdom:entry", campaign.pk, done.entry.pk)


def _known(request: PageRequest, campaign_id: UUID, table: str) -> tuple[Campaign, TableFile]:
    campaign = get_campaign_for(request.user, campaign_id)
    kind = find_table(campaign, table)
    if kind is None:
        raise Http404
    return campaign, kind


def _draw(
    request: PageRequest,
    campaign: Campaign,
    kind: TableFile,
    form: TableForm,
    found: Bringing | None = None,
    sent: SentTable | None = None,
    status: int = OK,
) -> HttpResponse:
    context: dict[str, Any] = {
        "campaign": campaign,
        "table": kind,
        "tables": get_army_ui(campaign).tables,
        "others": get_army_ui(campaign).other_files if is_gm(request.user, campaign) else (),
        "columns": kind.columns(campaign),
        "form": form,
        "found": found,
        "text": sent.text if sent else "",
        "headings": sent.headings if sent else (),
        "leave": _leave(request, campaign, kind, found),
        "brings": may_bring(request.user, campaign, kind),
    }
    return render_page(request, "armies/tables/files.html", context, status=status)


def _leave(request: PageRequest, campaign: Campaign, kind: TableFile, found: Bringing | None) -> Leave | None:
    """The strictest leave that the reader needs for this import; None where only the GM may import."""
    needed, _choice = strictest(campaign.players_may, {kind.leave, *(found.leaves if found else ())})
    return leave_of(request.user, campaign).get(needed)

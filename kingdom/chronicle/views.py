"""Views of the chronicle and of undo."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import batched
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from core.clean_input import NAME_MAX
from core.csv_tables import build_csv_response
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.chronicle.field_change import begins, link_refusal, read_lines
from kingdom.chronicle.queries import (
    EVERYTHING,
    KINDS,
    ON_A_PAGE,
    EntryLines,
    Sought,
    called,
    entry_for,
    entry_of,
    find_last_standing_entry,
    find_later_entries,
    in_short,
    list_entries,
    name_of,
    names_like,
    read_filters,
)
from kingdom.chronicle.services import UNDO_MOST, undo_after, undo_entry
from kingdom.chronicle.wording import ChangeInWords, changes_in_words, entries_in_short, entries_in_words
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.rendering import go_back, look_of, paginate_request, render_page
from rules.core.errors import Refusal
from rules.core.text import Said, Term

CHUNK = 200
NO_CHANGE = ChangeInWords("", Term(""), None, None, "", "")
KIND_WORDS = {
    "kingdom": gettext_lazy("Kingdom"),
    "army": gettext_lazy("Army"),
    "commander": gettext_lazy("Commander"),
}


@login_required
@require_safe
def chronicle(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return _page(request, get_campaign_for(request.user, campaign_id))


@login_required
@require_safe
def entry(request: PageRequest, campaign_id: UUID, entry_id: UUID) -> HttpResponse:
    """One entry with its lines, paginated. A search limits them to subjects whose name contains the text."""
    campaign = get_campaign_for(request.user, campaign_id)
    found, query = entry_for(request.user, campaign, entry_id), look_of(request).query
    page = paginate_request(request, EntryLines(request.user, campaign, found.pk, query))
    gm = is_gm(request.user, campaign)
    context = {
        "campaign": campaign,
        "entry": found,
        "gm": gm,
        "later": [load_said(one.text) for one in find_later_entries(found)[: UNDO_MOST + 1]] if gm else [],
        "most": UNDO_MOST,
        "query": query,
        "lines": len(EntryLines(request.user, campaign, found.pk)),
        "page_obj": page,
        "changes": changes_in_words(request.user, campaign, list(page)),
    }
    return render_page(request, "kingdom/chronicle/entry.html", context)


@login_required
@require_POST
def undo(request: PageRequest, campaign_id: UUID, entry_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    entry = entry_of(campaign, entry_id)
    count = 0
    try:
        if "after" in request.POST:
            count = undo_after(by=request.user, entry=entry)
        else:
            undo_entry(by=request.user, entry=entry)
    except Refusal as refusal:
        messages.error(request, link_refusal(refusal))
        return go_back(request, "kingdom:chronicle", campaign.pk)
    if count:
        told = ngettext("Undone: %(count)s change.", "Undone: %(count)s changes.", count)
        messages.success(request, told % {"count": count})
        return redirect("kingdom:chronicle", campaign.pk)
    messages.success(request, _("Undone: {what}").format(what=say(load_said(entry.text))))
    if "here" in request.POST and not any(begins(change) for change in read_lines(entry.changes)):
        return go_back(request, "kingdom:chronicle", campaign.pk)
    return redirect("kingdom:chronicle", campaign.pk)  # undo may have deleted the object of the page it came from


@login_required
@require_safe
def chronicle_csv(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """CSV of the filtered entries, a row for every change."""
    campaign = get_campaign_for(request.user, campaign_id)
    look, _refused = _look(request.user, campaign, request.GET)
    head = [_("day"), _("entered"), _("by"), _("type"), _("entry"), _("undone"), _("subject"), _("field"),
            _("before"), _("after"), _("reason"), _("rule")]  # fmt: skip
    entries = list_entries(request.user, campaign, look)
    return build_csv_response(f"{campaign.name} {_('Chronicle')}", head, _rows(request.user, campaign, entries))


def _rows(user: User, campaign: Campaign, entries: QuerySet[ChronicleEntry]) -> Iterator[list[Any]]:
    """Yield the rows in order of time. Entries are read some hundred at a time."""
    for some in batched(entries.order_by("seq").iterator(chunk_size=CHUNK), CHUNK):
        for entry, text, changes in entries_in_words(user, campaign, some):
            lead = [entry.day, entry.at.isoformat(), str(entry.by or ""), entry.kind_name, text, entry.undone]
            for change in changes or [NO_CHANGE]:
                yield [*lead, change.subject, change.field, change.before, change.after, change.label, change.rule]


def _look(user: User, campaign: Campaign, given: QueryDict) -> tuple[Sought, Said | None]:
    """Return the filters of the query string. If they are invalid, return no filters and the message."""
    try:
        return read_filters({name: str(given[name]) for name in given}, partial(called, user, campaign)), None
    except Refusal as refusal:
        return EVERYTHING, refusal.message


@login_required
@require_safe
def names(request: PageRequest, campaign_id: UUID, kind: str) -> HttpResponse:
    """Suggestions while the name of a thing is typed."""
    if kind not in KINDS:
        raise Http404
    campaign = get_campaign_for(request.user, campaign_id)
    found = names_like(request.user, campaign, kind, request.GET.get(kind, "")[:NAME_MAX])
    return render(request, "kingdom/chronicle/parts/names.html", {"names": [name for _key, name in found]})


def _page(request: PageRequest, campaign: Campaign) -> HttpResponse:
    look, refused = _look(request.user, campaign, request.GET)
    entries = list_entries(request.user, campaign, look)
    page = paginate_request(request, in_short(request.user, campaign, entries), size=ON_A_PAGE)
    gm = is_gm(request.user, campaign)
    context = {
        "campaign": campaign,
        "gm": gm,
        "page_obj": page,
        "entries": entries_in_short(request.user, campaign, list(page)),
        "last": find_last_standing_entry(campaign) if gm else None,  # nobody but the GM may undo
        "look": look,
        "refused": refused,
        "given": request.GET,
        "kinds": ChronicleEntry.Kind.choices,
        "seekable": _seekable(request.user, campaign, request.GET),
    }
    return render_page(request, "kingdom/chronicle/chronicle.html", context, partial="entries")


def _seekable(user: User, campaign: Campaign, given: QueryDict) -> list[dict[str, Any]]:
    """Return a search field for every kind of thing, filled with the name looked for."""
    return [{"name": kind, "word": KIND_WORDS[kind], "text": _named(user, campaign, kind, given.get(kind, "").strip())}
            for kind in KINDS]  # fmt: skip


def _named(user: User, campaign: Campaign, kind: str, text: str) -> str:
    """Return the name of the thing with this id; a text that is no id is returned unchanged."""
    try:
        return name_of(user, campaign, kind, UUID(text))
    except ValueError:
        return text

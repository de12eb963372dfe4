"""Views of notes: about an object, a single one, writing and deleting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import markdown
from core.clean_input import NAME_MAX
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.models import Campaign, Note
from kingdom.notes import queries as shelf
from kingdom.notes.forms import NoteForm
from kingdom.notes.page import MENTIONING, note_page, notebook, notebook_of
from kingdom.notes.queries import NoteSubject
from kingdom.notes.services import NoteMovedOn, bring_back_version, delete_note, edit_note, restore_note, write_note
from kingdom.notes.targets import make_ref
from kingdom.rendering import add_refusal, get_status, paginate_request, render_page, submit
from rules.core.errors import Refusal

NOTES = 10  # notes on a page
PANEL, CARD = "kingdom/notes/panel.html", "kingdom/notes/card.html"
CONFLICT = 409


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notes(request: PageRequest, kind: str, thing_id: UUID) -> HttpResponse:
    """Page of all notes about an object. POST adds one, from here or from the object's own page."""
    thing = shelf.get_thing_for(request.user, make_ref(kind, thing_id))
    if request.method != "POST":
        return _notes(request, thing)
    if not shelf.may_write(request.user, thing.campaign):
        raise PermissionDenied
    form = NoteForm(request.POST, user=request.user, campaign=thing.campaign)
    if "preview" in request.POST:
        return _notes(request, thing, form, preview=_preview(request, thing.campaign, request.POST.get("text", "")))
    made = submit(form, lambda _data: write_note(by=request.user, about=thing, **form.given()))
    if made is None:
        return _notes(request, thing, form)
    messages.success(request, _("Note saved."))
    if request.htmx:
        return _notes(request, thing, written=made)
    return redirect(f"{thing.url}#notes")


def _notes(
    request: PageRequest,
    thing: NoteSubject,
    form: NoteForm | None = None,
    preview: str = "",
    written: Note | None = None,
) -> HttpResponse:
    """Render the page; for htmx only the panel of the page it came from."""
    rows = shelf.notes_about(request.user, thing)
    page = paginate_request(request, rows, NOTES)
    whole = not request.htmx or "whole" in request.POST
    mentioning = list(shelf.notes_that_mention(request.user, thing.campaign, thing.ref)[:MENTIONING]) if whole else []
    book = notebook(request.user, thing, list(page), mentioning) if whole else notebook_of(request.user, thing)
    fresh = NoteForm(user=request.user, campaign=thing.campaign) if book.writes else None
    context = {
        "book": replace(book, opens=whole or form is not None),
        "thing": thing,
        "campaign": thing.campaign,
        "form": form or fresh,
        "page_obj": page,
        "preview": preview,
        "written": written,
        "whole": whole,
        "owner": _owner(request, thing),
        "deleted": shelf.deleted_notes_about(request.user, thing)[:NOTES],
    }
    return render_page(request, "kingdom/notes/notes.html", context, piece=PANEL,
                       status=get_status(form) if form and not preview else 200)  # fmt: skip


def _owner(request: PageRequest, thing: NoteSubject) -> markdown.Known | None:
    """Return the kingdom that owns the object, if the reader may see it."""
    refs = [make_ref("kingdom", thing.kingdom)] if thing.kingdom and thing.kingdom != thing.key else []
    return next(iter(shelf.find_known(request.user, thing.campaign, refs).values()), None)


def _preview(request: PageRequest, campaign: Campaign, text: str) -> str:
    """Return the text as readers see it, with mentions as far as the writer may see them."""
    return markdown.render_html(text, shelf.names_meant(request.user, campaign, text), level=3)


@login_required
@require_safe
def note(request: PageRequest, note_id: UUID) -> HttpResponse:
    """Page of one note; a deleted one for a user who may restore it."""
    page = note_page(request.user, shelf.note_or_deleted(request.user, note_id))
    return render_page(request, "kingdom/notes/note.html", {"page": page, "campaign": page.campaign})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def note_edit(request: PageRequest, note_id: UUID) -> HttpResponse:
    kept = shelf.note_to_change(request.user, note_id)
    form = NoteForm(request.POST or None, user=request.user, campaign=kept.campaign, note=kept)
    if "preview" in request.POST:
        preview = _preview(request, kept.campaign, request.POST.get("text", ""))
        return _edit(request, kept, form, preview=preview)
    if not form.is_valid():
        return _edit(request, kept, form, status=get_status(form))
    try:
        done = _edited(request, kept, form)
    except NoteMovedOn as moved:
        return _moved_on(request, moved)
    except Refusal as refusal:
        add_refusal(form, refusal)
        return _edit(request, kept, form, status=get_status(form))
    if request.htmx:
        return _card(request, done)
    messages.success(request, _("Saved."))
    return redirect("kingdom:note", done.pk)


def _edited(request: PageRequest, kept: Note, form: NoteForm) -> Note:
    given = form.given()
    if given["audience"] == form.initial["audience"]:
        del given["audience"]  # a deleted kingdom may stay the audience
    return edit_note(by=request.user, note=kept, version=form.cleaned_data["version"], **given)


def _moved_on(request: PageRequest, moved: NoteMovedOn) -> HttpResponse:
    """Show the other user's text beside one's own. Saving again replaces it; both stay as versions."""
    data = request.POST.copy()
    data["version"] = str(moved.note.version)
    form = NoteForm(data, user=request.user, campaign=moved.note.campaign, note=moved.note)
    return _edit(request, moved.note, form, status=CONFLICT, moved=moved)


def _edit(request: PageRequest, kept: Note, form: NoteForm, status: int = 200, **more: Any) -> HttpResponse:
    context = {"note": kept, "campaign": kept.campaign, "form": form, **more}
    if moved := more.get("moved"):
        context["theirs"] = shelf.build_cards(request.user, kept.campaign, [moved.note], level=3)[0]
    return render_page(request, "kingdom/notes/edit.html", context, partial="form", status=status)


@login_required
@require_POST
def note_delete(request: PageRequest, note_id: UUID) -> HttpResponse:
    return _changed(request, note_id, lambda kept: delete_note(by=request.user, note=kept))


@login_required
@require_POST
def note_restore(request: PageRequest, note_id: UUID) -> HttpResponse:
    return _changed(request, note_id, lambda kept: restore_note(by=request.user, note=kept))


@login_required
@require_POST
def note_version(request: PageRequest, note_id: UUID, number: int) -> HttpResponse:
    """Restore an earlier version."""
    return _changed(request, note_id, lambda kept: bring_back_version(by=request.user, note=kept, number=number))


def _changed(request: PageRequest, note_id: UUID, change: Any) -> HttpResponse:
    """Render the changed note in its place; without htmx, redirect to its page."""
    kept = shelf.note_to_change(request.user, note_id)
    try:
        kept = change(kept)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
    if request.htmx:
        return _card(request, kept)
    return redirect("kingdom:note", kept.pk)


def _card(request: PageRequest, kept: Note) -> HttpResponse:
    card = shelf.build_cards(request.user, kept.campaign, [kept])[0]
    return render_page(request, CARD, {"card": card, "campaign": kept.campaign, "drawn_anew": True})


@login_required
@require_safe
def note_names(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Suggestions while a mention is typed."""
    campaign = get_campaign_for(request.user, campaign_id)
    found = shelf.names_offered(request.user, campaign, request.GET.get("q", "")[:NAME_MAX])
    return render(request, "kingdom/notes/names.html", {"names": found})

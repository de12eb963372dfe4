"""Views that raise or change an army by a form built from its ruleset's document shape. They work without
JavaScript.
"""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.documents.drafts import DocumentDraft, draft_of_request, redrawn
from armies.documents.forms import DocumentForm
from armies.forces.access import get_army_for, get_army_run_by
from armies.forces.services import correct_army, raise_armies, raise_army, update_army
from armies.forces.views import go_to_raised, raise_as_asked, warn_of_namesakes
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from core.csv_tables import NO_CSV, SPREADSHEET, build_csv_response
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_run_by, is_gm
from kingdom.approvals.serializers import get_request_for, leave_of, require_offered
from kingdom.approvals.submission import load_argument
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import Refusal, demand

TABLE_BYTES = 240_000


def _ui(kingdom: Kingdom) -> Any:
    return cast("Any", get_army_ui(kingdom.campaign))


def _form(request: PageRequest, kingdom: Kingdom, army: Army | None = None, **more: Any) -> DocumentForm:
    """A new form. `sent` or `draft`: its contents."""
    gm = is_gm(request.user, kingdom.campaign)
    return cast("DocumentForm", _ui(kingdom).document_form(kingdom=kingdom, army=army, gm=gm, **more))


@login_required
def army_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Raise an army for a kingdom."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "raise")
    if request.method != "POST":
        return _draw(request, kingdom, _form(request, kingdom, draft=_asked_before(request, kingdom)))
    if _ui(kingdom).only_redrawn(request.POST):
        return _drawn_anew(request, kingdom)
    form = _form(request, kingdom, sent=request.POST)
    armies = _done(form, lambda given: raise_as_asked(
        kingdom, given, form.cleaned_data["copies"], raise_army, raise_armies, by=request.user
    ))  # fmt: skip
    return _draw(request, kingdom, form) if armies is None else go_to_raised(request, armies)


@login_required
def army_edit(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Change an army's document."""
    army: Army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "raise")
    kingdom = army.kingdom
    if request.method != "POST":
        return _draw(request, kingdom, _form(request, kingdom, army), army)
    if _ui(kingdom).only_redrawn(request.POST):
        return _drawn_anew(request, kingdom, army)
    form = _form(request, kingdom, army, sent=request.POST)
    if _done(form, lambda given: update_army(by=request.user, army=army, **given)) is None:
        return _draw(request, kingdom, form, army)
    messages.success(request, _("Saved."))
    warn_of_namesakes(request, [army])
    return redirect("armies:army", army.pk)


@login_required
@require_POST
def army_preview(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Partial with the figures that the form would give. `?army=` names the army being changed."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    form = _form(request, kingdom, _edited(request, kingdom), sent=request.POST)
    ui = _ui(kingdom)
    context = {
        "preview": ui.preview(form),
        "preview_template": ui.preview_template,
        "form": form,
        "campaign": kingdom.campaign,
    }
    return render(request, f"{ui.form_template}#preview", context)


@login_required
@require_POST
def army_correct(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Sets an army's figures and status outright (GM)."""
    army: Army = get_army_run_by(request.user, army_id)
    correction = _ui(army.kingdom).correction_form(request.POST, army=army)
    if submit(correction, lambda given: correct_army(by=request.user, army=army, **given)) is None:
        return _draw(request, army.kingdom, _form(request, army.kingdom, army), army, correction)
    messages.success(request, _("Saved."))
    return redirect("armies:army", army.pk)


@login_required
def army_csv(request: PageRequest, army_id: UUID) -> HttpResponse:
    """CSV of an army's entries, for readers of its sheet. Raises `Http404` for a ruleset without lists."""
    army: Army = get_army_for(request.user, army_id)
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    rows = getattr(_ui(army.kingdom), "document_rows", None)
    if rows is None:
        raise Http404
    return build_csv_response(army.name, *rows.table_of(army))


def _edited(request: PageRequest, kingdom: Kingdom) -> Army | None:
    wanted = request.GET.get("army")
    if not wanted:
        return None
    army: Army = get_army_run_by(request.user, wanted)
    if army.kingdom_id != kingdom.pk:
        raise Http404
    return army


def _asked_before(request: PageRequest, kingdom: Kingdom) -> DocumentDraft | None:
    """What the request that `?request=` names would have raised: the reader's own, which came to nothing."""
    if not (wanted := request.GET.get("request")):
        return None
    found = get_request_for(request.user, wanted)
    given = found.arguments
    if found.by_id != request.user.pk or not found.raises_by_document or given["kingdom"]["id"] != str(kingdom.pk):
        raise Http404
    return draft_of_request(given, load_argument(given["sheet"], kingdom.campaign), get_ruleset(kingdom.campaign))


def _drawn_anew(request: PageRequest, kingdom: Kingdom, army: Army | None = None) -> HttpResponse:
    """The form after one of its buttons. Only an unreadable table gives a message."""
    data = request.POST.copy()
    try:
        if file := request.FILES.get("file"):
            sent = file.read(TABLE_BYTES)
            demand(not sent.startswith(SPREADSHEET), NO_CSV, field="/table")
            data["table"] = sent.decode("utf-8", "replace")
        draft = redrawn(_ui(kingdom), get_ruleset(kingdom.campaign), data)
    except Refusal as refusal:
        form = _form(request, kingdom, army, sent=data)
        form.refuse_alone(refusal)
        return _draw(request, kingdom, form, army)
    return _draw(request, kingdom, _form(request, kingdom, army, draft=draft), army)


def _done(form: DocumentForm, action: Any) -> Any:
    """Result of the service, or None with its refusal in the form."""
    if not form.is_valid():
        return None
    head: dict[str, Any] = {
        name: form.cleaned_data[name] for name in ("name", "commander", *form.figures) if name in form.fields
    }
    try:
        return action({**head, "sheet": form.document()})
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None


def _draw(
    request: PageRequest, kingdom: Kingdom, form: DocumentForm, army: Army | None = None, correction: Any = None
) -> HttpResponse:
    ui = _ui(kingdom)
    status = max(get_status(form), get_status(correction) if correction else 200)
    if army and correction is None and is_gm(request.user, kingdom.campaign):
        correction = ui.correction_form(army=army)
    context = {
        "form": form,
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "army": army,
        "leave": leave_of(request.user, kingdom.campaign)["raise"],
        "entries_template": ui.entries_template,
        "preview_template": ui.preview_template,
        "preview": ui.preview(form),
        "correction": correction,
        **ui.form_context(form, request.POST),
    }
    return render_page(request, ui.form_template, context, partial="form", status=status)

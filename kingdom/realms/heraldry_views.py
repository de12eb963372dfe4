"""View and form of a kingdom's arms."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.forms.form_fields import list_choices
from core.text import render
from kingdom.access.queries import get_kingdom_run_by
from kingdom.access.request_types import PageRequest
from kingdom.campaign.queries import arms_in, roll_of_arms
from kingdom.models import Kingdom
from kingdom.models.heraldry import KNOWN, PARTS, Arms, clean_arms, draw_arms, fitted, list_tinctures
from kingdom.realms.services import update_kingdom
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import InvalidInput

LOT = 8  # bytes


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def arms(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Page of the arms. POST saves them, or shows them as picked so far (`preview`), drawn by `lots` or from the
    `name`.
    """
    found = get_kingdom_run_by(request.user, kingdom_id)
    if request.method != "POST" or request.POST.keys() & {"preview", "lots", "name"}:
        return _page(request, found, _picked(request, found))
    form = ArmsForm(request.POST, now=found.arms_borne)
    if submit(form, lambda data: update_kingdom(by=request.user, kingdom=found, arms=data)):
        messages.success(request, _("Arms of {kingdom} saved.").format(kingdom=found.name))
        return redirect("kingdom:kingdom", found.pk)
    return _page(request, found, form)


def _picked(request: PageRequest, found: Kingdom) -> ArmsForm:
    """Return the form as filled in so far; nothing is stored."""
    others = arms_in(found.campaign, but=found)
    if "lots" in request.POST:
        return ArmsForm(now=draw_arms(secrets.token_hex(LOT), others))
    if "name" in request.POST:
        return ArmsForm(now=draw_arms(found.name, others))
    return ArmsForm(now=ArmsForm(request.POST, now=found.arms_borne).chosen)


def _page(request: PageRequest, found: Kingdom, form: ArmsForm) -> HttpResponse:
    context = {"kingdom": found, "campaign": found.campaign, "form": form, "roll": roll_of_arms(found)}
    return render_page(request, "kingdom/realms/arms.html", context, partial="blazon", status=get_status(form))


# Form of a kingdom's arms: every choice is drawn as the arms it would make.


class Pick(NamedTuple):
    """A choice for one part, with the arms it would make of the parts chosen so far."""

    slug: str
    label: str
    arms: Arms
    chosen: bool


class ArmsPart(NamedTuple):
    field: forms.BoundField
    picks: tuple[Pick, ...]


class ArmsForm(forms.Form):
    """Form of a kingdom's arms. `now`: the arms to begin with. `chosen`: those picked so far, made to fit."""

    def __init__(self, data: Any = None, *, now: Arms, **options: Any):
        super().__init__(data, initial=now._asdict(), **options)
        self.chosen = fitted(data or {}, now)
        for part, known in KNOWN.items():
            choices = list_choices({slug: known[slug] for slug in known})
            self.fields[part] = forms.ChoiceField(label=render(PARTS[part]), choices=choices)

    def clean(self) -> dict[str, Any]:
        """Refuse two tinctures of one kind, with the error at the faulty field."""
        given = super().clean() or {}
        try:
            clean_arms(given, at="", now=self.chosen)
        except InvalidInput as refusal:
            self.add_error(refusal.field.strip("/"), render(refusal.message))
        return given

    @property
    def parts(self) -> list[ArmsPart]:
        return [ArmsPart(self[part], tuple(self._picks(part))) for part in KNOWN]

    def _picks(self, part: str) -> list[Pick]:
        now = getattr(self.chosen, part)
        offered = list_tinctures(self.chosen.field) if part == "tincture" else KNOWN[part]
        labels = dict(self.fields[part].choices)  # type: ignore[attr-defined]
        return [Pick(slug, labels[slug], fitted({part: slug}, self.chosen), slug == now) for slug in offered]

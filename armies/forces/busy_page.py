"""Page in place of a busy army's form, with a link to what holds the army."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse

from armies.forces import busy
from armies.forces.access import get_army_run_by, get_commander_run_by
from armies.forces.busy import find_engagement
from armies.forces.row_locks import explain_no_army
from armies.models import Army, Commander
from kingdom.access.queries import is_gm
from kingdom.access.request_types import PageRequest
from kingdom.models import Campaign, Kingdom
from kingdom.rendering import render_page
from rules.core.text import Said


class BusyNotice(NamedTuple):
    """Notice in place of a form. `deed`: what the form is for; `title`: of whom. `why`: the reason; `url`: the page of
    what holds the army, "" for none. `leads`: name of the army, where the form is about its commander.
    """

    deed: str
    title: str
    kingdom: Kingdom
    back: str
    why: Said
    icon: str = "warning"
    url: str = ""
    leads: str = ""

    @property
    def campaign(self) -> Campaign:
        return self.kingdom.campaign


def render_busy(request: PageRequest, held: BusyNotice) -> HttpResponse:
    return render_page(request, "armies/forces/held.html", {"held": held, "campaign": held.campaign})


def busy_form(
    request: PageRequest,
    campaign: Campaign,
    deed: str,
    army_id: UUID | None = None,
    commander_id: UUID | None = None,
    *,
    mends: bool = False,
) -> HttpResponse | None:
    """The notice in place of this form of an army or commander, if the form would be refused; None otherwise.

    `deed`: what the form is for. `mends`: the GM may use it for an army that no longer stands. One query if the army is
    free.
    """
    if commander_id:
        return _of_commander(request, campaign, deed, commander_id)
    found = _held_among(campaign, Q(pk=army_id), ~Q(status__in=Army.STANDING)).first()
    if found is None or (mends and not found.standing and is_gm(request.user, campaign)):
        return None
    army: Army = get_army_run_by(request.user, found.pk)
    return render_busy(request, _held(army, deed, army.name, reverse("armies:army", args=[army.pk])))


def _of_commander(request: PageRequest, campaign: Campaign, deed: str, commander_id: UUID) -> HttpResponse | None:
    army: Army | None = _held_among(campaign, Q(commander=commander_id)).first()
    if army is None:
        return None
    one: Commander = get_commander_run_by(request.user, commander_id)
    return render_busy(request, _held(army, deed, one.name, reverse("armies:commander", args=[one.pk]), army.name))


def _held_among(campaign: Campaign, asked: Q, *held: Q) -> QuerySet[Army]:
    rows = Army.objects.filter(asked, campaign=campaign).select_related("kingdom__campaign")
    return rows.filter(reduce(Q.__or__, (*held, *busy.holding(campaign))))


def _held(army: Army, deed: str, title: str, back: str, leads: str = "") -> BusyNotice:
    kept = BusyNotice(
        deed % {"name": title}, title, army.kingdom, back, busy.explain_busy(army) or explain_no_army(army), leads=leads
    )
    engaged = find_engagement(army)
    return kept._replace(icon=engaged.icon, url=engaged.url) if engaged else kept

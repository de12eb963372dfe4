"""Views of the battle page beside its commands: orders for several armies at once, the reminder of players, and who
rolls the dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from battles.field.bulk_orders import Many, TogetherForm, list_orders_since, repeat_orders
from battles.field.next_focus import LATE_ORDER, ORDER, find_focus, pick_next
from battles.field.page import BattlePage, build_battle_page, load_battle_page
from battles.field.table import TOGETHER, waits
from battles.play.errors import BattleMovedOn
from battles.play.services import Ordered, order_together, remind_awaited
from battles.play.views import REFUSED, STALE, drawn, go_on, look_of_command
from battles.queries import get_battle_for
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.accounts.services import choose_settings
from kingdom.rendering import go
from rules.core.errors import Refusal

# Views of orders for several armies: the same for a side or a selection, last phase's again, or another army's.

GIVE, AGAIN, LIKE = "give", "again", "like"


@login_required
@require_POST
def together(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Give the orders. Armies whose orders are refused are named with the reason."""
    page = load_battle_page(request.user, battle_id, look_of_command(request))
    if not Many(page).possible and request.POST.get("version") != str(page.battle.version):
        messages.warning(request, LATE_ORDER)
        return drawn(request, page, status=STALE)
    form = _form(request, page)
    what = request.POST.get("what", GIVE)
    if what == GIVE and not form.is_valid():
        return drawn(request, page, form, REFUSED)
    commands = form.commands() if what == GIVE else _others(page, what)
    try:
        done = order_together(by=request.user, battle_id=battle_id, version=form.seen, commands=commands)
    except BattleMovedOn:
        return _stale(request, battle_id)
    _tell(request, page, done)
    if done.played is None:
        return drawn(request, page, form if what == GIVE else None, REFUSED)
    kind = ORDER if what == LIKE else TOGETHER
    after = pick_next(
        build_battle_page(request.user, done.played.battle, done.played.state, look_of_command(request)), kind
    )
    return go_on(request, after, find_focus(after, kind))


def _form(request: PageRequest, page: BattlePage) -> TogetherForm:
    """Return the form. Raises `PermissionDenied` if the reader cannot order several armies, or any to repeat orders."""
    many, what = Many(page), request.POST.get("what", GIVE)
    form = many.bound(request.POST) if what == GIVE else many.sent_for(request.POST)
    if form is None:
        raise PermissionDenied
    return form


def _others(page: BattlePage, what: str) -> Mapping[str, Any]:
    """Return the commands of `AGAIN` and `LIKE`, by army. Raises `PermissionDenied` for anything else."""
    many = page.ui.many
    assert many is not None
    if what == AGAIN:
        return repeat_orders(page)
    card = page.picked
    like = many.like(page, card, list_orders_since(page.battle, page.field.standing)) if card and what == LIKE else None
    if like is None or card is None or not card.orderable:
        raise PermissionDenied
    return {card.id: like[1]}


def _tell(request: PageRequest, page: BattlePage, done: Ordered) -> None:
    given = len(done.given)
    if given:
        said = ngettext("%(count)s army has its orders.", "%(count)s armies have their orders.", given)
        messages.success(request, said % {"count": given})
    elif not done.refused:
        idle = any(map(waits, page.cards))
        said = _("No army has orders to repeat.") if idle else _("All armies already have orders.")
        messages.info(request, said)
    for army, why in done.refused.items():
        said = _("Orders of %(army)s unchanged: %(why)s") % {"army": page.names[army], "why": render(why)}
        messages.warning(request, said)


def _stale(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw the current page after somebody else acted first, with the entries kept."""
    messages.warning(request, _("Someone else acted first. This is the current state; your entries were kept."))
    page = load_battle_page(request.user, battle_id, look_of_command(request))
    form = Many(page).bound(request.POST) if request.POST.get("what", GIVE) == GIVE else None
    return drawn(request, page, form, STALE)


# View that reminds players of a battle that waits for them.


@login_required
@require_POST
def remind(request: PageRequest, battle_id: UUID) -> HttpResponse:
    battle = get_battle_for(request.user, battle_id)
    page = request.build_absolute_uri(reverse("battles:battle", args=[battle.pk]))
    try:
        names = remind_awaited(by=request.user, battle_id=battle.pk, page=page)
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
    else:
        messages.success(request, _("Reminded: {players}.").format(players=", ".join(names)))
    return go(request, "kingdom:campaign", battle.campaign_id)


# View of who rolls the dice.


@login_required
@require_POST
def dice(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Store who rolls the dice, and redirect to the battle with the same query parameters. htmx follows the redirect
    with its own headers, so it gets its part of the page.
    """
    battle = get_battle_for(request.user, battle_id)
    try:
        choose_settings(by=request.user, dice=request.POST.get("dice", ""))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
    return redirect(reverse("battles:battle", args=[battle.pk], query=request.GET))

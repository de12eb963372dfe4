"""The battle page, and the one door for its commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from battles import services
from battles.codec.commands import AskReinforce, AskUndo, request_from_json
from battles.forms.base import CommandForm
from battles.forms.dice import DiceForm
from battles.forms.orders import OrderForm
from battles.forms.tray import (
    ConditionForm,
    EndForm,
    InterruptForm,
    LiftForm,
    OverrideForm,
    RangedForm,
    ReinforceForm,
    UndoForm,
)
from battles.selectors.pages.battle import BattlePage, Look, battle_page
from battles.views.going import go
from battles.views.pinning import forget_secret, pinned
from kingdom.inputs import whole_in
from kingdom.pages import render_page
from kingdom.requests import PageRequest
from rules.dice import DiceNeeded
from rules.errors import Refusal

OK, STALE, REFUSED = 200, 412, 422
WITH_DICE = ("resolve", "next")
SIMPLE: dict[str, Any] = {
    "condition": ConditionForm,
    "lift": LiftForm,
    "override": OverrideForm,
    "reinforce": ReinforceForm,
    "interrupt": InterruptForm,
    "end": EndForm,
    "undo": UndoForm,
    "ranged": RangedForm,
}


@login_required
@require_safe
def battle(request: PageRequest, battle_id: UUID) -> HttpResponse:
    page = battle_page(request.user, battle_id, _look(request))
    return _drawn(request, page)


@login_required
@require_POST
def command(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Carry out what a form of the page asks for; refused, it comes back with what was typed."""
    page = battle_page(request.user, battle_id)
    form = _form(request, page)
    try:
        if not form.is_valid():
            return _drawn(request, page, form, REFUSED)
        _obey(request, page, form)
    except DiceNeeded as needed:
        return _asking(request, page, form, needed)
    except services.StaleVersion as stale:
        return _stale(request, battle_id, stale)
    except Refusal as refusal:
        form.refused(refusal)
        return _drawn(request, page, form, REFUSED)
    return _done(request, battle_id)


def _look(request: PageRequest) -> Look:
    asked = request.GET
    return Look(
        side=whole_in(asked.get("as"), most=99),
        doing=asked.get("do", ""),
        army=asked.get("army", "")[:60],
        what=asked.get("what", "")[:60],
    )


def _form(request: PageRequest, page: BattlePage) -> CommandForm:
    """The form that was sent. Raises `PermissionDenied` for what this user may not command."""
    data, kind = request.POST, request.POST.get("type", "")
    if kind == "order":
        card = next((card for card in page.cards if card.id == data.get("army")), None)
        if card is None or card.choices is None:
            raise PermissionDenied
        return OrderForm(card.choices, page.battle.version, data)
    if not page.gm:
        raise PermissionDenied
    if kind in WITH_DICE:
        return DiceForm(kind, page.battle.version, data)
    return SIMPLE.get(kind, UndoForm)(page, data)


def _obey(request: PageRequest, page: BattlePage, form: CommandForm) -> None:
    sides = tuple(side.name for side in page.state.sides)
    asked = request_from_json(form.to_json(), sides).asked
    seen: dict[str, Any] = {"by": request.user, "battle_id": page.battle.pk, "version": form.seen}
    match asked:
        case AskUndo():
            services.undo(**seen)
        case AskReinforce(army, side):
            services.reinforce(**seen, army_id=army, side=side)
        case _:
            services.play(**seen, command=asked, patient=True, **_dice(request, page, form))  # type: ignore[arg-type]
    forget_secret(request, page.battle.pk)


def _dice(request: PageRequest, page: BattlePage, form: CommandForm) -> dict[str, Any]:
    """What the table typed, whether it wants to be asked for the rest, and the dice of the server."""
    if not isinstance(form, DiceForm):
        return {}
    return {"typed": form.typed(), "ask": form.ask, "server": pinned(request, page.battle.pk, form.seen)}


def _asking(request: PageRequest, page: BattlePage, form: CommandForm, needed: DiceNeeded) -> HttpResponse:
    assert isinstance(form, DiceForm)
    form.ask_for(needed.asks, page.names)
    return _drawn(request, page, form)


def _stale(request: PageRequest, battle_id: UUID, stale: services.StaleVersion) -> HttpResponse:
    """Somebody acted first: the page as it is now, what was typed kept in it."""
    messages.warning(request, _("Somebody acted first. This is how things stand now; what you typed is kept."))
    page = battle_page(request.user, battle_id)
    try:
        form = _form(request, page)
        form.is_valid()
    except PermissionDenied:
        return _drawn(request, page, None, STALE)
    return _drawn(request, page, form, STALE)


def _done(request: PageRequest, battle_id: UUID) -> HttpResponse:
    if request.POST.get("next") == "aftermath":
        return go(request, "battles:aftermath", battle_id)
    if not request.htmx:
        return go(request, "battles:battle", battle_id)
    return _drawn(request, battle_page(request.user, battle_id))


def _drawn(request: PageRequest, page: BattlePage, sent: CommandForm | None = None, status: int = OK) -> HttpResponse:
    """The page, with the form that was sent in the place of the fresh one."""
    context = {"page": _with_orders(page, sent), "forms": _tray_forms(page, sent), "sent": sent}
    return render_page(request, "battles/battle.html", context, partial="field", status=status)


def _with_orders(page: BattlePage, sent: CommandForm | None) -> BattlePage:
    """Every card its reader commands gets the form for its orders."""
    sides = tuple(
        replace(side, cards=tuple(_with_form(page, card, sent) for card in side.cards)) for side in page.sides
    )
    return replace(page, sides=sides)


def _with_form(page: BattlePage, card: Any, sent: CommandForm | None) -> Any:
    if card.choices is None or card.choices.why_not is not None:
        return card
    if isinstance(sent, OrderForm) and sent.choices.army == card.id:
        return replace(card, form=sent)
    return replace(card, form=OrderForm(card.choices, page.battle.version))


def _tray_forms(page: BattlePage, sent: CommandForm | None) -> dict[str, CommandForm]:
    """The forms of the tray by kind; those that need a first step only once it is taken."""
    if page.tray is None:
        return {}
    forms: dict[str, CommandForm] = {
        kind: form(page) for kind, form in SIMPLE.items() if kind in (*page.tray.commands, page.look.doing)
    }
    for kind in ("condition", "override"):
        if page.look.doing != kind:
            forms.pop(kind, None)
    if sent is not None:
        forms[sent.kind] = sent
    return forms

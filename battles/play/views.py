"""Views of the battle page, and the single address for its commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import push_url, replace_url, reswap, retarget

from battles.field.bulk_orders import Many, TogetherForm
from battles.field.forms import ANSWER, AnswerForm, CommandForm, DiceForm, dice_words, pending_called
from battles.field.gm_forms import FORMS, ForwardForm, PlainForm, UndoForm
from battles.field.look import PICKS, Look
from battles.field.next_focus import UNDO, call_of, find_focus, pick_next, warn_of_late_order
from battles.field.page import BattlePage, build_battle_page, load_battle_page
from battles.field.table import FORECAST, LOG, TOOLS
from battles.field.verdict import ordered_last
from battles.log.parts import EVER
from battles.play.battle_state import get_law
from battles.play.dice_session import (
    carry_over,
    forget_secret,
    is_pinned,
    keep_open,
    ordered_since,
    pinned,
    put_away,
    read_left_open,
)
from battles.play.errors import BattleMovedOn
from battles.play.services import Played, play
from battles.queries import get_battle_for
from battles.ruleset_ui import get_battle_ui
from battles.setup.page import TAB
from core.clean_input import parse_whole
from core.forms.form_fields import read_sent
from kingdom.access.permissions import PageRequest
from kingdom.dice_fields import DieField, is_dice_field
from kingdom.rendering import go, render_page
from kingdom.templatetags.live import tab_badge
from rules.core.dice import DiceNeeded, Pinned
from rules.core.errors import Refusal

OK, STALE, REFUSED = 200, 412, 422
PICKED_MOST = 20
PICK_MOST = 80  # characters of a picked id
FIELD = "battles/field/field.html"
CHOSEN = "Field-Choice"
"""Request header of a choice on the field. It holds the version that the page shows."""
NO_TOOLS = ("order", "answer", "undo", "together")  # forms with a place of their own


@login_required
@require_safe
def battle(request: PageRequest, battle_id: UUID) -> HttpResponse:
    page = load_battle_page(request.user, battle_id, _look(request))
    left = _left_open(request, page)
    if left and not page.look.selection and (picked := look_sent(left.data)).selection:
        page = load_battle_page(request.user, battle_id, picked)
    return drawn(request, page, left)


@login_required
@require_POST
def command(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Carry out a form of the page. A refused form is drawn again with what was typed."""
    page = load_battle_page(request.user, battle_id, look_of_command(request))
    if warn_of_late_order(request, page):
        return drawn(request, page, status=STALE)
    form = _form(request, page)
    try:
        if not form.is_valid():
            if isinstance(form, DiceForm) and form.seen != page.battle.version:
                raise BattleMovedOn(page.battle.version)
            return drawn(request, page, form, REFUSED)
        taken_back = ordered_last(page) if form.kind == UNDO else ""
        done = _obey(request, page, form)
    except DiceNeeded as needed:
        return _asking(request, page, form, needed)
    except BattleMovedOn as stale:
        return _stale(request, battle_id, stale)
    except Refusal as refusal:
        form.refused(refusal)
        return drawn(request, page, form, REFUSED)
    return _done(request, done, form.kind, taken_back)


def _look(request: PageRequest) -> Look:
    asked = request.GET
    return Look(
        side=parse_whole(asked.get("as"), most=99),
        doing=asked.get("do", ""),
        army=asked.get("army", "")[:60],
        what=asked.get("what", "")[:60],
        picked=tuple(asked.getlist("pick")[:PICKED_MOST]),
        rail=_rail(asked.get("rail", "")),
        since=parse_whole(asked.get("since")) or EVER,
        **{name: asked.get(name, "")[:PICK_MOST] for name in PICKS},
        kept=_kept(asked),
    )


def _kept(asked: QueryDict, prefix: str = "") -> dict[str, str]:
    """Return the parameters that a look may keep. The law decides which it keeps (`Look.keeping`)."""
    names = [name for name in asked if name.startswith(prefix)][: 2 * PICKED_MOST]
    return {name.removeprefix(prefix): asked.get(name, "")[:PICK_MOST] for name in names}


def _rail(asked: str) -> str:
    return asked if asked in (FORECAST, LOG, TOOLS) else ""


def look_of_command(request: PageRequest) -> Look:
    """Return the look sent with a form of the page."""
    return look_sent(request.POST)


def look_sent(sent: Any) -> Look:
    """Return the look from sent parameters."""
    since = parse_whole(sent.get("since")) or EVER
    unit, to, target, hex_ = (sent.get(f"look-{name}", "")[:PICK_MOST] for name in PICKS)
    kept = _kept(sent, "look-")
    rail = _rail(sent.get("rail", ""))
    picked = tuple(sent.get("look-pick", "")[: PICK_MOST * PICKED_MOST].split()[:PICKED_MOST])
    return Look(
        army=sent.get("army", "")[:60], rail=rail, since=since, unit=unit, to=to, target=target, hex=hex_,
        picked=picked, kept=kept,
    )  # fmt: skip


def _left_open(request: PageRequest, page: BattlePage) -> DiceForm | None:
    """Return the form of dice being typed, as it was left. An open panel or another side's view hides it."""
    borrowed = page.borrowed or request.user.seen_by
    kept = None if page.look.doing or borrowed else read_left_open(request, page.battle)
    if kept is None:
        return None
    data, refused = kept
    form = _form(request, page, data)
    assert isinstance(form, DiceForm)
    if not refused or form.is_valid():
        form.resume()
    return form


def _form(request: PageRequest, page: BattlePage, sent: QueryDict | None = None) -> CommandForm:
    """Return the sent form. Raises `PermissionDenied` for what this user may not command, `BadRequest` for an unknown
    form.
    """
    data = read_sent(request) if sent is None else sent
    kind = data.get("type", "")
    if kind == "order":
        card = next((card for card in page.cards if card.id == data.get("army")), None)
        if card is None or card.choices is None:
            raise PermissionDenied
        return page.ui.order_form(page, card, data)
    if not (page.gm or kind in (*page.ui.by_players, UndoForm.kind)):
        raise PermissionDenied
    if kind in page.ui.onward:
        by_hand = request.user.types_dice
        return DiceForm(kind, page.battle.version, dice_words(page.battle), data, by_hand=by_hand)
    form = page.ui.command_form(page, kind, data)
    if form is None and kind == ANSWER:
        asked = pending_called(page.pending, data.get("key", ""))
        form = AnswerForm(page.battle.version, dice_words(page.battle), asked, data)
    if isinstance(form, DiceForm) and page.throws:
        form.usually_by_hand = request.user.types_dice
    if form is None and kind not in FORMS:
        raise BadRequest
    return form or FORMS[kind](page, data)


def _obey(request: PageRequest, page: BattlePage, form: CommandForm) -> Played:
    done = _tried(request, page, form)
    forget_secret(request, page.battle.pk)
    return done


def _tried(request: PageRequest, page: BattlePage, form: CommandForm) -> Played:
    """Carry out the form without forgetting the server's pinned dice, so that the caller may roll it back."""
    done = play(
        by=request.user,
        battle_id=page.battle.pk,
        version=form.seen,
        command=form.command_for(page.battle),
        patient=True,
        server=_server(request, page, form),
        **_dice(request, form),
    )
    assert isinstance(done, Played)  # the aftermath has a page of its own
    return done


def _dice(request: PageRequest, form: CommandForm) -> dict[str, Any]:
    """Return typed dice, and whether to ask for the rest."""
    if isinstance(form, ForwardForm):
        return {"ask": request.user.types_dice}
    return {"typed": form.typed(), "ask": form.ask} if isinstance(form, DiceForm) else {}


def _server(request: PageRequest, page: BattlePage, form: CommandForm) -> Pinned | None:
    """Return pinned dice. Dice rolled at once need no secret in the session, unless some were asked for before."""
    asked = isinstance(form, DiceForm) and (form.ask or is_pinned(request, page.battle.pk, form.seen))
    return pinned(request, page.battle.pk, form.seen) if asked else None


def _asking(request: PageRequest, page: BattlePage, form: CommandForm, needed: DiceNeeded) -> HttpResponse:
    if isinstance(form, ForwardForm):
        form = _phase_form(request, page)
    assert isinstance(form, DiceForm)
    form.ask_for(needed)
    return drawn(request, page, form)


def _phase_form(request: PageRequest, page: BattlePage) -> DiceForm:
    """Return the form of the current phase, in which its dice are typed."""
    assert page.tray is not None
    kind = page.tray.onward[0][0]
    data = request.POST.copy()
    data["type"], data["version"] = kind, str(page.battle.version)
    return DiceForm(kind, page.battle.version, dice_words(page.battle), data, by_hand=True)


def _stale(request: PageRequest, battle_id: UUID, stale: BattleMovedOn) -> HttpResponse:
    """Draw the current page after somebody else acted first. Input is kept as far as it still fits."""
    page = load_battle_page(request.user, battle_id, look_of_command(request))
    try:
        form = _form(request, page)
        form.is_valid()
    except (BadRequest, PermissionDenied):
        form = None
    if isinstance(form, DiceForm):
        return _stale_dice(request, page, form)
    messages.warning(request, _overtaken(form))
    return drawn(request, page, form, STALE)


def _stale_dice(request: PageRequest, page: BattlePage, form: DiceForm) -> HttpResponse:
    """Draw the page after dice for an outdated state. If only orders arrived, dice are asked for again with the typed
    faces, for review. Otherwise they are reported and not used.
    """
    fresh, left = None, [*form.dice, *form.asked]
    if form.ask and any(die.typed for die in left) and ordered_since(page.battle, form.seen):
        again = request.POST.copy()
        for name in filter(is_dice_field, tuple(again)):
            del again[name]
        again["version"] = str(page.battle.version)
        found = _form(request, page, again)
        assert isinstance(found, DiceForm)
        found.is_valid()
        unused = carry_over(form, found, lambda asked: _tried(request, page, asked))
        fresh, left = (found, unused) if unused is not None else (None, left)
    form.introduce(page.names)
    messages.warning(request, _overtaken(fresh, [die for die in left if die.face]))
    return drawn(request, page, fresh, STALE)


def _overtaken(form: CommandForm | None, unused: Sequence[DieField] = ()) -> str:
    """Return a message on the fate of the submitted command."""
    if unused:
        told = _("Someone else acted first. This is the current state. Your dice weren’t used: %(dice)s.")
        return told % {"dice": ", ".join(f"{die.who} {die.label} {die.shown}" for die in unused)}
    if isinstance(form, DiceForm):
        return _("Someone else acted first. Your dice were kept. Check that they still apply, then continue.")
    if form is None or isinstance(form, PlainForm):
        return _("Someone else acted first. This is the current state.")
    return _("Someone else acted first. This is the current state; your entries were kept.")


def _done(request: PageRequest, done: Played, kind: str, taken_back: str) -> HttpResponse:
    """Draw the page on which the work continues. `taken_back` is the army whose order was undone."""
    if request.POST.get("next") == "aftermath":
        if kind == UNDO:
            messages.success(request, _("The aftermath is undone."))
        return go(request, "battles:aftermath", done.battle.pk)
    look = get_battle_ui(get_law(done.battle)).looks_on(look_of_command(request), kind)
    page = pick_next(build_battle_page(request.user, done.battle, done.state, look), kind, taken_back)
    if done.needed:
        return _asking(request, page, _phase_form(request, page), done.needed)
    return go_on(request, page, find_focus(page, kind))


def go_on(request: PageRequest, page: BattlePage, focus: str) -> HttpResponse:
    """Draw the page with the focus on this element. Without scripts the browser goes to its anchor."""
    if not request.htmx:
        return redirect(f"{page.here}#{focus}")
    return replace_url(drawn(request, page, focus=focus), page.here)


def drawn(
    request: PageRequest, page: BattlePage, sent: CommandForm | None = None, status: int = OK, focus: str = ""
) -> HttpResponse:
    """Draw the page with the sent form in place of the fresh one. `focus` is the id of the element to focus."""
    if isinstance(sent, DiceForm) and sent.asked:
        sent.introduce(page.names, {card.id: side.colour for side in page.sides for card in side.cards})
        keep_open(request, page.battle, sent)
    page = _with_tool(page, sent)
    forms = _desk_forms(page, sent)
    step = next((form for form in forms.values() if form.own_template), None)
    context = {"page": page, "forms": forms, "step": step, "sent": sent, "card": _on_the_desk(page, sent)}
    context |= {
        "focus": focus,
        "call": call_of(page, request.user),
        "many": Many(page, sent if isinstance(sent, TogetherForm) else None),
        "questions": _questions(page, sent),
        "awaits": tab_badge(request.user, page.campaign, TAB) if request.htmx else "",
    }
    piece = _piece(request, page, sent)
    answer = render_page(request, "battles/field/battle.html", context, piece=piece, status=status)
    if CHOSEN in request.headers:
        answer = _chosen(answer, page, whole=piece == FIELD)
    return answer


def _piece(request: PageRequest, page: BattlePage, sent: CommandForm | None) -> str:
    """Return the template: the whole field, or only what a choice on it changes if nothing else happened."""
    shown = request.headers.get(CHOSEN, "")
    alone = shown == str(page.battle.version) and sent is None
    return (page.ui.choice_template if alone else "") or FIELD


def _chosen(answer: HttpResponse, page: BattlePage, *, whole: bool) -> HttpResponse:
    """Set the address that shows the choice. The whole field replaces the one on the page."""
    patch_vary_headers(answer, [CHOSEN])
    if whole:
        answer = reswap(retarget(answer, "#battle"), "outerHTML")
    return push_url(answer, page.here)


def _with_tool(page: BattlePage, sent: CommandForm | None) -> BattlePage:
    """Open the rail with the GM's tool that was refused."""
    elsewhere = sent is None or isinstance(sent, DiceForm) or sent.kind in NO_TOOLS
    return page if elsewhere or page.tray is None else replace(page, look=replace(page.look, rail=TOOLS))


def _on_the_desk(page: BattlePage, sent: CommandForm | None) -> Any:
    """Return the picked army, with an order form if its reader commands it."""
    card: Any = page.picked
    if card is None or not card.orderable:
        return card
    if sent is not None and sent.kind == "order" and sent.concerns == card.id:
        return replace(card, form=sent)
    return replace(card, form=page.ui.order_form(page, card))


def _questions(page: BattlePage, sent: CommandForm | None) -> list[AnswerForm]:
    """Return a form for each question the reader has to answer. The sent one replaces the fresh one."""
    words, version = dice_words(page.battle), page.battle.version
    key = sent.data.get("key") if isinstance(sent, AnswerForm) else None
    return [
        sent  # type: ignore[misc]
        if pending.key == key
        else AnswerForm(version, words, pending, prefix=f"{ANSWER}-{number}")
        for number, pending in enumerate(page.pending)
    ]


def _desk_forms(page: BattlePage, sent: CommandForm | None) -> dict[str, CommandForm]:
    """Return the GM's forms by kind. The sent one replaces the fresh one."""
    if page.tray is None or page.rail != TOOLS:
        return {} if sent is None else {sent.kind: sent}
    forms = {kind: form(page) for kind, form in FORMS.items() if kind in page.tray.commands}
    forms |= page.ui.desk_forms(page)
    return {**forms, sent.kind: sent} if sent is not None else forms


# View that discards dice being typed on a battle's page.


@login_required
@require_POST
def away(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Discard typed dice and return to the orders, with what was picked."""
    battle = get_battle_for(request.user, battle_id)
    put_away(request)
    look = look_of_command(request).keeping(get_battle_ui(get_law(battle)).kept)
    return redirect(reverse("battles:battle", args=[battle.pk]) + look.query())

"""Views of the aftermath, with the form of the GM's choices: proposal, choices, confirmation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles.aftermath.page import AftermathPage, aftermath_page
from battles.aftermath.services import (
    NO_AFTERMATH,
    AftermathProposal,
    confirm_aftermath,
    propose_aftermath,
    roll_anew,
)
from battles.aftermath.stored_dice import load_earlier_choices
from battles.field.forms import CommandForm, DiceForm, dice_words
from battles.models import Battle
from battles.play.errors import BattleMovedOn
from battles.play.services import play
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.chronicle.context import OWN_UNDO
from kingdom.rendering import go, render_page
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal
from rules.law import Question

# Form of the GM's choices in an aftermath.

STEM = "choice-"


class AnswerField(forms.ChoiceField):
    """Choice that shows its initial value if it was not in the submitted form."""

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if data is None else super().bound_data(data, initial)


class AftermathForm(DiceForm):
    """The GM's choices, with dice. They are read from the data as they come, since only the rules know which are asked
    for; `draw` makes their select fields.
    """

    def __init__(
        self,
        battle: Battle,
        data: QueryDict | None = None,
        *,
        by_hand: bool = False,
        before: Mapping[str, str] | None = None,
    ):
        """`before`: the choices of an earlier confirmation, for a form without data."""
        self.about: dict[str, str] = {}
        self.before = dict(before or {})
        super().__init__("aftermath", battle.version, dice_words(battle), data, by_hand=by_hand)

    @property
    def confirmed(self) -> bool:
        return self.data.get("do") == "confirm"

    @property
    def throws_again(self) -> bool:
        return self.data.get("do") == "reroll"

    def choices(self) -> dict[str, str]:
        """The chosen slugs by the question's key, "" ("nothing") included."""
        if not self.is_bound:
            return self.before
        return {name.removeprefix(STEM): value for name, value in self.data.items() if name.startswith(STEM)}

    def leave_aside(self, keys: Iterable[str]) -> bool:
        """Drops earlier choices with these keys. Returns whether there were any."""
        gone = [key for key in keys if key in self.before]
        for key in gone:
            del self.before[key]
        return bool(gone)

    def draw(self, questions: Iterable[Question]) -> None:
        for question in questions:
            self.about[STEM + question.key] = question.about
            options = [(slug, render(label)) for slug, label in question.options]
            self.fields[STEM + question.key] = AnswerField(
                label=render(question.label), choices=options, initial=question.chosen or "", required=False
            )

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self._stems]

    @property
    def open_questions(self) -> int:
        """Number of choices nobody has made yet; those with a single option do not count."""
        made = self.data if self.is_bound else {STEM + key for key in self.before}
        return sum(name not in made and len(self.fields[name].choices) > 1 for name in self._stems)  # type: ignore[attr-defined]

    @property
    def _stems(self) -> list[str]:
        return [name for name in self.fields if name.startswith(STEM)]

    @property
    def asks(self) -> list[tuple[str, forms.BoundField]]:
        """The fields, each with the id of whom it is about."""
        return [(self.about[field.name], field) for field in self.questions]

    def refused(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors:
            self.add_error(None, render(message))


# Views of the aftermath: proposal, choices, confirmation.

OK, STALE, REFUSED = 200, 412, 422
SHARE = "share"
# JSON pointer of refused choices: itself for a choice that is not open, below it for an option that does not exist.
ALL_CHOICES = "/choices"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def aftermath(request: PageRequest, battle_id: UUID) -> HttpResponse:
    page = aftermath_page(request.user, battle_id)
    if page.battle.is_branch:
        messages.info(request, render(NO_AFTERMATH))
        return go(request, "battles:battle", page.battle.pk)
    data: QueryDict | None = request.POST if request.method == "POST" else None
    if data is not None:
        said = [form for form in page.said(data) if form.is_bound]
        if data.get("do") == SHARE and not said:
            return _closed(request, page)
        if refused := _say(request, page, said, data):
            return refused
        if data.get("do") == SHARE:
            return go(request, "battles:aftermath", page.battle.pk)
        if any(form.has_changed() for form in said):
            page = aftermath_page(request.user, battle_id)
            data = _as_of(data, page.battle.version)
    return _settle(request, page, data)


def _settle(request: PageRequest, page: AftermathPage, data: QueryDict | None) -> HttpResponse:
    if not page.gm or page.settled or not page.over:
        return _closed(request, page)
    before = load_earlier_choices(page.battle) if data is None else None
    form = AftermathForm(page.battle, data, by_hand=request.user.types_dice, before=before)
    if data is not None and form.is_valid() and form.confirmed:
        return _confirm(request, page, form)
    if data is not None and form.is_valid() and form.throws_again:
        return _throw_again(request, page, form)
    return _propose(request, page, form)


def _as_of(sent: QueryDict, version: int) -> QueryDict:
    """The submitted data, moved to a later version that only the sender's own entries have made."""
    data = sent.copy()
    data["version"] = str(version)
    return data


def _say(
    request: PageRequest, page: AftermathPage, said: Sequence[CommandForm], data: QueryDict
) -> HttpResponse | None:
    """Carries out what somebody decides for their armies, whichever button they pressed: all of it or nothing. Returns
    the page with what was typed if it is refused.
    """
    changed = [form for form in said if form.has_changed()]
    valid = [form.is_valid() for form in changed]  # a list: every form shows its errors
    if not all(valid):
        return _refused(request, page, said, data)
    form: CommandForm | None = None
    try:
        with transaction.atomic():
            for done, form in enumerate(changed):
                command = form.command_for(page.battle)
                play(by=request.user, battle_id=page.battle.pk, version=form.seen + done, command=command)
    except BattleMovedOn:
        messages.warning(request, _("Someone else acted first. This is the current state; your entries were kept."))
        return _refused(request, page, _as_now(page, changed), data, STALE)
    except Refusal as refusal:
        assert form is not None
        form.refused(refusal)
        return _refused(request, page, said, data)
    if changed:
        messages.success(request, _("Losses redistributed."))
    return None


def _as_now(page: AftermathPage, changed: Sequence[CommandForm]) -> list[CommandForm]:
    """The forms as they are now, but for those that the sender changed."""
    sent = {form.prefix: form for form in changed}
    return [sent.get(form.prefix, form) for form in page.said()]


def _refused(
    request: PageRequest, page: AftermathPage, said: Sequence[CommandForm], data: QueryDict, status: int = REFUSED
) -> HttpResponse:
    if page.gm:
        return _propose(request, page, AftermathForm(page.battle, data), status, said=said)
    return render_page(request, "battles/aftermath/aftermath.html", {"page": page, "said": said}, partial="proposal",
                       status=status)  # fmt: skip


def _closed(request: PageRequest, page: AftermathPage) -> HttpResponse:
    """The confirmed or unavailable aftermath. A GM whose POST comes too late, after another GM's or a double click,
    gets a warning.
    """
    overtaken = request.method == "POST"
    if overtaken and not page.gm:
        raise PermissionDenied
    if overtaken:
        messages.warning(request, _("Someone else acted first. This is the current state."))
    status = STALE if overtaken else OK
    context = {"page": page, "said": page.said()}
    return render_page(request, "battles/aftermath/aftermath.html", context, partial="proposal", status=status)


def _confirm(request: PageRequest, page: AftermathPage, form: AftermathForm) -> HttpResponse:
    try:
        confirm_aftermath(**_asked(request, page, form, form.seen))
    except BattleMovedOn:
        messages.warning(request, _("Someone else acted first. This is the current state; your entries were kept."))
        return _propose(request, page, form, STALE)
    except DiceNeeded:  # these choices need dice that nobody has typed
        return _propose(request, page, form)
    except Refusal as refusal:
        form.refused(refusal)
        return _propose(request, page, form, REFUSED)
    told = _("Aftermath confirmed and written into the chronicle.")
    messages.success(request, told, extra_tags=OWN_UNDO)
    return go(request, "battles:aftermath", page.battle.pk)


def _throw_again(request: PageRequest, page: AftermathPage, form: AftermathForm) -> HttpResponse:
    """Rerolls the dice of the aftermath."""
    try:
        roll_anew(by=request.user, battle_id=page.battle.pk, version=form.seen)
    except BattleMovedOn:
        messages.warning(request, _("Someone else acted first. This is the current state; your entries were kept."))
        return _propose(request, page, form, STALE)
    except Refusal as refusal:
        form.refused(refusal)
        return _propose(request, page, form, REFUSED)
    messages.success(request, _("Dice rolled again. The log keeps the earlier ones."))
    return go(request, "battles:aftermath", page.battle.pk)


def _propose(
    request: PageRequest, page: AftermathPage, form: AftermathForm, status: int = OK, said: Any = None
) -> HttpResponse:
    """The page with the proposal for the choices so far, or with the dice to type first."""
    proposal = None
    if not form.is_bound or form.is_valid() or status != OK:
        try:
            proposal = _proposal(request, page, form)
        except DiceNeeded as needed:
            form.ask_for(needed)
        except Refusal as refusal:
            form.refused(refusal)
            proposal = _plain_proposal(request, page)
    if proposal is not None:
        form.draw(proposal.questions)
    form.introduce(page.names, page.colours)
    context = {
        "page": page,
        "said": page.said() if said is None else said,
        "form": form,
        "proposal": proposal,
        "reckoning": page.proposed(proposal, form.asks) if proposal else None,
    }
    return render_page(
        request, "battles/aftermath/aftermath.html", context, partial="proposal", status=_status(form, status)
    )


def _proposal(request: PageRequest, page: AftermathPage, form: AftermathForm) -> AftermathProposal:
    """The proposal for the submitted choices, without those that the typed dice have made obsolete, and without earlier
    choices that are no longer offered.
    """
    asked = _asked(request, page, form, page.battle.version)
    try:
        return propose_aftermath(**asked)
    except Refusal as refusal:
        pointers = [pointer for pointer, _message in refusal.errors]
        if form.leave_aside(pointer.removeprefix(f"{ALL_CHOICES}/") for pointer in pointers):
            return _proposal(request, page, form)
        if pointers != [ALL_CHOICES]:
            raise
    open_now = {question.key for question in propose_aftermath(**{**asked, "choices": {}}).questions}
    return propose_aftermath(
        **{**asked, "choices": {key: chosen for key, chosen in asked["choices"].items() if key in open_now}}
    )


def _plain_proposal(request: PageRequest, page: AftermathPage) -> AftermathProposal:
    """The proposal with every choice at its default."""
    plain = AftermathForm(page.battle)
    return propose_aftermath(**_asked(request, page, plain, page.battle.version))


def _status(form: AftermathForm, status: int) -> int:
    return REFUSED if status == OK and form.is_bound and form.errors else status


def _asked(request: PageRequest, page: AftermathPage, form: AftermathForm, version: int) -> dict[str, Any]:
    return {
        "by": request.user,
        "battle_id": page.battle.pk,
        "version": version,
        "choices": form.choices(),
        "typed": form.typed(),
        "ask": form.ask,
    }

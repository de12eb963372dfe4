"""Page that reforms armies, under any ruleset: choose, preview, confirm."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armies.forces.access import get_army_run_by, list_army_names
from armies.models import Army, Commander
from armies.reform.plans import MOST_ARMIES, leader_of
from core.clean_input import NAME_MAX
from core.forms.form_fields import Whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.models import User
from kingdom.onboarding.checklist import number_names
from kingdom.rendering import render_page
from rules.core.errors import Refusal, StaleProposal

OK, STALE, REFUSED = 200, 412, 422


class ChoiceForm(forms.Form):
    """Choice of the participating armies, and of the number of armies afterwards. `sizes`: a number beside each name,
    by army.
    """

    others = forms.MultipleChoiceField(
        label=gettext_lazy("Combine with"), required=False, widget=forms.CheckboxSelectMultiple
    )
    number = Whole(label=gettext_lazy("Number of armies afterwards"), least=1, most=MOST_ARMIES, required=False)

    def __init__(self, data: QueryDict | None, candidates: Sequence[Army], size: Callable[[Any], int]):
        super().__init__(data)
        named = [(str(army.pk), f"{army.name} ({size(army)})") for army in candidates]
        self.fields["others"].choices = named  # type: ignore[attr-defined]
        if not candidates:
            del self.fields["others"]


class PartForm(forms.Form):
    """Name and commander of an army afterwards. `own`: who commands it now; `leaders`: of all that take part."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_MAX)
    commander = forms.ChoiceField(label=gettext_lazy("Commander"), required=False)

    def __init__(self, data: QueryDict | None, own: Commander | None, leaders: Sequence[Commander], **more: Any):
        super().__init__(data, **more)
        others = [(str(leader.pk), leader.name) for leader in leaders if leader != own]
        self.fields["commander"].choices = [("", own.name if own else _("nobody")), *others]  # type: ignore[attr-defined]
        if not leaders:
            del self.fields["commander"]


@dataclass
class ReformPage[A: Army]:
    """The choices with their preview. `choice` says which armies take part; `parts` are the forms of the armies
    afterwards.
    """

    army: A
    candidates: Sequence[A]
    choice: ChoiceForm
    others: Sequence[A] = ()
    number: int = 2
    parts: Sequence[PartForm] = ()
    plan: Any = None

    @property
    def armies(self) -> list[A]:
        return [self.army, *self.others]

    @property
    def asked(self) -> str:
        """Identity of the choice that the forms of the parts belong to. Forms sent for another choice are ignored."""
        return ",".join([*(str(army.pk) for army in self.others), str(len(self.parts))])

    @property
    def names(self) -> list[str]:
        """Names of the armies afterwards: those that take part, then new ones."""
        kept = [army.name for army in self.armies[: self.number]]
        return [*kept, *number_names(self.army.name, self.number - len(kept), list_army_names(self.army.kingdom))]

    def find_army(self, place: int) -> A | None:
        """The army that goes on at this place; None for a new one."""
        return self.armies[place] if place < len(self.armies) else None

    def find_leader(self, place: int) -> Any:
        """Current commander of that army."""
        army = self.find_army(place)
        return leader_of(army) if army else None

    def read_part(self, place: int) -> tuple[Mapping[str, Any], Any]:
        """Data of a part's form, as sent or proposed, and the commander it names."""
        form = self.parts[place]
        given = form.cleaned_data if form.is_bound else form.initial
        return given, next((one for one in self.leaders if str(one.pk) == given.get("commander")), None)

    @property
    def leaders(self) -> list[Any]:
        return [leader for army in self.armies if (leader := leader_of(army))]

    @property
    def forms(self) -> list[forms.Form]:
        """All its forms but `choice`."""
        return list(self.parts)

    @property
    def refused(self) -> bool:
        return bool(self.choice.errors or any(form.errors for form in self.forms))

    def choose(self, sent: QueryDict | None) -> bool:
        """Reads which armies take part. Returns whether that is valid."""
        if sent is None:
            return True
        if not self.choice.is_valid():
            return False
        chosen = self.choice.cleaned_data.get("others", [])
        self.others = [row for row in self.candidates if str(row.pk) in chosen]
        self.number = self.choice.cleaned_data["number"] or (1 if self.others else 2)
        return True


class ReformDesk[A: Army, P: ReformPage[Any]](ABC):
    """Hooks by which a ruleset reforms armies on the page. The button `do` is `choose`, `preview`, `confirm` or one of
    its own.
    """

    template: str
    kind: type[A]
    pointed: re.Pattern[str]
    """Pointer to a field: the number of the part and the name of its field."""

    @abstractmethod
    def read(self, sent: QueryDict | None, army: A, *, afresh: bool) -> P:
        """The page with the submitted data. `afresh`: the parts are proposed anew."""

    @abstractmethod
    def plan(self, page: P) -> Any:
        """Plan described by the forms. Raises `Refusal`."""

    @abstractmethod
    def reform(self, by: User, page: P, mark: str) -> None:
        """Carries the plan out. Raises `Refusal`."""

    def answer(self, request: PageRequest, army_id: UUID) -> HttpResponse:
        army = get_army_run_by(request.user, army_id, self.kind)
        require_offered(request.user, army.campaign, "raise")
        do = request.POST.get("do", "choose")
        page = self.read(request.POST if request.method == "POST" else None, army, afresh=do == "choose")
        if (done := self.do_more(request, page, do)) is not None:
            return done
        if do == "confirm" and (page.plan or self._is_complete(page)):
            return self._confirm(request, page)
        self._preview(page)
        return self.draw(request, page)

    def do_more(self, request: PageRequest, page: P, do: str) -> HttpResponse | None:
        """Answers a button of the ruleset's own; None for the others."""
        return None

    def _is_complete(self, page: P) -> bool:
        """Whether all forms were sent and are valid. Each is checked, so that each shows what is wrong."""
        valid = [form.is_bound and form.is_valid() for form in (page.choice, *page.forms)]
        return bool(page.parts) and all(valid)

    def _preview(self, page: P) -> None:
        """Computes the plan described by the forms, unless it was computed already as a proposal. A refusal stands
        beside its field.
        """
        if page.plan or not (self._is_complete(page) or self._is_unsent(page)):
            return
        try:
            page.plan = self.plan(page)
        except Refusal as refusal:
            self.point(page, refusal)

    def _is_unsent(self, page: P) -> bool:
        """Whether the forms of the parts are new, for a valid choice."""
        chosen = not page.choice.is_bound or page.choice.is_valid()
        return chosen and not any(form.is_bound for form in page.forms)

    def point(self, page: P, refusal: Refusal) -> None:
        """Puts each message beside its field, else above the form."""
        for pointer, message in refusal.errors:
            found = self.pointed.match(pointer)
            form = page.parts[int(found[1])] if found and int(found[1]) < len(page.parts) else None
            if found and form is not None and form.is_bound:
                form.add_error(found[2] if found[2] in form.fields else None, render(message))
            else:
                tell(page.choice, render(message))

    def _confirm(self, request: PageRequest, page: P) -> HttpResponse:
        try:
            self.reform(request.user, page, request.POST.get("mark", ""))
        except StaleProposal as stale:
            messages.warning(request, render(stale.message))
            page.plan = None
            self._preview(page)
            return self.draw(request, page, status=STALE)
        except Refusal as refusal:
            self.point(page, refusal)
            return self.draw(request, page)
        messages.success(request, _("The armies were reformed."))
        return redirect("armies:army", page.army.pk)

    def draw(self, request: PageRequest, page: P, *, status: int = OK) -> HttpResponse:
        if page.refused:
            status = REFUSED if request.method == "POST" else OK
        campaign = page.army.campaign
        context = {
            "page": page,
            "army": page.army,
            "campaign": campaign,
            "kingdom": page.army.kingdom,
            "leave": leave_of(request.user, campaign)["raise"],
        }
        return render_page(request, self.template, context, status=status)


def tell(form: Any, message: str) -> None:
    """Adds an error to a form, even if nothing was sent yet."""
    if not form.is_bound:
        form.is_bound, form.cleaned_data, form._errors = True, {}, forms.utils.ErrorDict()
    form.add_error(None, message)

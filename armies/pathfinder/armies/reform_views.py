"""Page that divides, combines, evens out and regroups armies (R-94): choose, preview, confirm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms.boundfield import BoundField
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from armies.forces.access import list_army_names
from armies.pathfinder.armies.reform_queries import list_candidates
from armies.pathfinder.armies.reform_services import (
    FormedArmy,
    ReformPlan,
    WantedArmy,
    combine,
    preview_reform,
    preview_regroup,
    reform_armies,
    regroup_army,
)
from armies.pathfinder.forces.access import get_army_run_by
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from core.clean_input import NAME_MAX
from core.forms.form_fields import Whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.onboarding.checklist import number_names
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import render_page
from rules.core.content import Item
from rules.core.errors import Refusal, StaleProposal
from rules.pathfinder.reform import MOST_PARTS, Troops, even_parts
from rules.pathfinder.spec import MOST_UNITS

OK, STALE, REFUSED = 200, 412, 422
POINTED = re.compile(r"^/parts/(\d+)/(count|name|commander|resources/[a-z-]+)$")


class ChoiceForm(forms.Form):
    """Which armies take part, and how many come of them."""

    others = forms.MultipleChoiceField(
        label=gettext_lazy("Combine with"), required=False, widget=forms.CheckboxSelectMultiple
    )
    number = Whole(label=gettext_lazy("Number of armies afterwards"), least=1, most=MOST_PARTS, required=False)

    def __init__(self, data: QueryDict | None, candidates: Sequence[PathfinderArmy]):
        super().__init__(data)
        named = [(str(army.pk), f"{army.name} ({army.count})") for army in candidates]
        self.fields["others"].choices = named  # type: ignore[attr-defined]
        if not candidates:
            del self.fields["others"]


class PartForm(forms.Form):
    """One army that is wanted."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_MAX)
    count = Whole(label=gettext_lazy("Number of units"), least=1, most=MOST_UNITS)
    commander = forms.ChoiceField(label=gettext_lazy("Commander"), required=False)

    def __init__(self, data: QueryDict | None, own: PathfinderCommander | None,
                 leaders: Sequence[PathfinderCommander], goods: Mapping[Item, int], **more: Any):  # fmt: skip
        super().__init__(data, **more)
        others = [(str(leader.pk), leader.name) for leader in leaders if leader != own]
        self.fields["commander"].choices = [("", own.name if own else _("nobody")), *others]  # type: ignore[attr-defined]
        if not leaders:
            del self.fields["commander"]
        for item, pieces in goods.items():
            label = render(item.name)
            several = getattr(item, "several", False)
            self.fields[item.slug] = (
                Whole(label=label, least=0, most=pieces, required=False)
                if several
                else forms.BooleanField(label=label, required=False)
            )
        self.goods = [item.slug for item in goods]

    def resources(self) -> dict[str, int]:
        given = {slug: self.cleaned_data.get(slug) for slug in self.goods}
        return {slug: int(quantity) for slug, quantity in given.items() if quantity}

    @property
    def plain_fields(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name not in self.goods]

    @property
    def equipment(self) -> list[BoundField]:
        return [self[name] for name in self.goods]


class FormedLine(NamedTuple):
    """An army of the preview with its equipment in words."""

    formed: FormedArmy
    goods: Sequence[tuple[Item, int]]


@dataclass
class ReformPage:
    """The choices with their preview. `choice` says which armies take part; `parts` are the forms of the new ones."""

    army: PathfinderArmy
    candidates: Sequence[PathfinderArmy]
    choice: ChoiceForm
    others: Sequence[PathfinderArmy] = ()
    parts: Sequence[PartForm] = ()
    plan: ReformPlan | None = None

    @property
    def armies(self) -> list[PathfinderArmy]:
        return [self.army, *self.others]

    @property
    def heads(self) -> int:
        return sum(army.count for army in self.armies)

    @property
    def asked(self) -> str:
        """What the forms of the parts are about. Forms sent for another choice are ignored."""
        return ",".join([*(str(army.pk) for army in self.others), str(len(self.parts))])

    @cached_property
    def regrouped(self) -> Troops | None:
        """The army regrouped; None where it can't be."""
        try:
            return preview_regroup(army=self.army)
        except Refusal:
            return None

    @property
    def lines(self) -> list[FormedLine]:
        known = get_ruleset(self.army.campaign).resources
        return [
            FormedLine(one, [(known[slug], quantity) for slug, quantity in one.troops.army.resources.items()])
            for one in (self.plan.formed if self.plan else ())
        ]

    @property
    def stored(self) -> Iterator[tuple[Item, int, str]]:
        """Equipment for the stores: what, how many, of which army."""
        known, names = get_ruleset(self.army.campaign).resources, {str(army.pk): army.name for army in self.armies}
        for one in self.plan.stored if self.plan else ():
            yield known[one.resource], one.quantity, names[one.army]

    @property
    def refused(self) -> bool:
        return bool(self.choice.errors or any(form.errors for form in self.parts))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def army_reform(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The page; `do` is `choose`, `preview`, `confirm` or `regroup`."""
    army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "raise")
    do = request.POST.get("do", "choose")
    page = _read(request.POST if request.method == "POST" else None, army, afresh=do == "choose")
    if do == "regroup":
        return _regroup(request, page)
    _preview(page)
    if do == "confirm" and page.plan:
        return _confirm(request, page)
    return _draw(request, page)


def _read(sent: QueryDict | None, army: PathfinderArmy, *, afresh: bool) -> ReformPage:
    """The page with what was sent. `afresh`: the parts are proposed anew."""
    candidates = list_candidates(army)
    page = ReformPage(army, candidates, ChoiceForm(sent, candidates))
    if sent is None:
        page.choice = ChoiceForm(None, candidates)
        number = 2
    elif not page.choice.is_valid():
        return page
    else:
        chosen = page.choice.cleaned_data.get("others", [])
        page.others = [row for row in candidates if str(row.pk) in chosen]
        number = page.choice.cleaned_data["number"] or (1 if page.others else 2)
    names = _name_parts(page, number)
    page.parts = [_build_part(page, place, name, None) for place, name in enumerate(names)]
    if sent is not None and not afresh and sent.get("asked") == page.asked:
        page.parts = [_build_part(page, place, name, sent) for place, name in enumerate(names)]
    else:
        _propose(page, names)
    return page


def _name_parts(page: ReformPage, number: int) -> list[str]:
    kept = [army.name for army in page.armies[:number]]
    return [*kept, *number_names(page.army.name, number - len(kept), list_army_names(page.army.kingdom))]


def _build_part(page: ReformPage, place: int, name: str, sent: QueryDict | None, **initial: Any) -> PartForm:
    known = get_ruleset(page.army.campaign).resources
    goods: dict[Item, int] = {}
    for army in page.armies:
        for row in army.resources.all():
            goods[known[row.resource]] = goods.get(known[row.resource], 0) + row.quantity
    leaders = [army.leader for army in page.armies if army.leader]
    own = page.armies[place].leader if place < len(page.armies) else None
    return PartForm(sent, own, leaders, goods, prefix=f"part{place}", initial={"name": name, **initial})


def _propose(page: ReformPage, names: Sequence[str]) -> None:
    """Fills the forms with parts of about one size, and with the equipment and commanders that the rules give them."""
    counts = even_parts(page.heads, len(names))
    wanted = [_wanted(page, place, name, count) for place, (name, count) in enumerate(zip(names, counts, strict=True))]
    if len(wanted) == 1:
        wanted = [combine(page.armies)]
    try:
        page.plan = preview_reform(army=page.army, others=page.others, parts=wanted)
    except Refusal:  # told where the parts are previewed
        page.parts = [_build_part(page, place, name, None, count=count)
                      for place, (name, count) in enumerate(zip(names, counts, strict=True))]  # fmt: skip
        return
    page.parts = [
        _build_part(page, place, one.name, None, count=one.troops.army.count, **one.troops.army.resources,
                    commander=_other_leader(page, place, one))
        for place, one in enumerate(page.plan.formed)
    ]  # fmt: skip


def _other_leader(page: ReformPage, place: int, one: FormedArmy) -> str:
    """Id of its commander; "" for nobody, and for who leads it already."""
    own = page.armies[place].leader if place < len(page.armies) else None
    return str(one.commander.pk) if one.commander and one.commander != own else ""


def _wanted(page: ReformPage, place: int, name: str, count: int, **more: Any) -> WantedArmy:
    return WantedArmy(count, page.armies[place] if place < len(page.armies) else None, name, **more)


def _preview(page: ReformPage) -> None:
    """Computes what comes of the forms. A refusal stands beside its field."""
    if page.choice.is_bound and not page.choice.is_valid():
        return
    bound = [form for form in page.parts if form.is_bound]
    if not all(form.is_valid() for form in bound):
        return
    try:
        page.plan = preview_reform(army=page.army, others=page.others, parts=list(_read_parts(page)))
    except Refusal as refusal:
        _point(page, refusal)


def _read_parts(page: ReformPage) -> Iterator[WantedArmy]:
    leaders = {str(army.leader.pk): army.leader for army in page.armies if army.leader}
    for place, form in enumerate(page.parts):
        given = form.cleaned_data if form.is_bound else form.initial
        goods = form.resources() if form.is_bound else {slug: form.initial[slug] for slug in form.goods
                                                        if form.initial.get(slug)}  # fmt: skip
        leader = leaders.get(given.get("commander", ""))
        yield _wanted(page, place, given["name"], given["count"], commander=leader, resources=goods)


def _point(page: ReformPage, refusal: Refusal) -> None:
    """Puts each message beside its field, else above the form."""
    for pointer, message in refusal.errors:
        found = POINTED.match(pointer)
        if found and int(found[1]) < len(page.parts) and page.parts[int(found[1])].is_bound:
            form, name = page.parts[int(found[1])], found[2].removeprefix("resources/")
            form.add_error(name if name in form.fields else None, render(message))
        else:
            _tell(page.choice, render(message))


def _tell(form: Any, message: str) -> None:
    """Adds an error to a form, even if nothing was sent yet."""
    if not form.is_bound:
        form.is_bound, form.cleaned_data, form._errors = True, {}, forms.utils.ErrorDict()
    form.add_error(None, message)


def _confirm(request: PageRequest, page: ReformPage) -> HttpResponse:
    try:
        reform_armies(by=request.user, army=page.army, others=page.others, parts=list(_read_parts(page)),
                      mark=request.POST.get("mark", ""))  # fmt: skip
    except StaleProposal as stale:
        messages.warning(request, render(stale.message))
        return _draw(request, page, status=STALE)
    except Refusal as refusal:
        _point(page, refusal)
        return _draw(request, page)
    messages.success(request, _("The armies were reformed."))
    return redirect("armies:army", page.army.pk)


def _regroup(request: PageRequest, page: ReformPage) -> HttpResponse:
    try:
        regroup_army(by=request.user, army=page.army)
    except Refusal as refusal:
        _tell(page.choice, render(refusal.message))
        return _draw(request, page)
    messages.success(request, _("%(army)s was regrouped.") % {"army": page.army.name})
    return redirect("armies:army", page.army.pk)


def _draw(request: PageRequest, page: ReformPage, *, status: int = OK) -> HttpResponse:
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
    return render_page(request, "armies/pathfinder/armies/reform.html", context, status=status)

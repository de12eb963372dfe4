"""Page that divides, combines, evens out and regroups armies of mass combat (R-94)."""

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
from armies.pathfinder.models import PathfinderArmy
from armies.reform.views import ChoiceForm, PartForm, ReformDesk, ReformPage, tell
from core.forms.form_fields import Whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.content import Item
from rules.core.errors import Refusal
from rules.pathfinder.reform import Troops, even_parts
from rules.pathfinder.spec import MOST_UNITS


class TroopsForm(PartForm):
    """Form of one resulting army, with its units and equipment."""

    count = Whole(label=gettext_lazy("Number of units"), least=1, most=MOST_UNITS)
    field_order = ("name", "count", "commander")

    def __init__(self, *who: Any, goods: Mapping[Item, int], **more: Any):
        super().__init__(*who, **more)
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
class TroopsPage(ReformPage[PathfinderArmy]):
    """The choices, the forms of the armies afterwards, and their preview."""

    parts: Sequence[TroopsForm] = ()
    plan: ReformPlan | None = None

    @property
    def heads(self) -> int:
        return sum(army.count for army in self.armies)

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


class TroopsDesk(ReformDesk[PathfinderArmy, TroopsPage]):
    template = "armies/pathfinder/armies/reform.html"
    kind = PathfinderArmy
    pointed = re.compile(r"^/parts/(\d+)/(?:resources/)?([a-z-]+)$")

    def read(self, sent: QueryDict | None, army: PathfinderArmy, *, afresh: bool) -> TroopsPage:
        candidates = list_candidates(army)
        page = TroopsPage(army, candidates, ChoiceForm(sent, candidates, lambda row: row.count))
        if not page.choose(sent):
            return page
        names = page.names
        page.parts = [_build_part(page, place, name, None) for place, name in enumerate(names)]
        if sent is not None and not afresh and sent.get("asked") == page.asked:
            page.parts = [_build_part(page, place, name, sent) for place, name in enumerate(names)]
        else:
            _propose(page, names)
        return page

    def plan(self, page: TroopsPage) -> ReformPlan:
        return preview_reform(army=page.army, others=page.others, parts=list(_read_parts(page)))

    def reform(self, by: User, page: TroopsPage, mark: str) -> None:
        parts = list(_read_parts(page))
        reform_armies(by=by, army=page.army, others=page.others, parts=parts, mark=mark)

    def do_more(self, request: PageRequest, page: TroopsPage, do: str) -> HttpResponse | None:
        if do != "regroup":
            return None
        try:
            regroup_army(by=request.user, army=page.army)
        except Refusal as refusal:
            tell(page.choice, render(refusal.message))
            return self.draw(request, page)
        messages.success(request, _("%(army)s regrouped.") % {"army": page.army.name})
        return redirect("armies:army", page.army.pk)


DESK = TroopsDesk()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def army_reform(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The page; `do` is `choose`, `preview`, `confirm` or `regroup`."""
    return DESK.answer(request, army_id)


def _build_part(page: TroopsPage, place: int, name: str, sent: QueryDict | None, **initial: Any) -> TroopsForm:
    known = get_ruleset(page.army.campaign).resources
    goods: dict[Item, int] = {}
    for army in page.armies:
        for row in army.resources.all():
            goods[known[row.resource]] = goods.get(known[row.resource], 0) + row.quantity
    return TroopsForm(
        sent,
        page.find_leader(place),
        page.leaders,
        goods=goods,
        prefix=f"part{place}",
        initial={"name": name, **initial},
    )


def _propose(page: TroopsPage, names: Sequence[str]) -> None:
    """Fills the forms with parts of about one size, and with the equipment and commanders that the rules give them."""
    counts = even_parts(page.heads, len(names))
    wanted = [_wanted(page, place, name, count) for place, (name, count) in enumerate(zip(names, counts, strict=True))]
    if len(wanted) == 1:
        wanted = [combine(page.armies)]
    try:
        page.plan = preview_reform(army=page.army, others=page.others, parts=wanted)
    except Refusal:  # shown where the parts are previewed
        page.parts = [_build_part(page, place, name, None, count=count)
                      for place, (name, count) in enumerate(zip(names, counts, strict=True))]  # fmt: skip
        return
    page.parts = [
        _build_part(page, place, one.name, None, count=one.troops.army.count, **one.troops.army.resources,
                    commander=_other_leader(page, place, one))
        for place, one in enumerate(page.plan.formed)
    ]  # fmt: skip


def _other_leader(page: TroopsPage, place: int, one: FormedArmy) -> str:
    """Id of its commander; "" for nobody, and for who leads it already."""
    own = page.find_leader(place)
    return str(one.commander.pk) if one.commander and one.commander != own else ""


def _wanted(page: TroopsPage, place: int, name: str, count: int, **more: Any) -> WantedArmy:
    return WantedArmy(count, page.find_army(place), name, **more)


def _read_parts(page: TroopsPage) -> Iterator[WantedArmy]:
    for place, form in enumerate(page.parts):
        given, leader = page.read_part(place)
        goods = form.resources() if form.is_bound else {slug: form.initial[slug] for slug in form.goods
                                                        if form.initial.get(slug)}  # fmt: skip
        yield _wanted(page, place, given["name"], given["count"], commander=leader, resources=goods)

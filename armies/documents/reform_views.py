"""Page that divides and combines armies with a declared document, by choosing an army for each entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.forms.boundfield import BoundField
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from armies.documents.reform_queries import law_of, list_candidates, list_entries, ui_of
from armies.documents.reform_services import (
    DocumentPlan,
    FormedHost,
    ReformedPart,
    TakenTroops,
    preview_reform,
    reform_armies,
)
from armies.forces.access import get_army_run_by
from armies.models import Army
from armies.reform.views import ChoiceForm, PartForm, ReformDesk, ReformPage, tell
from core.forms.form_fields import Whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.models import User
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import Said

ROWS_MOST = 300
TAKES = re.compile(r"^/parts/(\d+)/takes/(\d+)(?:/(heads))?$")


class MovableRow(NamedTuple):
    """An entry of an army that takes part. `army`: its place among the armies. `heads`: None where it moves whole."""

    army: int
    part: str
    entry: int
    label: Said
    heads: int | None = None


class EntriesForm(forms.Form):
    """Destination of each entry: `to0`, `to1` … hold the position of a resulting army, `heads0` … the number of its
    heads.
    """

    def __init__(self, data: QueryDict | None, rows: Sequence[MovableRow], names: Sequence[str], stays: Sequence[int],
                 **more: Any):  # fmt: skip
        super().__init__(data, **more)
        self.rows = rows
        targets = [(str(place), f"{place + 1} · {name}") for place, name in enumerate(names)]  # long names are cut
        for number, row in enumerate(rows):
            named = {"entry": render(row.label)}
            self.fields[f"to{number}"] = forms.ChoiceField(
                label=_("Destination of %(entry)s") % named, choices=targets, initial=str(stays[row.army])
            )
            if row.heads is not None and row.heads > 1:
                self.fields[f"heads{number}"] = Whole(
                    label=_("Number to move of %(entry)s") % named, least=1, most=row.heads, required=False,
                    initial=row.heads,
                )  # fmt: skip

    def lines(self, army: int) -> Iterator[tuple[MovableRow, BoundField, BoundField | None]]:
        """The rows of an army, with their fields."""
        for number, row in enumerate(self.rows):
            if row.army == army:
                yield row, self[f"to{number}"], self[f"heads{number}"] if f"heads{number}" in self.fields else None

    def read(self) -> Iterator[tuple[int, MovableRow, int, int | None]]:
        """For each moved row: its number, the row, its destination, and the number of heads (None for all)."""
        given = self.cleaned_data if self.is_bound else {
            name: self.get_initial_for_field(one, name) for name, one in self.fields.items()
        }  # fmt: skip
        for number, row in enumerate(self.rows):
            to, heads = int(given[f"to{number}"]), given.get(f"heads{number}")
            if to != row.army:
                yield number, row, to, None if heads == row.heads else heads


class ShownHost(NamedTuple):
    """An army of the preview, with its entries in words."""

    formed: FormedHost
    entries: Sequence[Said]


class ShownArmy(NamedTuple):
    """An army that takes part, with its rows of the form."""

    army: Army
    lines: Sequence[tuple[MovableRow, BoundField, BoundField | None]]


@dataclass
class HostPage(ReformPage[Army]):
    """The choices, the forms of the armies afterwards and of their entries, and the preview."""

    plan: DocumentPlan | None = None
    entries: EntriesForm | None = None
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    """Numbers of the rows that were sent as the takes of the parts."""

    @property
    def forms(self) -> list[forms.Form]:
        return [*self.parts, *([self.entries] if self.entries else [])]

    @property
    def sheets(self) -> Any:
        return law_of(self.army.campaign)

    @property
    def rule(self) -> str:
        return str(ui_of(self.army.campaign).reform_rule)

    @property
    def divides(self) -> bool:
        """Whether something can go in part."""
        return any(row.heads is not None for row in self.entries.rows) if self.entries else False

    @property
    def shown_armies(self) -> list[ShownArmy]:
        entries = self.entries
        return (
            [ShownArmy(army, list(entries.lines(place))) for place, army in enumerate(self.armies)] if entries else []
        )

    @property
    def lines(self) -> Iterator[ShownHost]:
        for one in self.plan.formed if self.plan else ():
            labels = self.sheets.label_entries(one.sheet)
            yield ShownHost(one, [label for told in labels.values() for label in told])

    @property
    def takes(self) -> list[ReformedPart]:
        """The parts as they were sent, or are proposed."""
        taken: list[list[TakenTroops]] = [[] for _part in self.parts]
        self.numbers = {}
        for number, row, to, heads in self.entries.read() if self.entries else ():
            self.numbers[to, len(taken[to])] = number
            taken[to].append(TakenTroops(self.armies[row.army], row.part, row.entry, heads))
        found = []
        for place, moved in enumerate(taken):
            given, leader = self.read_part(place)
            found.append(ReformedPart(self.find_army(place), given["name"], leader, tuple(moved)))
        return found


class HostDesk(ReformDesk[Army, HostPage]):
    template = "armies/documents/reform.html"
    kind = Army
    pointed = re.compile(r"^/parts/(\d+)(?:/(name|commander))?$")

    def read(self, sent: QueryDict | None, army: Army, *, afresh: bool) -> HostPage:
        candidates = list_candidates(army)
        page = HostPage(army, candidates, ChoiceForm(sent, candidates, lambda row: row.health))
        if not page.choose(sent):
            return page
        rows = list(_list_rows(page.armies))
        if len(rows) > ROWS_MOST:
            tell(page.choice, _("These armies consist of too many parts. Choose fewer."))
            return page
        _build_forms(page, rows, None)
        if sent is not None and not afresh and sent.get("asked") == page.asked:
            _build_forms(page, rows, sent)
        else:
            _propose(page, rows)
        return page

    def plan(self, page: HostPage) -> DocumentPlan | None:
        parts = page.takes
        if not page.parts or not (page.parts[0].is_bound or any(part.takes for part in parts)):
            return None
        return preview_reform(army=page.army, others=page.others, parts=parts)

    def reform(self, by: User, page: HostPage, mark: str) -> None:
        reform_armies(by=by, army=page.army, others=page.others, parts=page.takes, mark=mark)

    def point(self, page: HostPage, refusal: Refusal) -> None:
        """Puts each message beside its field; messages about moved entries belong to the table of entries."""
        rest = []
        for pointer, message in refusal.errors:
            found = TAKES.match(pointer)
            number = page.numbers.get((int(found[1]), int(found[2]))) if found else None
            if number is not None and page.entries and page.entries.is_bound:
                name = f"heads{number}" if found and found[3] else f"to{number}"
                page.entries.add_error(name if name in page.entries.fields else None, render(message))
            else:
                rest.append((pointer, message))
        if rest:
            super().point(page, InvalidInput(rest[0][1], rest[0][0], tuple(rest)))


def _list_rows(armies: Sequence[Army]) -> Iterator[MovableRow]:
    """Everything that can move; nothing of an army that the ruleset no longer accepts."""
    for place, army in enumerate(armies):
        law = law_of(army.campaign)
        try:
            labels: Mapping[str, Sequence[Said]] = law.label_entries(law.read(army.sheet))
        except Refusal:
            continue
        for name, entry in list_entries(army):
            heads = law.heads_of(army.sheet[name][entry])
            yield MovableRow(place, name, entry, labels[name][entry], heads)


def _build_forms(page: HostPage, rows: Sequence[MovableRow], sent: QueryDict | None) -> None:
    names = page.names
    stays = [place if place < page.number else 0 for place in range(len(page.armies))]
    page.parts = [
        PartForm(sent, page.find_leader(place), page.leaders,
                 prefix=f"part{place}", initial={"name": name})
        for place, name in enumerate(names)
    ]  # fmt: skip
    if sent is not None:  # the choices bear the names that were sent
        names = [form["name"].value() or name for form, name in zip(page.parts, names, strict=True)]
    page.entries = EntriesForm(sent, rows, names, stays)


def _propose(page: HostPage, rows: Sequence[MovableRow]) -> None:
    """Proposes that new armies get about as much of the first army as it keeps, where its ruleset lets it."""
    assert page.entries is not None
    first = [number for number, row in enumerate(rows) if row.army == 0 and row.part == rows[0].part]
    targets = [0, *range(len(page.armies), page.number)]
    if len(targets) < 2 or not first:
        return
    chosen = {number: targets[at * len(targets) // len(first)] for at, number in enumerate(first)}
    heads = rows[first[0]].heads
    if len(first) == 1 and (heads or 0) > 1:
        chosen = {first[0]: targets[1]}
        page.entries.fields[f"heads{first[0]}"].initial = (heads or 0) // 2
    for number, to in chosen.items():
        page.entries.fields[f"to{number}"].initial = str(to)
    try:
        page.plan = preview_reform(army=page.army, others=page.others, parts=page.takes)
    except InvalidInput:  # the ruleset refuses the proposal, so the user chooses every entry's army
        for number in chosen:
            page.entries.fields[f"to{number}"].initial = "0"
    except Refusal as refusal:
        tell(page.choice, render(refusal.message))


DESK = HostDesk()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def army_reform(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The page; `do` is `choose`, `preview` or `confirm`."""
    if not ui_of(get_army_run_by(request.user, army_id, Army).campaign).reforms:
        raise Http404
    return DESK.answer(request, army_id)

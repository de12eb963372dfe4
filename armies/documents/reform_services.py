"""Services that reform armies with a declared document: their entries move between armies (C-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armies.bulk.common_orders import CombineMany
from armies.bulk.services import refuse_stale
from armies.documents.reform_queries import law_of, list_entries, refuse_apart, ui_of
from armies.forces.busy import lock_armies
from armies.forces.services import set_sheet
from armies.models import Army, Commander
from armies.reform.plans import (
    Reformation,
    demand_several,
    describe_reform,
    find_freed,
    find_kinds,
    mark_of,
    name_parts,
    refuse_held,
    share_leaders,
    with_rows,
)
from armies.weeks.ruleset_weeks import load_recent_deeds
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.models import Campaign, User
from kingdom.models.calendar import DAYS_A_WEEK
from rules.army_law import Measure
from rules.core.errors import InvalidInput, demand, require
from rules.core.text import Said, _, say
from rules.movable_entries import EntryMove, move_entries


class TakenTroops(NamedTuple):
    """An entry that an army takes: the one at this place of this list of another army. `heads`: None for all."""

    army: Army
    part: str
    entry: int
    heads: int | None = None


class ReformedPart(NamedTuple):
    """An army that takes something: one of those that take part (`army`), or a new one with this name.

    `commander`: of one of the armies; None for the one that `army` has.
    """

    army: Army | None = None
    name: str = ""
    commander: Commander | None = None
    takes: tuple[TakenTroops, ...] = ()


class FormedHost(NamedTuple):
    """An army as it comes of it, with the army's document. `army`: its row, None for a new one. `like`: the army whose
    place and state a new one has. `takes`: whether it takes anything.
    """

    army: Army | None
    name: str
    commander: Commander | None
    sheet: Mapping[str, Any]
    measure: Measure
    like: Army
    takes: bool = False


@dataclass(frozen=True, slots=True)
class DocumentPlan(Reformation[Army, FormedHost]):
    """Plan of reformed armies with a declared document."""


def _refuse_unrested(found: _Sorted) -> None:
    """Raises `IllegalCommand` if troops that fought this week would rest in an army that did not (C-7)."""
    campaign = found.armies[0].campaign
    end = campaign.day + DAYS_A_WEEK - campaign.day % DAYS_A_WEEK
    lately = load_recent_deeds(campaign)
    fought = [not lately.at_peace(str(army.pk), end) for army in found.armies]
    text = _(
        "{army} fought this week, so these troops can only join others that did. Reform the army on day {day} or later."
    )
    for move in found.moves:
        rested = move.to >= len(fought) or not fought[move.to]
        require(not (fought[move.army] and rested), text, army=found.armies[move.army].name, day=end)


def _refuse_unlike(found: _Sorted) -> None:
    """Raises `IllegalCommand` if troops would come under other lasting adjustments of the GM."""
    homes: dict[int, Army] = {}
    text = _("The GM’s adjustments of {army} and {other} differ. Ask the GM to make them alike or end them.")
    for move in found.moves:
        army = found.armies[move.army]
        home = homes.setdefault(move.to, found.armies[move.to] if move.to < len(found.armies) else army)
        alike = _adjusted(army) == _adjusted(home)
        require(alike, text, army=army.name, other=home.name)


def _adjusted(army: Army) -> list[str]:
    return sorted(str({**one, "id": ""}) for one in army.adjustments)


# Preview.


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The armies that take part, then the new ones, by the places that moves name."""

    armies: Sequence[Army]
    parts: Sequence[ReformedPart]

    @property
    def new(self) -> list[int]:
        return [place for place, part in enumerate(self.parts) if part.army is None]

    def place_of(self, number: int) -> int:
        """Position of a part in the list of participating and new armies."""
        part = self.parts[number]
        return len(self.armies) + self.new.index(number) if part.army is None else self._find(part.army)

    def _find(self, army: Army) -> int:
        return next((place for place, one in enumerate(self.armies) if one.pk == army.pk), -1)

    def part_at(self, place: int) -> int | None:
        """Index of the part (resulting army) at this position; None for an army that only gives away entries."""
        return next((number for number in range(len(self.parts)) if self.place_of(number) == place), None)

    @property
    def _taken(self) -> Iterator[tuple[str, EntryMove]]:
        for number, part in enumerate(self.parts):
            for at, one in enumerate(part.takes):
                move = EntryMove(self._find(one.army), one.part, one.entry, self.place_of(number), one.heads)
                yield f"/parts/{number}/takes/{at}", move

    @property
    def moves(self) -> list[EntryMove]:
        return [move for _at, move in self._taken]

    def reform(self) -> list[dict[str, Any] | None]:
        """The documents afterwards. Raises `InvalidInput` with pointers into the input."""
        documents = [*(army.sheet for army in self.armies), *(None for _new in self.new)]
        try:
            return move_entries(law_of(self.armies[0].campaign), documents, self.moves)
        except InvalidInput as refusal:
            message = self._say_whose(refusal)
            errors = tuple((self._point(at), self._say_whose(refusal, at, told)) for at, told in refusal.errors)
            raise InvalidInput(message, self._point(refusal.field), errors) from None

    def _point(self, field: str) -> str:
        _root, kind, number, *rest = (*field.split("/"), "", "")
        if kind == "moves" and number:
            member = ["army" if one == "to" else one for one in rest if one]  # an army that takes from itself
            return "/".join([[at for at, _move in self._taken][int(number)], *member])
        part = self.part_at(int(number)) if kind == "documents" else None
        return "/armies" if part is None else f"/parts/{part}"

    def _say_whose(self, refusal: InvalidInput, at: str = "", told: Said | None = None) -> Said:
        """The message, with the name of the army that may not be so."""
        at, told = at or refusal.field, told or refusal.message
        _root, kind, number, *_rest = (*at.split("/"), "", "")
        return say(_("{army}: {why}"), army=self.name_at(int(number)), why=told) if kind == "documents" else told

    def name_at(self, place: int) -> str:
        number = self.part_at(place)
        name = self.parts[number].name if number is not None else ""
        return name or (self.armies[place].name if place < len(self.armies) else "")


def preview_reform(
    *, army: Army, others: Sequence[Army] = (), parts: Sequence[ReformedPart] = ()
) -> DocumentPlan:  # fmt: skip
    """Preview of reforming this army and the others. Without parts they are combined into the first. Writes nothing.

    Raises `InvalidInput` with pointers below "/parts", and `IllegalCommand` for armies that can't be reformed now.
    """
    armies = [army, *others]
    demand_several(armies)
    refuse_held(armies)
    refuse_apart(armies)
    found = _Sorted(armies, with_rows(armies, parts or ([combine(armies)] if others else ())))
    demand(found.moves, _("Choose what moves to another army."), field="/parts")
    names, leaders = name_parts(found.parts), share_leaders(armies, found.parts)
    _refuse_unrested(found)
    _refuse_unlike(found)
    documents = found.reform()
    empty = next((one for one, document in zip(armies, documents, strict=False) if document is None), None)
    text = _("{army} would have nothing left. Leave something in it, or form no new army.")
    require(empty is None or not found.new, text, field="/parts", army=empty.name if empty else "")
    formed = list(_form(found, documents, names, leaders))
    return DocumentPlan(armies, formed, find_freed(armies, formed), _mark(armies, formed))


BETWEEN = "."  # both halves of a mark


def _mark(armies: Sequence[Army], formed: Sequence[FormedHost]) -> str:
    new = [[one.name, str(one.army and one.army.pk), str(one.commander and one.commander.pk), one.sheet]
           for one in formed]  # fmt: skip
    return f"{_mark_before(armies)}{BETWEEN}{mark_of(new)}"


def _mark_before(armies: Sequence[Army]) -> str:
    """Identifies the armies as they are."""
    return mark_of([[str(army.pk), army.name, army.status, str(army.commander_id), army.sheet] for army in armies])


def combine(armies: Sequence[Army]) -> ReformedPart:
    """Return the part that combines these armies: the first one, with the entries of all others, under its own
    commander or else the first commander of the others.
    """
    first, *others = armies
    leader = next((army.commander for army in armies if army.commander), None)
    taken = [TakenTroops(army, part, entry) for army in others for part, entry in list_entries(army)]
    return ReformedPart(first, commander=leader, takes=tuple(taken))


def _form(
    found: _Sorted, documents: Sequence[Mapping[str, Any] | None], names: Sequence[str], leaders: Sequence[Any]
) -> Iterator[FormedHost]:
    law, armies = law_of(found.armies[0].campaign), found.armies
    led = {leader.pk for leader in leaders if leader}
    for place, document in enumerate(documents):
        if document is None:
            continue
        row, number = armies[place] if place < len(armies) else None, found.part_at(place)
        like = row or armies[next(move.army for move in found.moves if move.to == place)]
        if number is not None:
            name, leader = names[number], leaders[number]
        else:
            assert row is not None
            name, leader = row.name, None if row.commander_id in led else row.commander
        takes = any(move.to == place for move in found.moves)
        yield FormedHost(row, name, leader, document, law.measure(document), like, takes)


# Divide, combine.


def request_reform(given: Mapping[str, Any]) -> RequestedChange:
    return RequestedChange(find_kinds(given.get("parts", ())), given)


@needs_approval("armies.documents.reform_armies", "raise", "appoint", wish=request_reform)
@transaction.atomic
def reform_armies(
    *,
    by: User,
    army: Army,
    others: Sequence[Army] = (),
    parts: Sequence[ReformedPart] = (),
    mark: str | None = None,
) -> DocumentPlan:
    """Moves what `parts` take between these armies, and returns the plan with the rows. Without parts the others join
    `army`.

    `mark`: the mark of the preview that the user confirms. An approval request stores the mark, because entries are
    identified by their positions, which may have changed when it is granted. Raises as `preview_reform`, and
    `StaleProposal` if the preview would differ now.
    """
    for kingdom in {one.kingdom for one in (army, *others)}:
        require_runs(by, kingdom)
    keys, ui = [army.pk, *(one.pk for one in others)], ui_of(army.campaign)
    on = [("army", key) for key in keys]
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=ui.reform_rule, on=on) as told:
        rows = lock_armies(keys, Army)
        parts = [_locked(part, rows) for part in parts]
        if mark is not None:  # checked before the request is read, as its positions may be outdated
            refuse_stale(mark.partition(BETWEEN)[0], _mark_before([rows[key] for key in keys]))
        plan = preview_reform(army=rows[army.pk], others=[rows[one.pk] for one in others], parts=parts)
        if mark is not None:
            refuse_stale(mark, plan.mark)
        told.text = describe_reform([one.name for one in plan.armies], [one.name for one in plan.formed])
        return replace(plan, rows=_carry_out(plan, told))


def _locked(part: ReformedPart, rows: Mapping[UUID, Army]) -> ReformedPart:
    return part._replace(army=rows.get(part.army.pk, part.army)) if part.army else part


def _carry_out(plan: DocumentPlan, told: Recording) -> list[Army]:
    """Writes the plan to its rows, which are locked, and returns the armies formed."""
    keeps = {one.army.pk: one.commander for one in plan.formed if one.army}
    for army in plan.armies:
        if army.commander_id and keeps.get(army.pk) != army.commander:
            army.commander = None
            army.save(update_fields=["commander"])
    rows = [one.army or _build(one) for one in plan.formed]
    for row, one in zip(rows, plan.formed, strict=True):
        _write(plan, row, one)
        if one.army is None:
            told.made("army", row)
            told.watch([("army", row)])
    for army in plan.gone:
        _dissolve(army)
    for row, one in zip(rows, plan.formed, strict=True):
        if one.commander and row.commander_id != one.commander.pk:
            row.commander = one.commander
            row.save(update_fields=["commander"])
    ui_of(rows[0].campaign).follow_reform(told, plan, rows)
    return rows


def _build(one: FormedHost) -> Army:
    """A new, unsaved army at the place of the army from which it takes entries."""
    like = one.like
    return Army(
        campaign=like.campaign, kingdom=like.kingdom, name=one.name, status=like.status, place=like.place,
        hex=like.hex, hidden=like.hidden, revealed=like.revealed, adjustments=deepcopy(like.adjustments),
    )  # fmt: skip


def _write(plan: DocumentPlan, row: Army, one: FormedHost) -> None:
    """Writes document and name. An army that takes in troops has marched as lately as any of them."""
    row.name = one.name
    set_sheet(row, one.sheet)
    if one.takes:
        marched = [army.marching_until for army in plan.armies if army.marching_until is not None]
        row.marching_until = max(marched, default=None)
    row.save(force_insert=one.army is None)


def _dissolve(army: Army) -> None:
    """Ends an army whose troops have gone on to others. What it carried went with them."""
    members = law_of(army.campaign).shape.members
    carried = {name for name, one in members.items() if one.carried}
    army.sheet = {name: value for name, value in army.sheet.items() if name not in carried}
    army.status = Army.Status.DISBANDED
    army.save(update_fields=["sheet", "status"])


# Combine the selected armies.


class CombineHosts(CombineMany):
    """Combines the armies of a kingdom at one place into the largest of them, place by place (C-9)."""

    about = _("Armies of a kingdom in the same place become one. The largest takes in the others.")
    alone = _("No other selected army of its kingdom is in the same place, in the same state.")
    rule = "C-9"

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        return bool(ui_of(campaign).reforms)

    def group(self) -> Iterable[Sequence[Army]]:
        places = ui_of(self.campaign).find_places(self.able)
        groups: dict[object, list[Army]] = {}
        for army in self.able:
            groups.setdefault((army.kingdom_id, army.status, places[army.pk]), []).append(army)
        return [sorted(group, key=lambda army: -army.health) for group in groups.values()]

    def plan(self, army: Army, others: Sequence[Army]) -> DocumentPlan:
        return preview_reform(army=army, others=others)

    def carry_out(self, plan: DocumentPlan) -> None:
        assert self.setting.record is not None
        _carry_out(plan, self.setting.record)

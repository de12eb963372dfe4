"""Tracked fields of places, garrisons and sieges (`kingdom.chronicle.changes`), and their tables in a campaign's
archive. Place: its columns, `kingdom` (id of the holder), `exists`. Siege: `state`, `exists`. A garrison has the id
of its army; `place` is its place, or None.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet

from armies.breaking_point.forces.specs import (
    MEMBERS,
    build_place,
    build_siege,
    check_garrison,
    garrison_of,
    lies_behind,
    load_armies,
    refuse_besieged,
    refuse_stranger,
    walls_from,
)
from armies.breaking_point.models import FortifiedPlace, SiegeArmy, SiegeRow, Stationed
from armies.forces.access import list_armies as readable_armies
from armies.forces.busy import load_recent_battles, refuse_hidden, refuse_if_busy
from armies.models import Army
from core.clean_input import clean_text
from core.queries import find_one
from core.text import render
from kingdom.access.decorators import internal
from kingdom.access.queries import get_role
from kingdom.archive.import_checks import CarriedTable
from kingdom.chronicle import changes, undelete
from kingdom.chronicle.field_change import Blocked, BlockedByDeletion, TrackedModel, begins
from kingdom.chronicle.transaction import Recording
from kingdom.chronicle.undelete import Detachment
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Settlement, User
from rules.breaking_point.siege.siege_state import FOUGHT, LIFTED, STATUSES
from rules.breaking_point.spec import FORTIFICATIONS
from rules.core.errors import IllegalCommand, demand, require
from rules.core.text import Said, _, say

# Tracked fields of places, garrisons and sieges (`kingdom.chronicle.changes`).
#
# Place: its columns, `kingdom` (id of the holder), `exists`. Siege: `state`, `exists`. A garrison has the id of its
# army;
# `place` is its place, or None.

PLACE_WORDS: Mapping[str, Said] = {
    "name": _("Name"), "kind": _("Kind of place"), "garrison": _("Garrison"), "kingdom": _("Held by"),
    "settlement": _("Settlement"), "outer": _("Protected by"),
}  # fmt: skip
SIEGE_WORDS: Mapping[str, Said] = {"state": _("The siege")}
STATION_WORDS: Mapping[str, Said] = {"place": _("Garrison of")}
KNOWN = ("status", "weeks", "age", "lost")
NAMES: Mapping[str, Said] = {"exists": _("Exists")}


def list_tracked() -> Iterator[TrackedModel]:
    """Tracked models: places, sieges, garrisons."""
    common: dict[str, Any] = {"visible": _all_of_members, "names": NAMES, "shown": _shown}
    of_places: dict[str, Any] = {"kingdom": _holder, "after": _keep_in_a_row, **common}
    yield TrackedModel("place", _places, fields=PLACE_FIELDS, words=PLACE_WORDS, **of_places)
    of_sieges: dict[str, Any] = {"kingdom": _besieged, "told": {"state": redact_state}, **common}
    yield TrackedModel("siege", _sieges, fields=SIEGE_FIELDS, words=SIEGE_WORDS, **of_sieges)
    own = {**common, "visible": _armies_read}
    yield TrackedModel("station", _stations, fields=STATION_FIELDS, words=STATION_WORDS, **own)


def _places(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    rows = FortifiedPlace.objects.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return undelete.find_or_build(FortifiedPlace, campaign, ids, {str(row.pk): row for row in rows})


def _sieges(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    rows = SiegeRow.objects.filter(campaign=campaign, pk__in=ids).select_for_update(of=("self",)).order_by("pk")
    return {str(row.pk): row for row in rows.select_related("place")}


def _stations(campaign: Campaign, ids: set[Any]) -> changes.RowsById:
    """Garrison rows by army; an army in no place gets an unsaved row."""
    rows = Stationed.objects.filter(campaign=campaign, army__in=ids).select_for_update().order_by("army")
    found: changes.RowsById = {str(row.army_id): row for row in rows}
    missing = Army.objects.filter(campaign=campaign, pk__in=ids - found.keys())
    return {**{str(army.pk): Stationed(campaign=campaign, army=army) for army in missing}, **found}


def _all_of_members(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    """Every member may know of places and sieges, and how they stand."""
    return ids if get_role(user, campaign) else set()


def _armies_read(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in readable_armies(user, campaign).filter(pk__in=ids).values_list("pk", flat=True)}


def _holder(place: FortifiedPlace) -> UUID:
    return place.kingdom_id


def _besieged(siege: SiegeRow) -> UUID:
    return siege.place.kingdom_id


def _undo_place(place: FortifiedPlace) -> None:
    busy = SiegeRow.objects.filter(place=place).exists() or Stationed.objects.filter(place=place).exists()
    require(not busy, _("{place} has a garrison or was besieged. Undo those changes first."), place=place.name)
    place.delete()


def _may_stand(place: FortifiedPlace, kept: undelete.KeptColumns, _occasion: changes.Occasion) -> None:
    undelete.require_same_law(place, kept)
    for model, pk in ((Kingdom, place.kingdom_id), (Settlement, place.settlement_id), (FortifiedPlace, place.outer_id)):
        _refuse_gone(place, model, pk)


def _refuse_gone(place: FortifiedPlace, model: type[Any], pk: object) -> None:
    gone = pk is not None and not model.objects.filter(pk=pk, campaign=place.campaign_id).exists()
    require(
        not gone, _("The settlement or fortified place that {place} belonged to no longer exists."), place=place.name
    )


def _undo_siege(siege: SiegeRow, there: Any, _occasion: changes.Occasion) -> None:
    require(not there, undelete.GONE)
    siege.delete()


def demand_place(row: Stationed, _on: Model) -> None:
    """Checks that the place of a restored garrison exists and is its kingdom's. `return_to_place` checks the rest."""
    refuse_stranger(_find_place(row, row.place_id), row.army)


def _find_place(row: Stationed, pk: UUID | str) -> FortifiedPlace:
    place = find_one(FortifiedPlace.objects.filter(campaign=row.campaign_id, pk=pk))
    if place is None:
        why = say(_("The fortified place where {army} stood no longer exists."), army=row.army.name)
        raise BlockedByDeletion(why, row.campaign_id, pk)
    return place


@internal
def return_to_place(entry: ChronicleEntry, by: User) -> None:
    """Check that garrisons which an undo restored may be there: the place is their kingdom's, is not besieged around
    them, and no other army has taken their room since (B-61). Raises `IllegalCommand`.

    A garrison that had grown beyond the place's room returns as it was.
    """
    lines = [change for change in changes.list_changes(entry) if not change.kept]
    back = {UUID(one.subject_id) for one in lines if one.subject_kind == "station" and one.before is not None}
    back |= {UUID(one.subject_id) for one in lines if one.subject_kind == "army" and changes.ends(one)}
    rows = Stationed.objects.filter(army__in=back).select_related("place", "army__campaign").order_by("pk")
    for row in rows if back else ():
        refuse_stranger(row.place, row.army)
        if not SiegeArmy.objects.filter(army=row.army_id).exists():
            refuse_besieged(row.place)
        _refuse_crowded(entry, row.place, back)


def _refuse_crowded(entry: ChronicleEntry, place: FortifiedPlace, back: Collection[UUID]) -> None:
    """Raises `Blocked` where the garrison exceeds the room and one of its armies has entered since. An army formed
    there of another one has not entered.
    """
    garrison = garrison_of(place)
    try:
        check_garrison(place, garrison)
    except IllegalCommand as refusal:
        for army in garrison:
            entered = {"subject_kind": "station", "subject_id": str(army.pk), "after": str(place.pk)}
            since = None if army.pk in back else changes.find_later(entry, **entered)
            if since and ("army", str(army.pk)) not in _begun(since):
                raise Blocked(refusal.message, entry=since) from None


def _begun(entry: ChronicleEntry) -> set[tuple[str, str]]:
    return {change.place[:2] for change in changes.list_changes(entry) if begins(change)}


def demand_over(siege: SiegeRow, _on: Model) -> None:
    """Refuses to delete a place together with a running siege."""
    require(not siege.running, undelete.GONE)


def _keep_in_a_row(place: FortifiedPlace, _changed: set[str]) -> None:
    """Refuses outer places that make a ring (B-61), in whatever order they are restored."""
    require(
        not lies_behind(place, place.outer),
        _("{place} can’t protect itself. Choose another outer place."),
        place=place.name,
    )


def leave_places(told: Recording, kingdoms: Sequence[Kingdom]) -> None:
    """Deletes the places of these kingdoms before the kingdoms. Raises `IllegalCommand` where one is besieged."""
    rows = FortifiedPlace.objects.select_for_update().filter(kingdom__in=kingdoms).order_by("pk")
    places = {place.pk: place for place in rows}
    for place in places.values():
        refuse_besieged(place)
        if place.outer_id in places:
            place.outer = places[place.outer_id]
    told.gone("place", *sorted(places.values(), key=lambda place: -len(list(walls_from(place.outer)))))
    rows.delete()


def leave_outer(told: Recording, outer: Sequence[FortifiedPlace]) -> None:
    _leave(told, "outer", FortifiedPlace.objects.filter(outer__in=outer))


def leave_town(told: Recording, towns: Sequence[Settlement]) -> None:
    _leave(told, "settlement", FortifiedPlace.objects.filter(settlement__in=towns))


def _leave(told: Recording, field: str, places: QuerySet[FortifiedPlace]) -> None:
    """Clears this field of the places, each with its chronicle line."""
    told.watch(("place", place) for place in places.order_by("pk"))
    places.update(**{field: None})


def _reference(name: str, model: type[Any]) -> changes.FieldAccess:
    """Access to a field that holds the id of a row, or None."""

    def write(place: FortifiedPlace, pk: str | None, _occasion: changes.Occasion) -> None:
        _refuse_gone(place, model, pk)
        setattr(place, f"{name}_id", UUID(pk) if pk else None)
        place.save(update_fields=[name])

    def read(place: FortifiedPlace) -> str | None:
        pk = getattr(place, f"{name}_id")
        return str(pk) if pk else None

    return changes.FieldAccess(read, write)


def _write_state(siege: SiegeRow, state: Mapping[str, Any], occasion: changes.Occasion) -> None:
    """Writes the state with the status and the seats. The beginning of a battle cannot be undone while it is fought."""
    if occasion.source == "undo" and siege.status in FOUGHT and state["status"] not in FOUGHT:
        fighting = load_recent_battles(siege.campaign, occasion.day).fighting
        for army in Army.objects.filter(sieges__siege=siege, pk__in=fighting).select_related("campaign").order_by("pk"):
            refuse_if_busy(army)
    siege.state, siege.status = dict(state), state["status"]
    siege.version += 1
    siege.save(update_fields=["state", "status", "version"])
    seat(siege)


def seat(siege: SiegeRow) -> None:
    """Writes the seats that the state names; none once the siege is over."""
    sides = MEMBERS.items() if siege.running else ()
    wanted = [(UUID(one), side, place) for side, name in sides for place, one in enumerate(siege.state[name])]
    held = set(siege.armies.values_list("army_id", "side", "position"))
    if held == set(wanted):
        return
    there = Army.objects.filter(campaign=siege.campaign_id, pk__in=[army for army, _side, _place in wanted]).count()
    require(there == len(wanted), _("An army of this siege no longer exists."))
    refuse_hidden({army for army, _side, _place in wanted} - {army for army, _side, _place in held})
    siege.armies.all().delete()
    SiegeArmy.objects.bulk_create(
        SiegeArmy(campaign_id=siege.campaign_id, siege=siege, army_id=army, side=side, position=place)
        for army, side, place in wanted
    )


def _read_station(row: Stationed) -> str | None:
    return str(row.place_id) if undelete.is_there(row) else None


def _write_station(row: Stationed, pk: str | None, _occasion: changes.Occasion) -> None:
    if pk is None:
        row.delete()
        return
    row.place = _find_place(row, pk)
    row.save()


PLACE_FIELDS = {
    "exists": undelete.build_existence(_undo_place, _may_stand),
    "settlement": _reference("settlement", Settlement),
    "outer": _reference("outer", FortifiedPlace),
    "kingdom": _reference("kingdom", Kingdom),
}
SIEGE_FIELDS = {
    "exists": changes.FieldAccess(undelete.is_there, _undo_siege),
    "state": changes.FieldAccess(lambda row: row.state, _write_state),
}
STATION_FIELDS = {"place": changes.FieldAccess(_read_station, _write_station)}


def _shown(campaign: Campaign, field: str, value: Any) -> Any:
    """Value of a field before or after a change, in words; of a siege only what everybody may know."""
    match field, value:
        case "state", Mapping():
            return summarize_siege(value)
        case "kind", str() if value in FORTIFICATIONS:
            return render(FORTIFICATIONS[value].name)
        case "kingdom" | "place" | "outer" | "settlement", str():
            return name_of(field, value)
    return value


def redact_state(state: object) -> dict[str, Any] | None:
    """The siege's state with only the figures that every member may know. Points are removed, because they reveal the
    strength of the bodies.
    """
    return {name: state.get(name) for name in KNOWN} if isinstance(state, Mapping) else None


def summarize_siege(state: Mapping[str, Any]) -> str:
    """A siege in one line."""
    template = _("week {weeks}, {status}; losses: garrison {garrison}%, besiegers {besieger}%")
    weeks = state["age"] if state["status"] == LIFTED else state["weeks"]
    return render(say(template, weeks=weeks, status=STATUSES[state["status"]], **state["lost"]))


def name_of(field: str, pk: str) -> str:
    """Name of the row that a field refers to."""
    models: dict[str, type[Any]] = {"kingdom": Kingdom, "settlement": Settlement}
    row = find_one(models.get(field, FortifiedPlace).objects.filter(pk=pk))
    return row.name if row else "–"


DETACHMENTS = (
    Detachment("kingdom", leave_places, 1),
    Detachment("settlement", leave_town),
    Detachment("place", leave_outer),
)


# Tables of breaking point in a campaign's archive.


def _demand_place(place: FortifiedPlace) -> None:
    clean_text(place.name, field="/name", kept=True)
    build_place(place)
    demand(
        not lies_behind(place, place.outer),
        _("A fortified place can’t protect itself. Choose another one."),
        field="/outer",
    )


def _demand_siege(siege: SiegeRow) -> None:
    if siege.running:
        build_siege(siege, load_armies([siege]))
    summarize_siege(siege.state)
    demand(all(isinstance(siege.state[name], list) for name in MEMBERS.values()), _("Use a list."), field="/state")


CARRIED = (
    CarriedTable("fortified_places", FortifiedPlace, check=_demand_place),
    CarriedTable("stationed", Stationed),
    CarriedTable("sieges", SiegeRow, check=_demand_siege, ready=lambda rows: rows.select_related("place")),
    CarriedTable("siege_armies", SiegeArmy),
)

"""Tracked fields of armies and commanders.

A base for rulesets with models of their own. Fields: the columns, `exists`; of an army also `commander` (id or None).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.adjustments.services import demand_adjustments, describe_adjustment
from armies.forces.access import list_armies, list_commanders, list_visible_armies, list_visible_commanders
from armies.forces.busy import lock_armies_in, refuse_if_busy
from armies.forces.declared_figures import allow_lost_items, columns_added, demand_figures
from armies.models import Army, Commander, Insight, Sighting, TimeStep, rows_of
from armies.models.routes import read_route
from armies.ruleset_ui import get_army_ui
from core.clean_input import clean_text
from core.queries import find_one
from core.request_memo import read_once
from core.text import render
from kingdom.access.decorators import internal
from kingdom.access.queries import list_readable_kingdom_ids
from kingdom.archive.import_checks import CarriedTable, demand_hex
from kingdom.archive.versions import locate_faults
from kingdom.chronicle import changes, undelete
from kingdom.chronicle.field_change import OPEN, OWN, WHERE, Blocked, BlockedByDeletion, TrackedModel, unless_remembered
from kingdom.chronicle.transaction import Recording
from kingdom.map.queries import find_hex, load_map_state
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Kingdom, Knowledge, User
from kingdom.models.base import Natural
from kingdom.notes.targets import NoteTarget
from kingdom.realms.figures import get_ruleset
from rules import army_law
from rules.army_law import ARMY_FIGURES, OWN_ONLY, WHEREABOUTS, names_of, words_of
from rules.core.errors import InvalidInput, demand, require
from rules.core.shapes import DeclaredShape
from rules.core.text import Said, Term, _, say

ARMY_WORDS = words_of(ARMY_FIGURES)
COMMANDER_WORDS: Mapping[str, Said] = {
    "name": _("Name"),
    "status": _("Status"),
    "captures": _("Times captured"),
    "away_until": _("Away until day"),
    "ransom": _("Ransom"),
    "sheet": _("Sheet"),
}
NAMES: Mapping[str, Said] = {"exists": _("In service"), "marching": _("On the march"), "away": _("Away")}
LEVELS: Mapping[int, Said] = {
    Knowledge.NOTHING: _("nothing"),
    Knowledge.NAME: _("name and banner"),
    Knowledge.GLANCE: _("a glance: type, rough size, health in words"),
    Knowledge.ALL: _("everything: the whole sheet"),
}
INSIGHT_WORDS: Mapping[str, Said] = {"level": _("Intelligence")}
STATUSES: Mapping[str, Term] = {**army_law.STATUSES, "free": _("free"), "killed": _("killed")}


def format_value(campaign: Campaign, field: str, value: Any) -> Any:
    """Value of a field before or after a change, in words."""
    match field, value:
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "sheet", dict():
            return _sheet_in_words(campaign, value)
        case "adjustments", list():
            return [describe_adjustment(campaign, one) for one in value]
        case "route", dict():
            return way_in_words(value)
    return value


def way_in_words(kept: Mapping[str, Any]) -> str:
    """A route in words: the hexes where its days end, and the day of arrival."""
    route = read_route(kept)
    assert route is not None
    return render(say(_("{hexes}, arriving "
                        "on day {day}"), hexes=" → ".join(dict.fromkeys((route.path[0], *route.stops))),
                      day=route.until))  # fmt: skip


def _sheet_in_words(campaign: Campaign, sheet: Mapping[str, Any]) -> list[str]:
    return [render(words) for words in get_ruleset(campaign).armies.in_words(sheet)]


def _owner(row: Any) -> UUID | None:
    return row.kingdom_id


def _armies(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    return armies_or_new(campaign, ids, Army)


def armies_or_new(campaign: Campaign, ids: set[str], kind: type[Army]) -> changes.RowsById:
    """The armies, locked; for ids without a row new instances, to be created or restored."""
    return undelete.find_or_build(kind, campaign, ids, lock_armies_in(campaign, ids, kind))


def commanders_in_their_law(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    """The commanders as the ruleset's model, locked; for ids without a row new instances, to be restored."""
    kind = get_army_ui(campaign).commander
    rows = kind._default_manager.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return undelete.find_or_build(kind, campaign, ids, {str(commander.pk): commander for commander in rows})


def _insights(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    rows = Insight.objects.filter(campaign=campaign, pk__in=ids).select_related("kingdom", "army", "realm")
    return {str(row.pk): row for row in rows.select_for_update(of=("self",)).order_by("pk")}


def _level_in_words(_campaign: Campaign, _field: str, value: Any) -> Any:
    return render(LEVELS.get(value, str(value)))


def _visible_armies(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return _visible(list_armies(user, campaign), ids)


def _visible_commanders(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return _visible(list_commanders(user, campaign), ids)


def _own_armies(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    rows = rows_of(Army).filter(campaign=campaign, kingdom__in=list_readable_kingdom_ids(user, campaign))
    return _visible(rows, ids)


def told_parts(campaigns: Collection[UUID]) -> dict[UUID, frozenset[str]]:
    """Parts told to readers of another kingdom's army: its place too, unless the campaign's map has fog."""
    maps = CampaignMap.objects.filter(campaign__in=campaigns, fog=True, put_away=False)
    key = ("fogged", frozenset(campaigns))
    fogged = read_once(key, lambda: set(maps.values_list("campaign_id", flat=True)))
    return {one: frozenset({OPEN} if one in fogged else {OPEN, WHERE}) for one in campaigns}


def list_army_parts(shape: DeclaredShape) -> dict[str, str]:
    """Parts of the declared fields, for `TrackedModel`."""
    where = ("marching", *names_of(shape, WHEREABOUTS))
    return {**dict.fromkeys(where, WHERE), **dict.fromkeys(names_of(shape, OWN_ONLY), OWN)}


def _visible(rows: QuerySet[Any], ids: set[str]) -> set[str]:
    return {str(pk) for pk in rows.filter(pk__in=ids).values_list("pk", flat=True)}


def _listed_armies(user: User, campaign: Campaign) -> QuerySet[Any, tuple[UUID, str]]:
    return list_armies(user, campaign).order_by(Natural("name"), "id").values_list("pk", "name")


def _listed_commanders(user: User, campaign: Campaign) -> QuerySet[Any, tuple[UUID, str]]:
    return list_commanders(user, campaign).order_by(Natural("name"), "id").values_list("pk", "name")


def leave_kingdoms(told: Recording, kingdoms: Sequence[Kingdom]) -> None:
    """Deletes the armies of these kingdoms, then their commanders, before the kingdoms are deleted."""
    campaign, law = kingdoms[0].campaign, get_army_ui(kingdoms[0].campaign)
    for kind, model in (("army", law.army), ("commander", law.commander)):
        ids = {str(pk) for pk in model.objects.filter(kingdom__in=kingdoms).values_list("pk", flat=True)}
        rows = changes.get_kind(kind, campaign).loader(campaign, ids)
        told.gone(kind, *rows.values())
        model.objects.filter(pk__in=ids).delete()


def take_away(army: Army) -> None:
    """Undoes the raising of an army. Raises `IllegalCommand` where a battle refers to it."""
    with unless_remembered(_("This army took part in a later battle. Undo that battle first.")):
        army.delete()


def check_return(army: Army, kept: undelete.KeptColumns, occasion: changes.Occasion) -> None:
    """Checks that a deleted army may be restored where it stood, under its commander.

    An army on the march can be restored only on the day it was deleted, unless it had arrived by then.
    """
    _of_its_kingdom(army, kept)
    if army.commander_id is not None:
        _refuse_captive(_may_lead(army, str(army.commander_id)), occasion)
    struck = kept.get(undelete.DAY, occasion.day)
    on_its_way = army.standing and army.route and (army.marching_until or 0) > min(struck, occasion.day)
    require(
        struck == occasion.day or not on_its_way,
        _("{army}: on the march when deleted on day {day}. The army can be restored on that day only."),
        army=army.name,
        day=struck,
    )
    if type(army) is Army:  # other models follow their ruleset in `after`
        _follow_law(army)


def _refuse_captive(leader: Commander, occasion: changes.Occasion) -> None:
    """Raises `Blocked` for a commander captured or killed since; one who already was a captive stays so."""
    if leader.status == Commander.Status.FREE or occasion.undone is None:
        return
    line = {"subject_kind": "commander", "subject_id": str(leader.pk), "field": "status"}
    if since := changes.find_later(occasion.undone, **line):
        why = say(_("{commander} is not free and can’t lead an army."), commander=leader.name)
        raise Blocked(why, entry=since)


def _follow_law(army: Army) -> None:
    law = get_ruleset(army.campaign).armies
    with suppress(InvalidInput):  # a sheet that was invalid stays so
        measure = law.measure(law.read(army.sheet))
        army.health_max, army.upkeep = measure.health, measure.upkeep
        army.health = min(army.health, army.health_max)


def _of_its_kingdom(row: Army | Commander, kept: undelete.KeptColumns) -> None:
    undelete.require_same_law(row, kept)
    undelete.require_same_kingdom(row)


def _may_serve(commander: Commander, kept: undelete.KeptColumns, occasion: changes.Occasion) -> None:
    """Checks that a deleted commander may be restored. A captive whose day of release has passed becomes free, without
    a ransom.
    """
    _of_its_kingdom(commander, kept)
    day = commander.away_until
    if commander.status == Commander.Status.CAPTURED and day is not None and day <= occasion.day:
        commander.status, commander.ransom = Commander.Status.FREE, None


@internal
def stay_out_of_the_field(entry: ChronicleEntry, by: User) -> None:
    """Check after undoing a deletion that a restored commander's army still stands and is not busy. Raises
    `IllegalCommand`.
    """
    back = [
        UUID(one.subject_id)
        for one in changes.list_changes(entry)
        if one.subject_kind == "commander" and changes.ends(one)
    ]
    for army in Army.objects.filter(commander__in=back).select_related("campaign") if back else ():
        line = {"subject_kind": "army", "subject_id": str(army.pk), "field": "status"}
        fell = not army.standing and changes.find_later(entry, **line)
        require(not fell, _("{army}: no longer an army, so the commander can’t return."), army=army.name)
        refuse_if_busy(army)


def _strike(commander: Commander) -> None:
    """Undoes the appointment of a commander. Raises `IllegalCommand` where they lead an army."""
    if led := Army.objects.filter(commander=commander.pk).first():
        why = _("{commander} leads {army}. Remove them from that command first.")
        raise Blocked(say(why, commander=commander.name, army=led.name), army=led.pk)
    commander.delete()


def _read_commander(army: Army) -> str | None:
    return str(army.commander_id) if army.commander_id else None


def _write_commander(army: Army, pk: str | None, _occasion: changes.Occasion) -> None:
    if pk is not None:
        _may_lead(army, pk)
    _save_commander(army, pk)


def _save_commander(army: Army, pk: str | None) -> None:
    army.commander_id = UUID(pk) if pk else None
    army.save(update_fields=["commander"])


def _release_commander(army: Army) -> None:
    _save_commander(army, None)


def _may_lead(army: Army, pk: str) -> Commander:
    commander = find_one(Commander.objects.filter(campaign=army.campaign, kingdom=army.kingdom_id, pk=pk))
    if commander is None:
        raise BlockedByDeletion(say(_("{army}’s commander no longer exists."), army=army.name), army.campaign_id, pk)
    if led := Army.objects.filter(commander=commander).exclude(pk=army.pk).first():
        why = _("{commander} now leads another army: {army}. Remove them from that command first.")
        raise Blocked(say(why, commander=commander.name, army=led.name), army=led.pk)
    return commander


def conceal(army: Army, hidden: bool) -> None:
    """Hides a locked army or shows it. A hidden army's sightings are deleted. Raises `IllegalCommand` if it is busy."""
    if hidden:
        refuse_if_busy(army)
        forget_sightings([army])
    army.hidden = hidden
    army.save(update_fields=["hidden"])


def forget_sightings(armies: Iterable[Army]) -> None:
    """Deletes all sightings of these armies."""
    Sighting.objects.filter(army__in=[army.pk for army in armies]).delete()


def _write_hidden(army: Army, hidden: bool, _occasion: changes.Occasion) -> None:
    conceal(army, hidden)


ARMY_FIELDS = {
    "exists": undelete.build_existence(take_away, check_return),
    "commander": changes.FieldAccess(_read_commander, _write_commander, _release_commander),
    "hidden": changes.FieldAccess(lambda army: army.hidden, _write_hidden),
}
COMMANDER_FIELDS = {"exists": undelete.build_existence(_strike, _may_serve)}
ARMY_PARTS = list_army_parts(ARMY_FIGURES)
ARMY: Mapping[str, Any] = {
    "visible": _visible_armies, "kingdom": _owner, "listed": _listed_armies, "told_parts": told_parts,
    "own": _own_armies,
}  # fmt: skip
COMMANDER: Mapping[str, Any] = {"visible": _visible_commanders, "kingdom": _owner, "listed": _listed_commanders}


WORDED: Mapping[str, Any] = {"names": NAMES, "shown": format_value}
TRACKED = (
    TrackedModel("army", _armies, fields=ARMY_FIELDS, words=ARMY_WORDS, parts=ARMY_PARTS, **ARMY, **WORDED),
    TrackedModel(
        "commander", commanders_in_their_law, fields=COMMANDER_FIELDS, words=COMMANDER_WORDS, **COMMANDER, **WORDED
    ),
    # Only the GM knows who was told by spies, so players see no such line.
    TrackedModel("insight", _insights, words=INSIGHT_WORDS, shown=_level_in_words),
)
NOTE_TARGETS = {
    "army": NoteTarget(
        Army, _("Army"), list_visible_armies, lambda key: reverse("armies:army", args=[key]), "army", owner="kingdom_id"
    ),
    "commander": NoteTarget(
        Commander, _("Commander"), list_visible_commanders, lambda key: reverse("armies:commander", args=[key]),
        "commander",
        owner="kingdom_id",
    ),
}  # fmt: skip


# Tables of a campaign's archive, and their checks.


def _complete(rows: Any) -> Any:
    return rows.complete()


def _demand_army(army: Army) -> None:
    clean_text(army.name, field="/name", kept=True)
    demand_hex(army.hex)
    with locate_faults("/route"):
        for label in (*army.way.path, *army.way.stops) if army.way else ():
            demand_hex(label, at="")
    assert isinstance(army.marching, bool)
    demand_figures(army, ARMY_FIGURES)
    demand_adjustments(army)
    ui = get_army_ui(army.campaign)
    if ui.army is Army:  # other models are checked by their ruleset
        with locate_faults("/sheet"), allow_lost_items(army):
            get_ruleset(army.campaign).armies.read(army.sheet)
        ui.on_paper(army)


def demand_on_map(campaign: Campaign) -> None:
    """Checks that standing armies are on hexes of the campaign's map, if it has one. Raises `InvalidInput`."""
    field = _field_of(campaign)
    rows = Army.objects.filter(campaign=campaign).order_by("pk").values_list("hex", "status")
    for place, (label, status) in enumerate(rows.iterator() if field is not None else ()):
        off = label and status in Army.STANDING and find_hex(field, label) is None
        demand(not off, _("{hex} isn’t on the map."), field=f"/tables/armies/{place}/hex", hex=label)


def _field_of(campaign: Campaign) -> Any:
    """The hexes of the campaign's map. None where there is no map, or where the map's own check will refuse it."""
    drawn = find_one(CampaignMap.objects.filter(campaign=campaign))
    try:
        return load_map_state(drawn).field if drawn else None
    except Exception:  # an archive may provoke any error
        return None


def _demand_commander(commander: Commander) -> None:
    clean_text(commander.name, field="/name", kept=True)
    sheets: Any = get_ruleset(commander.campaign).armies
    if getattr(sheets, "commander_shape", None) is not None:  # the commander's document is declared
        with locate_faults("/sheet"):
            sheets.read_commander(commander.sheet)


def demand_law(campaign: Campaign) -> None:
    """Checks that every army and commander has its row in the ruleset's own model. Raises `InvalidInput`."""
    ui = get_army_ui(campaign)
    for kind, own, at in ((Army, ui.army, "armies"), (Commander, ui.commander, "commanders")):
        kept: Any = own._default_manager.filter(campaign=campaign).values("pk")
        bare = kind.objects.filter(campaign=campaign).exclude(pk__in=kept).exists()
        demand(not bare, _("Some entries lack the data this campaign’s ruleset needs."), field=f"/tables/{at}")


CARRIED = (
    CarriedTable("commanders", Commander, check=_demand_commander),
    CarriedTable("armies", Army, check=_demand_army, ready=_complete, added=columns_added(ARMY_FIGURES, Army)),
    CarriedTable("insights", Insight),
    CarriedTable("sightings", Sighting, check=lambda seen: demand_hex(seen.hex)),
    CarriedTable("time_steps", TimeStep),
)

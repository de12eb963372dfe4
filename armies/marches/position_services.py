"""Services for places of armies: in free words, and on a hex of the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from armies.forces.current_battles import find_engaged
from armies.forces.row_locks import lock_armies, lock_army
from armies.models import Army, Sighting, rows_of
from core.clean_input import NAME_MAX, clean_text
from kingdom.access.decorators import gm_only, internal, needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle import changes
from kingdom.chronicle.transaction import record_changes
from kingdom.map import occupants
from kingdom.map.displacement import RULE
from kingdom.map.displacement_services import OwnedChange, register_displacement
from kingdom.map.fog_services import follow_sight, register_viewpoint, update_visibility
from kingdom.map.map_state import load_map_state
from kingdom.map.occupants import Occupant, describe_holder
from kingdom.map.queries import find_hex, land_on_table
from kingdom.map.services import get_hex, get_map, settle_on
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Settlement, User
from kingdom.models.natural import Natural
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, require
from rules.core.text import _, by_number, say
from rules.hexes.geometry import Hex, label_of
from rules.hexes.mapfile import HexMap

RETURNS = ("hex", "route", "exists")
"""Lines of armies whose undoing puts them somewhere."""
NO_HEX = by_number(
    "{names} would stand, or go, where the map has no hex any more: take back first what was done to the map.",
    "{names} would stand, or go, where the map has no hex any more: take back first what was done to the map.",
)


@needs_approval("armies.place_army", "march")
@transaction.atomic
def place_army(*, by: User, army: Army, place: str) -> Army:
    """Note where the army is; empty takes the note away."""
    require_runs(by, army.kingdom)
    place = clean_text(place, field="/place", most=NAME_MAX) if place.strip() else ""
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        army.break_off()
        army.place, army.marching_until = place, None
        army.save(update_fields=["place", *Army.BROKEN_OFF])
        told.text = say(_("{army}: now at {place}."), army=army.name, place=place or _("an unknown place"))
    return army


@gm_only
@transaction.atomic
def put_army(*, by: User, army: Army, hex: str) -> Army:
    """The army stands on this hex of the map, "" for on none (GM). What was noted of its place stays beside it.

    Raises `InvalidInput` at `/hex`, `IllegalCommand` for what is no army any more or without a map.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        update_visibility(army.campaign)  # whoever sees it where it stands now has seen it there
        army = lock_armies([army.pk], type(army))[army.pk]
        require(army.standing, _("{army} is no army any more: it cannot do this."), army=army.name)
        army.break_off()
        army.hex = settle_on(army.campaign, hex)
        army.save(update_fields=["hex", *Army.BROKEN_OFF])
        template = _("{army} stands on {hex}.") if army.hex else _("{army} stands nowhere on the map.")
        told.text = say(template, army=army.name, hex=army.hex)
    update_visibility(army.campaign)
    return army


@gm_only
@transaction.atomic
def set_out(*, by: User, campaign: Campaign, towns: Mapping[Settlement, str], armies: Mapping[Army, str]) -> None:
    """Towns, which everybody sees from now on, and armies that were nowhere lie on these hexes, as one deed (GM).

    Raises `InvalidInput`, `IllegalCommand` without a map.
    """
    require_gm(by, campaign)
    on = [*(("settlement", town) for town in towns), *(("army", army) for army in armies)]
    with record_changes(by=by, campaign=campaign, kind="other", on=on) as told:
        field = load_map_state(get_map(campaign)).field
        for town, label in towns.items():
            town.hex, town.revealed = label_of(get_hex(field, label)), True
        for army, label in armies.items():
            army.hex = label_of(get_hex(field, label))
        Settlement.objects.bulk_update(towns, ["hex", "revealed"])
        Army.objects.bulk_update(armies, ["hex"])
        told.text = _("Towns and armies are set out on the map.")
    update_visibility(campaign)


def list_viewpoints(campaign: Campaign) -> Iterable[tuple[UUID, str]]:
    """Where armies look out from: kingdom and hex."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING).exclude(hex="").order_by()
    return rows.values_list("kingdom_id", "hex")


def sight_armies(campaign: Campaign, watched: Mapping[UUID, frozenset[Hex]]) -> None:
    """Remember where each kingdom sees armies of others now, but for hidden ones, which are not there for it."""
    land = land_on_table(campaign)
    if land is None:
        return
    rows = rows_of(Army).filter(campaign=campaign, hidden=False, status__in=Army.STANDING).exclude(hex="")
    found = [
        Sighting(campaign=campaign, kingdom_id=kingdom, army=army, hex=army.hex, day=campaign.day)
        for army in rows
        if (at := find_hex(land.field, army.hex))
        for kingdom, hexes in watched.items()
        if kingdom != army.kingdom_id and at in hexes
    ]
    Sighting.objects.bulk_create(
        found, update_conflicts=True, unique_fields=["kingdom", "army"], update_fields=["hex", "day"]
    )


def leave_closed_ground(campaign: Campaign, before: HexMap, after: HexMap) -> Iterator[OwnedChange]:
    """Standing armies in hexes that are cut off, or that they could enter before and nobody can afterwards (HX-9.3):
    they stand nowhere, and go no further; nor do those whose way leads through such a hex. Who was put where nobody can
    enter stays there, as long as there is such a hex.
    """
    tolls = get_ruleset(campaign).travel.tolls
    closed = {
        label_of(at)
        for at in before
        if at not in after or (before.at(at).footing in tolls and after.at(at).footing not in tolls)
    }
    closed |= {label_of(at) for at in after if at not in before and after.at(at).footing not in tolls}
    for row, then in changes.figures("army", campaign, _concerned(campaign, closed) if closed else set()).values():
        assert isinstance(row, Army)
        row.break_off()
        row.hex = "" if row.hex in closed else row.hex
        for change in changes.differences("army", row, then, changes.figures_of("army", campaign, row), RULE):
            yield row.kingdom_id, change


def _concerned(campaign: Campaign, closed: Set[str]) -> set[str]:
    """Standing armies in these hexes, or on a way that still leads through one."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING).select_related("campaign")
    rows = rows.filter(Q(hex__in=closed) | Q(marching_until__gt=campaign.day, route__isnull=False))
    return {str(row.pk) for row in rows if not closed.isdisjoint(_on_its_way(row))}


@internal
def stay_on_the_map(entry: ChronicleEntry, by: User) -> None:
    """Whom an undo puts back stands, and goes, where there are hexes. Raises `IllegalCommand` (HX-9.3).

    Only another sheet takes hexes away: where none was laid since, nothing is read.
    """
    if not changes.later_than(entry).filter(changes__contains=[{"subject_kind": "map", "field": "document"}]).exists():
        return
    rows = rows_of(Army).filter(campaign=entry.campaign_id, status__in=Army.STANDING).select_related("campaign")
    if entry.kind == ChronicleEntry.Kind.WEEK:
        rows = rows.filter(route__isnull=False)  # they have marched back
    else:
        lines = (change for change in changes.list_changes(entry) if change.subject_kind == "army")
        rows = rows.filter(pk__in={change.subject_id for change in lines if change.field in RETURNS})
    drawn = CampaignMap.objects.filter(campaign=entry.campaign_id).first() if rows else None
    if drawn is None:
        return
    field = load_map_state(drawn).field
    names = [row.name for row in rows if any(find_hex(field, at) is None for at in _on_its_way(row))]
    if names:
        raise IllegalCommand(say(NO_HEX, count=len(names), names=names))


def _on_its_way(army: Army) -> set[str]:
    """Where it stands, and what lies ahead of it."""
    ahead = army.way.left(army.campaign.day) if army.way and army.marching else ()
    return {army.hex, *ahead} - {""}


def list_visible_occupants(campaign: Campaign) -> Iterator[Occupant]:
    """Standing armies that are on a hex, or in a battle that is not over: for painters, whatever is hidden."""
    held = find_engaged(campaign)
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING).order_by(Natural("name"), "id")
    for key, name, kingdom, label in rows.values_list("pk", "name", "kingdom_id", "hex"):
        if label or key in held:
            by = describe_holder(held[key].held, held[key].name) if key in held else ""
            yield Occupant(str(key), name, kingdom, label, by)


def register() -> None:
    occupants.register(list_visible_occupants)
    register_viewpoint(list_viewpoints)
    register_displacement(leave_closed_ground)
    follow_sight(sight_armies)

"""Services for places of armies: in free words, and on a hex of the map."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from armies.forces.row_locks import lock_armies, lock_army
from armies.models import Army
from core.clean_input import NAME_MAX, clean_text
from kingdom.access.decorators import gm_only, needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.map.fog_services import update_visibility
from kingdom.map.map_state import load_map_state
from kingdom.map.services import get_hex, get_map, settle_on
from kingdom.models import Campaign, Settlement, User
from rules.core.errors import require
from rules.core.text import _, say
from rules.hexes.geometry import label_of


@needs_approval("armies.place_army", "march")
@transaction.atomic
def place_army(*, by: User, army: Army, place: str) -> Army:
    """Sets the army's place in free words; "" clears it."""
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
    """Puts the army on this hex of the map, "" to take it off (GM). Its place in words stays.

    Raises `InvalidInput` at `/hex`; `IllegalCommand` for an army that no longer stands, or without a map.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        update_visibility(army.campaign)  # Stores who sees it at its present place.
        army = lock_armies([army.pk], type(army))[army.pk]
        require(army.standing, _("{army} no longer exists as an army, so it can’t do this."), army=army.name)
        army.break_off()
        army.hex = settle_on(army.campaign, hex)
        army.save(update_fields=["hex", *Army.BROKEN_OFF])
        template = _("{army} is on {hex}.") if army.hex else _("{army} is no longer on the map.")
        told.text = say(template, army=army.name, hex=army.hex)
    update_visibility(army.campaign)
    return army


@gm_only
@transaction.atomic
def set_out(*, by: User, campaign: Campaign, towns: Mapping[Settlement, str], armies: Mapping[Army, str]) -> None:
    """Puts towns (visible to everybody from now on) and armies on these hexes, in one chronicle entry (GM).

    Raises `InvalidInput`, and `IllegalCommand` without a map.
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
        told.text = _("Towns and armies were placed on the map.")
    update_visibility(campaign)

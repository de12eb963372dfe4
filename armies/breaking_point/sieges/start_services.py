"""Services that begin sieges and let armies join them (BP-8, B-60)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.models.sieges import RUNNING
from armies.breaking_point.sieges.siege_changes import RULE, ToldLine, build_siege_change, station
from armies.breaking_point.sieges.specs import MEMBERS, build_host, build_place, build_siege, load_armies, state_of
from armies.breaking_point.sieges.tracked_fields import seat
from armies.breaking_point.specs import load_units
from armies.forces.row_locks import lock_armies, lock_army, refuse_unusable
from armies.models import Army
from kingdom.access.decorators import unrestricted
from kingdom.access.queries import require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from rules.breaking_point.siege.siege_state import BESIEGER, GARRISON, Siege, SiegeParty, lay_siege, reinforced
from rules.core.errors import demand, require
from rules.core.text import _, say

OUR_ARMIES = "armies of one's own besiege whom they like"
MOST = 50


@unrestricted(OUR_ARMIES)
@transaction.atomic
def begin_siege(*, by: User, place: FortifiedPlace, armies: Sequence[Army], chief: Army | None = None) -> SiegeRow:
    """Armies besiege a place of another kingdom (whoever runs them all). `chief`: whose commander speaks (B-15).

    Raises `InvalidInput` for armies that are not theirs to send, `IllegalCommand` for those that are busy or on the
    march, for a place that nobody holds or that is besieged, and while what lies before it stands (B-61), Http404 where
    one of them is gone.
    """
    demand(armies, _("Choose the armies that besiege."), field="/armies")
    demand(len(armies) <= MOST, _("At most {most}, please."), field="/armies", most=MOST)
    for army in armies:
        require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=place.campaign, kind="army", rule=RULE, private=False) as told:
        rows = FortifiedPlace.objects.select_for_update(of=("self",)).select_related("outer")
        place = get_object_or_404(rows, pk=place.pk)
        _refuse_place(place)
        outside = _usable([army.pk for army in armies], place)
        inside = _garrison(place)
        named = str(chief.pk) if chief else ""
        begun = lay_siege(
            build_place(place), [build_host(one) for one in inside], [build_host(one) for one in outside], named
        )
        row = _kept(place, begun)
        text = say(_("{army} lays siege to {place}."), army=_named(outside, begun.besieged_by), place=place.name)
        told.made("siege", row)
        told.about(place.kingdom)
        told.text = text
    return row


def _refuse_place(place: FortifiedPlace) -> None:
    besieged = SiegeRow.objects.filter(place=place, status__in=RUNNING).exists()
    require(not besieged, _("{place} is besieged already."), place=place.name)
    stands = place.outer is not None and place.outer.kingdom_id == place.kingdom_id
    outer = place.outer.name if place.outer else ""
    require(not stands, _("{outer} has to fall before {place}."), outer=outer, place=place.name)


def _usable(ids: Sequence[Any], place: FortifiedPlace) -> list[Army]:
    """Those that besiege, locked, in the order in which they were named."""
    found: dict[Any, Army] = lock_armies(ids)
    for army in found.values():
        refuse_unusable(army)
        demand(army.campaign_id == place.campaign_id, _("There is no such army here."), field="/armies")
        require(army.kingdom_id != place.kingdom_id, _("{army} holds this place itself."), army=army.name)
        require(not army.marching, _("{army} is on the march."), army=army.name)
        require(load_units(army), _("The sheet of {army} is not read by this law: mend it first."), army=army.name)
    return [found[pk] for pk in dict.fromkeys(ids)]


def _garrison(place: FortifiedPlace) -> list[Army]:
    ids = place.stationed.values_list("army_id", flat=True)
    found: dict[Any, Army] = lock_armies(ids)
    return [army for army in found.values() if army.standing and load_units(army)]


def _named(armies: Sequence[Army], key: str) -> str:
    return next(army.name for army in armies if str(army.pk) == key)


def _kept(place: FortifiedPlace, begun: Siege) -> SiegeRow:
    row = SiegeRow(campaign=place.campaign, place=place, began=place.campaign.day)
    row.state = state_of(begun, sides_of(begun), [])
    row.save(force_insert=True)
    seat(row)
    return row


def sides_of(siege: Siege) -> dict[str, list[str]]:
    """The armies of both sides, chiefs first, those without units left out."""
    outside = dict.fromkeys([siege.besieged_by, *siege.contact.armies, *siege.shooting.armies])
    inside = dict.fromkeys([siege.held_by, *siege.garrison.armies])
    return {MEMBERS[BESIEGER]: list(outside), MEMBERS[GARRISON]: list(inside)}


@unrestricted(OUR_ARMIES)
@transaction.atomic
def join_siege(*, by: User, siege: SiegeRow, army: Army) -> SiegeRow:
    """An army comes to the besiegers, or to the garrison where it is not invested (whoever runs it). Raises Http404."""
    require_runs(by, army.kingdom)
    campaign = chronicle_changes.lock(siege.campaign)
    rows = SiegeRow.objects.select_for_update(of=("self",)).select_related("place")
    row = get_object_or_404(rows, pk=siege.pk)
    army = lock_army(army)
    refuse_unusable(army)
    demand(army.campaign_id == campaign.pk, _("There is no such army here."), field="/army")
    require(not army.marching, _("{army} is on the march."), army=army.name)
    require(row.running, _("This siege is over."))
    side: SiegeParty = GARRISON if army.kingdom_id == row.place.kingdom_id else BESIEGER
    after = reinforced(build_siege(row, load_armies([row], held=True)), side, build_host(army))
    text = say(_("{army} joins the siege of {place}."), army=army.name, place=row.place.name)
    members = {MEMBERS[side]: [*row.state[MEMBERS[side]], str(army.pk)]}
    changes = [build_siege_change(row, after, [ToldLine(campaign.day, text, "B-60")], members)]
    if side == GARRISON:
        changes.append(station(army, None, row.place))
    chronicle_changes.apply_held(
        campaign=campaign, changes=changes, by=by, kind="army", text=text, kingdoms={army.kingdom_id}
    )
    row.refresh_from_db()
    return row

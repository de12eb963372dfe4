"""Services for fortified places: build, change, raze, garrison (BP-8, B-61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404

from armies.breaking_point.forces.specs import (
    check_garrison,
    garrison_of,
    lies_behind,
    refuse_besieged,
    refuse_stranger,
)
from armies.breaking_point.models import FortifiedPlace, Stationed
from armies.breaking_point.sieges.queries import station_of
from armies.breaking_point.sieges.siege_changes import RULE, station
from armies.forces.busy import lock_army
from armies.models import Army
from armies.reform.plans import Reformation
from core.clean_input import clean_slug, clean_text, clean_whole
from kingdom.access.decorators import gm_only, require_not_deleted, unrestricted
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.models import Kingdom, Settlement, User
from rules.breaking_point.spec import FORTIFICATIONS
from rules.core.errors import demand, require
from rules.core.text import _, say

GARRISON_MOST = 1_000_000
OUR_ARMY = "an army of one's own goes where it is sent"


@gm_only
@transaction.atomic
def fortify(
    *,
    by: User,
    kingdom: Kingdom,
    name: str,
    kind: str,
    garrison: int,
    settlement: Settlement | None = None,
    outer: FortifiedPlace | None = None,
) -> FortifiedPlace:
    """Builds a new fortified place of a kingdom (GM). Raises `InvalidInput` with the pointer, and `Http404` where the
    kingdom, the settlement or the outer place is deleted meanwhile.
    """
    require_gm(by, kingdom.campaign)
    place = FortifiedPlace(campaign=kingdom.campaign, kingdom=kingdom)
    with record_changes(by=by, campaign=kingdom.campaign, kind="kingdom", rule=RULE, private=False) as told:
        require_not_deleted(kingdom)
        _put(place, name=name, kind=kind, garrison=garrison, settlement=settlement, outer=outer)
        place.save(force_insert=True)
        told.made("place", place)
        told.text = say(_("{kingdom} fortified {place}."), kingdom=kingdom.name, place=place.name)
    return place


@gm_only
@transaction.atomic
def update_place(*, by: User, place: FortifiedPlace, **given: Any) -> FortifiedPlace:
    """Changes the given fields: name, kind, garrison, settlement, outer, and the holder (`kingdom`). GM.

    Raises `Http404` where the place or one of the given rows is deleted meanwhile, `IllegalCommand` while it is
    besieged.
    """
    require_gm(by, place.campaign)
    with record_changes(by=by, campaign=place.campaign, kind="kingdom", rule=RULE, on=[("place", place)]) as told:
        place = told.held("place", place)
        require_not_deleted(given.get("kingdom"))
        refuse_besieged(place)
        kept = {name: getattr(place, name) for name in ("name", "kind", "garrison", "settlement", "outer")}
        place.kingdom = _holder(place, given.pop("kingdom", place.kingdom))
        _put(place, **{**kept, **given})
        place.save(force_update=True)
        told.text = say(_("{place} was changed."), place=place.name)
    return place


@gm_only
@transaction.atomic
def raze_place(*, by: User, place: FortifiedPlace) -> None:
    """Deletes a place and the rows of its past sieges (GM). Undo restores them. Raises `IllegalCommand` while it is
    besieged or garrisoned.
    """
    require_gm(by, place.campaign)
    with record_changes(by=by, campaign=place.campaign, kind="kingdom", rule=RULE, on=[("place", place)]) as told:
        for held in told.rows("place").values():  # no row: somebody else has razed it meanwhile
            refuse_besieged(held)
            require(
                not held.stationed.exists(), _("{place} has a garrison. Withdraw the garrison first."), place=held.name
            )
            told.text = say(_("{place} was razed."), place=held.name)
            told.gone("place", held)
            held.delete()


def _holder(place: FortifiedPlace, kingdom: Kingdom) -> Kingdom:
    ours = kingdom.campaign_id == place.campaign_id
    demand(ours, _("This kingdom isn’t in this campaign."), field="/kingdom")
    stranger = kingdom.pk != place.kingdom_id and place.stationed.exists()
    require(not stranger, _("{place} has a garrison. Withdraw the garrison first."), place=place.name)
    return kingdom


def _put(
    place: FortifiedPlace, *, name: object, kind: object, garrison: object, settlement: Settlement | None,
    outer: FortifiedPlace | None,
) -> None:  # fmt: skip
    """Validates and sets the fields, with settlement and outer place read again. Raises `InvalidInput`, `Http404`."""
    place.name = clean_text(name, field="/name")
    place.kind = clean_slug(kind, field="/kind", among=FORTIFICATIONS)
    fort = FORTIFICATIONS[place.kind]
    most = fort.most or GARRISON_MOST
    place.garrison = clean_whole(garrison, field="/garrison", least=fort.least, most=most)
    settlement = settlement and get_object_or_404(Settlement, pk=settlement.pk)
    outer = outer and get_object_or_404(FortifiedPlace, pk=outer.pk)
    # A captured place may stand in a town that was not captured.
    same = settlement is None or settlement.pk == place.settlement_id
    ours = same or (settlement is not None and settlement.kingdom_id == place.kingdom_id)
    demand(ours, _("This settlement belongs to another kingdom. Choose one from this kingdom."), field="/settlement")
    place.settlement = settlement
    _demand_row(place, outer)
    place.outer = outer


def _demand_row(place: FortifiedPlace, outer: FortifiedPlace | None) -> None:
    """Refuses an outer place that lies behind this one: outer places make a row, not a ring (B-61)."""
    demand(
        outer is None or outer.campaign_id == place.campaign_id,
        _("This fortified place doesn’t exist in this campaign. Choose another one."),
        field="/outer",
    )
    demand(
        not lies_behind(place, outer),
        _("A fortified place can’t protect itself. Choose another one."),
        field="/outer",
    )


@unrestricted(OUR_ARMY)
@transaction.atomic
def enter_place(*, by: User, army: Army, place: FortifiedPlace) -> None:
    """Stations the army in a place of its kingdom (whoever runs it).

    Raises `IllegalCommand` for an army on the march, for more than twice the garrison (B-61), and for a besieged place:
    `join_siege` is for that. Raises `Http404`.
    """
    require_runs(by, army.kingdom)
    campaign = chronicle_changes.lock(army.campaign)
    army = lock_army(army)
    place = get_object_or_404(FortifiedPlace.objects.select_for_update(), pk=place.pk)
    demand(
        place.campaign_id == campaign.pk,
        _("This fortified place doesn’t exist in this campaign. Choose another one."),
        field="/place",
    )
    refuse_stranger(place, army)
    require(not army.marching, _("{army}: on the march. Wait for the arrival or halt the army first."), army=army.name)
    refuse_besieged(place)
    before = station_of(army)
    require(before != place, _("{army}: already there."), army=army.name)
    check_garrison(place, [*garrison_of(place), army])
    text = say(_("{army} garrisoned {place}."), army=army.name, place=place.name)
    _move(by, campaign, army, before, place, text)


@unrestricted(OUR_ARMY)
@transaction.atomic
def leave_place(*, by: User, army: Army) -> None:
    """The army leaves its place (whoever runs it). Raises `IllegalCommand` where it is in none, or is besieged."""
    require_runs(by, army.kingdom)
    campaign = chronicle_changes.lock(army.campaign)
    army = lock_army(army)
    before = station_of(army)
    require(before, _("{army}: not the garrison of any fortified place."), army=army.name)
    assert before
    text = say(_("{army} left {place}."), army=army.name, place=before.name)
    _move(by, campaign, army, before, None, text)


def _move(by: User, campaign: Any, army: Army, before: Any, after: Any, text: Any) -> None:
    changes = [station(army, before, after)]
    if after and army.place != after.name:
        where = chronicle_changes.word_of("army", "place")
        changes.append(
            chronicle_changes.Change("army", str(army.pk), "place", army.place, after.name, RULE, where, army.name)
        )
    kingdoms = {army.kingdom_id}
    chronicle_changes.apply_held(
        campaign=campaign, changes=changes, by=by, kind="army", text=text, private=True, kingdoms=kingdoms
    )


def garrison_reformed(told: Recording, plan: Reformation[Army, Any], rows: Sequence[Army]) -> None:
    """Stations new armies in the place of those they come from, and takes dissolved ones out (B-83)."""
    home = Stationed.objects.filter(army__in=plan.armies).select_related("place").first()
    if home is None:
        return
    new = [row for row in rows if row not in plan.armies]
    Stationed.objects.bulk_create(Stationed(campaign=home.campaign, army=army, place=home.place) for army in new)
    Stationed.objects.filter(army__in=plan.gone).delete()
    told.wrote(station(army, None, home.place) for army in new)
    told.wrote(station(army, home.place, None) for army in plan.gone)

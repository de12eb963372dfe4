"""Busy armies: those that a siege holds where they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.breaking_point.models import RUNNING, SiegeArmy, SiegeRow
from armies.breaking_point.sieges.specs import build_siege, load_armies
from armies.forces.busy import Engaged
from armies.models import Army
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.ruleset import BreakingPoint
from rules.breaking_point.siege.siege_state import shares_left
from rules.core.errors import Refusal
from rules.core.health import WHOLE
from rules.core.text import Said, _, say


def sieges_of(armies: Collection[Army]) -> dict[UUID, SiegeRow]:
    """The siege each of these is in now, where it is in one."""
    return {seat.army_id: seat.siege for seat in _seats(armies)}


def _seats(armies: Collection[Army]) -> QuerySet[SiegeArmy]:
    """The first sieges last."""
    seats = SiegeArmy.objects.filter(SiegeArmy.BINDS, army__in=armies)
    return seats.select_related("siege__place").order_by("-pk")


def explain_besieging(armies: Collection[Army]) -> dict[UUID, Said]:
    """An army may not be touched while its siege lasts; a battle of the siege sets it free for that battle."""
    names, text = {army.pk: army.name for army in armies}, _("{army} takes part in the siege of {place}.")
    found = sieges_of(armies)
    return {key: say(text, army=names[key], place=siege.place.name) for key, siege in found.items()}


# Annotations of sieges for lists of armies and their sheets: who is in which siege, and what is left of them there.


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """By army, with the share of its force that is left; its sheet keeps what it came with until the siege is over."""
    if get_ruleset(campaign).family != BreakingPoint.family:
        return {}
    rows = list(SiegeRow.objects.filter(campaign=campaign, status__in=RUNNING).select_related("place"))
    armies = load_armies(rows) if rows else {}
    return dict(seat for row in rows for seat in _seats_in_sieges(row, armies))


def _seats_in_sieges(row: SiegeRow, armies: dict[str, Army]) -> Iterator[tuple[UUID, Engaged]]:
    try:
        shares = shares_left(build_siege(row, armies))
    except Refusal:  # a sheet the law no longer accepts: what it has lost cannot be reckoned, where it lies is known
        shares = {}
    url = reverse("armies:siege", args=[row.pk])
    for key in row.state["besiegers"] + row.state["inside"]:
        left = shares.get(key, WHOLE)
        held = Engaged(row.place.name, url, left, WHOLE, None, share=True, held=SiegeArmy.HELD, icon="white-tower")
        yield UUID(key), held

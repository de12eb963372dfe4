"""Armies that a siege keeps busy."""

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
    """The siege of each of these armies; armies in no siege are left out."""
    return {seat.army_id: seat.siege for seat in _seats(armies)}


def _seats(armies: Collection[Army]) -> QuerySet[SiegeArmy]:
    """Seats in running sieges, newest first, so that a dict keeps the oldest."""
    seats = SiegeArmy.objects.filter(SiegeArmy.BINDS, army__in=armies)
    return seats.select_related("siege__place").order_by("-pk")


def explain_besieging(armies: Collection[Army]) -> dict[UUID, Said]:
    """Reasons why armies may not be changed while their siege lasts. A battle of the siege releases them."""
    names, text = {army.pk: army.name for army in armies}, _("{army} takes part in the siege of {place}.")
    found = sieges_of(armies)
    return {key: say(text, army=names[key], place=siege.place.name) for key, siege in found.items()}


# Sieges of armies for lists and sheets, with the force that is left.


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """Armies in running sieges, with the percentage of force that is left. Their sheets keep the state before the siege
    until it is over.
    """
    if get_ruleset(campaign).family != BreakingPoint.family:
        return {}
    rows = list(SiegeRow.objects.filter(campaign=campaign, status__in=RUNNING).select_related("place"))
    armies = load_armies(rows) if rows else {}
    return dict(seat for row in rows for seat in _seats_in_sieges(row, armies))


def _seats_in_sieges(row: SiegeRow, armies: dict[str, Army]) -> Iterator[tuple[UUID, Engaged]]:
    try:
        shares = shares_left(build_siege(row, armies))
    except Refusal:  # Without a valid sheet losses cannot be computed; the place is known.
        shares = {}
    url = reverse("armies:siege", args=[row.pk])
    for key in row.state["besiegers"] + row.state["inside"]:
        left = shares.get(key, WHOLE)
        held = Engaged(row.place.name, url, left, WHOLE, None, share=True, held=SiegeArmy.HELD, icon="white-tower")
        yield UUID(key), held

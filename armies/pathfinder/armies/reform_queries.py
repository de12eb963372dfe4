"""Queries for reforming armies (R-94): armies as the rules reform them, and which can be combined."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from armies.forces.busy import explain_busy_armies
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from armies.reform.plans import standing_at
from kingdom.models import Campaign
from kingdom.models.base import Natural
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.pathfinder.reform import Troops, find_likeness, refuse_unlike

CANDIDATES_MOST = 100


def build_troops(army: PathfinderArmy) -> Troops:
    """The army as the rules reform it."""
    return Troops(build_army_spec(army), standing_at(army), army.owed, army.surcharge, army.ill)


def explain_reserve(army: PathfinderArmy) -> Said:
    """Why an army in reserve, or on its way out, does nothing (R-94)."""
    if army.called_up is not None:
        return say(_("{army}: being called up, ready on day {day}."), army=army.name, day=army.called_up)
    return say(_("{army}: in reserve. Call the army up first; that takes a week."), army=army.name)


def list_in_reserve(campaign: Campaign) -> QuerySet[Any, UUID]:
    """Ids of the campaign's armies in reserve, or on their way out (R-94)."""
    out = Q(called_up=None) | Q(called_up__gt=campaign.day)
    rows = PathfinderArmy.objects.filter(out, campaign=campaign, reserved_on__isnull=False)
    return rows.order_by().values_list("pk", flat=True)


def explain_absent(armies: Collection[UUID]) -> dict[UUID, Said]:
    """Reasons why armies in reserve can't be led into a battle, by id."""
    rows = PathfinderArmy.objects.filter(pk__in=armies, reserved_on__isnull=False)
    return {row.pk: explain_reserve(row) for row in rows.select_related("campaign") if row.in_reserve}


def group_of(army: PathfinderArmy) -> str:
    """Key of an army for combining: armies with equal keys can be combined. Adjustments are not part of the key; the
    refusal names them.
    """
    likeness = find_likeness(build_troops(army))
    del likeness["adjustments"]
    return repr(likeness)


def list_candidates(army: PathfinderArmy) -> list[PathfinderArmy]:
    """Armies of the kingdom that this one can be combined with now."""
    alike = PathfinderArmy.objects.filter(
        kingdom=army.kingdom_id, status=army.status, hex=army.hex, sheet__unit=army.unit
    )
    rows = list(alike.exclude(pk=army.pk).complete().order_by(Natural("name"), "id")[:CANDIDATES_MOST])
    for row in rows:
        row.campaign = army.campaign
    busy = explain_busy_armies(rows) if rows else {}
    law, ours = get_ruleset(army.campaign), build_troops(army)
    return [row for row in rows if row.pk not in busy and not row.marching and _fits(law, ours, row)]


def _fits(law: Any, ours: Troops, other: PathfinderArmy) -> bool:
    try:
        refuse_unlike(law, [ours, build_troops(other)])
    except Refusal:
        return False
    return True

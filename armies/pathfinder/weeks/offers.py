"""Offers for the page: what there is to choose as time passes, and who is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.forces.march_pace import knows_the_land
from armies.pathfinder.forces.rest import recovery_limit
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.aggregates import load_troop_totals
from armies.pathfinder.weeks.services import WeekProposal
from armies.pathfinder.weeks.week_choices import eats_corpses, load_choices
from core.db.compiled_queries import CompiledQuery
from kingdom.campaign.calendar import DAYS_A_WEEK
from kingdom.models import Campaign, Kingdom
from kingdom.models.natural import Natural, make_natural_key

MOST_OFFERED = 200  # armies; a longer list is no choice but a chore: the API takes more


@dataclass(frozen=True, slots=True)
class Offers:
    """What there is to choose, by the name the choice has in the API: armies as (id, label); and what was chosen for
    the running week, as ids.
    """

    armies: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    kingdoms: tuple[Kingdom, ...] = ()
    chosen: Mapping[str, list[str]] = field(default_factory=dict)


def list_offers(campaign: Campaign) -> Offers:
    """What the GM may choose for the days that pass and for the running week."""
    kingdoms = tuple(sorted(campaign.kingdoms.all(), key=lambda one: (make_natural_key(one.name), one.pk)))
    chosen = load_choices(campaign, kingdoms)
    if sum(one.armies for one in load_troop_totals(kingdoms).values()) > MOST_OFFERED:
        return Offers({}, kingdoms, chosen)
    found = _armies(campaign, kingdoms)
    armies = {
        "march": [army for army in found if army.hp < recovery_limit(army) and not army.marching],
        "live_off_the_land": [army for army in found if knows_the_land(army)],
        "cannibalize": [army for army in found if eats_corpses(army)],
        "commander_away": [army for army in found if army.commander],
        "commander_present": [army for army in found if army.commander],
        "pay_first": found if len(kingdoms) and len(found) > 1 else [],
    }
    return Offers({name: [_named(army) for army in some] for name, some in armies.items()}, kingdoms, chosen)


def _armies(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> list[PathfinderArmy]:
    """Its standing armies by kingdom, all of one campaign object: its rules are read once. Those of a kingdom that was
    founded since these were read are left out.
    """
    of = {kingdom.pk: kingdom for kingdom in kingdoms}
    found: list[PathfinderArmy] = [army for army in _ask_armies(campaign.pk) if army.kingdom_id in of]
    for army in found:
        army.campaign, army.kingdom = campaign, of[army.kingdom_id]
    return found


def _standing(campaign: UUID) -> QuerySet[PathfinderArmy]:
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    by_kingdom = rows.order_by(Natural("kingdom__name"), Natural("name"), "id")
    return by_kingdom.select_related("commander__pathfindercommander")


_ask_armies = CompiledQuery(_standing, UUID)


def _named(army: PathfinderArmy) -> tuple[str, str]:
    leader = f" ({army.commander.name})" if army.commander else ""
    return str(army.pk), f"{army.name} · {army.kingdom.name}{leader}"


def weeks_paid(campaign: Campaign, proposal: WeekProposal) -> list[dict[str, Any]]:
    """Who is paid, week by week and kingdom by kingdom."""
    names = {str(pk): name for pk, name in campaign.kingdoms.values_list("pk", "name")}
    found = sorted(
        proposal.payments, key=lambda pay: (pay.day, make_natural_key(names[pay.kingdom]), pay.kingdom, pay.name)
    )
    return [
        {"day": day, "week": day // DAYS_A_WEEK, "kingdom": names[kingdom], "payments": list(payments)}
        for (day, kingdom), payments in groupby(found, key=lambda pay: (pay.day, pay.kingdom))
    ]

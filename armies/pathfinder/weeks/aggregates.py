"""Totals of a kingdom's standing armies, and the choices for its campaign's week: boards read both with the kingdom
(`kingdom.realms.annotations`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import JSONObject

from armies.pathfinder.models import PathfinderArmy, WeekChoices
from kingdom.campaign.calendar import DAYS_A_WEEK
from kingdom.models import Kingdom


class TroopTotals(NamedTuple):
    """How many standing armies, and of these how many live off the land, are routed, drained, ill, and recover;
    `worst`: in so many days all of them. `upkeep`: what they cost, BP a week.
    """

    armies: int = 0
    upkeep: int = 0
    fed: int = 0
    routed: int = 0
    drained: int = 0
    ill: int = 0
    recovering: int = 0
    worst: int = 0


_MENDING = Q(ill=False, disease__gt=0)
_COUNTED: Mapping[str, Any] = {
    "armies": Count("pk"),
    "upkeep": Sum("upkeep"),
    "fed": Count("pk", filter=Q(foraging__isnull=False)),
    "routed": Count("pk", filter=Q(status=PathfinderArmy.Status.ROUTED)),
    "drained": Count("pk", filter=Q(drain__gt=0)),
    "ill": Count("pk", filter=Q(ill=True)),
    "recovering": Count("pk", filter=_MENDING),
    "worst": Max("disease", filter=_MENDING, default=0),
}
TROOPS, CHOSEN = "troops_told", "week_chosen"


def load_troop_totals(kingdoms: Sequence[Kingdom]) -> dict[UUID, TroopTotals]:
    """Of each of these kingdoms. No query for those read with a board, or else one."""
    if all(TROOPS in vars(kingdom) for kingdom in kingdoms):
        return {kingdom.pk: TroopTotals(**(vars(kingdom)[TROOPS] or {})) for kingdom in kingdoms}
    rows = _standing(kingdom__in=kingdoms).values_list("kingdom", "told")
    return dict.fromkeys((kingdom.pk for kingdom in kingdoms), TroopTotals()) | {
        key: TroopTotals(**told) for key, told in rows
    }


def find_loaded_choices(kingdoms: Iterable[Kingdom]) -> dict[str, list[str]] | None:
    """What was chosen for the running week, if one of these kingdoms was read with a board."""
    known = next((vars(kingdom) for kingdom in kingdoms if CHOSEN in vars(kingdom)), None)
    return None if known is None else dict(known[CHOSEN] or {})


def _standing(**which: Any) -> QuerySet[Any, Any]:
    rows: QuerySet[Any, Any] = PathfinderArmy.objects.filter(status__in=PathfinderArmy.STANDING, **which)
    return rows.order_by().values("kingdom").annotate(told=JSONObject(**_COUNTED))


_RUNNING = WeekChoices.objects.filter(campaign=OuterRef("campaign"), week=F("campaign__day") / DAYS_A_WEEK)
BOARDS = {
    TROOPS: Subquery(_standing(kingdom=OuterRef("pk")).values("told")),
    CHOSEN: Subquery(_RUNNING.order_by().values("choices")[:1]),
}

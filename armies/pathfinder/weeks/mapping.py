"""Mapping of rows to the values that the rules of time read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import JSONObject

from armies.pathfinder.models import PathfinderArmy, RestCheck, WeekChoices
from armies.pathfinder.models.army import STORED, PathfinderArmyQuerySet
from armies.pathfinder.weeks.adjustment_ends import list_later
from kingdom.models import Campaign, Kingdom
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import count_districts, get_ruleset
from rules.pathfinder.spec import size_of
from rules.pathfinder.weeks import ArmyNow, KingdomNow
from rules.pathfinder.weeks.week_state import reserve_weeks

SAME = (
    "name", "hp", "hp_max", "acr", "regrowth", "morale", "status", "arrears", "owed", "disease", "ill", "drain",
    "consumption", "surcharge", "rested_on", "foraging", "marching_until", "led_days", "led_to", "reserved_on",
    "called_up",
)  # fmt: skip
WOUNDS = ("hp", "hp_max")


def map_army(army: PathfinderArmy, day: int, *, but: Collection[str] = ()) -> ArmyNow:
    """The army as it is today (`day`). Its commander must be joined. `but`: fields to leave out."""
    leader = army.leader
    same: dict[str, Any] = {name: getattr(army, name) for name in SAME if name not in but}
    return ArmyNow(
        id=str(army.pk),
        kingdom=str(army.kingdom_id),
        rank=size_of(army.count).rank,
        commander=str(leader.pk) if leader else None,
        free=leader is None or leader.coming(day),
        back_on=leader.away_until if leader else None,
        active_days=leader.active_days if leader else 0,
        later=list_later(army),
        adjusted_until=min((one["until"] for one in army.adjustments if one["until"] is not None), default=None),
        **same,
    )


def map_armies(armies: QuerySet[PathfinderArmy], day: int, *, most: int | None = None) -> list[ArmyNow]:
    """The armies as they are today (`day`), by id; at most `most`."""
    return [map_army(army, day) for army in now_columns(armies)[:most]]


def now_columns(armies: QuerySet[PathfinderArmy], *, but: Collection[str] = ()) -> QuerySet[PathfinderArmy]:
    """The rows with the columns that `map_army` reads, by id."""
    rows = armies.select_related("commander__pathfindercommander").only(
        "id",
        "kingdom_id",
        "sheet",
        "adjustments",
        *(STORED.get(name, name) for name in SAME if name not in but),
        "commander__status",
        "commander__away_until",
        "commander__pathfindercommander__active_days",
    )
    return rows.order_by("id")


def list_standing(campaign: Campaign) -> PathfinderArmyQuerySet:
    return PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)


COUNTED = {
    "armies": Count("pk"), "ill": Count("pk", filter=Q(ill=True)), "fed": Count("pk", filter=Q(foraging__isnull=False))
}  # fmt: skip


def count_armies(armies: Sequence[ArmyNow]) -> dict[str, int]:
    """Troop totals, counted from loaded armies."""
    fed = sum(army.foraging is not None for army in armies)
    return {"armies": len(armies), "ill": sum(army.ill for army in armies), "fed": fed}


def attach_leaders(armies: QuerySet[PathfinderArmy], campaign: Campaign) -> list[PathfinderArmy]:
    """The armies with their commanders, sharing one campaign object, so that rules are read once."""
    found = list(armies.select_related("commander__pathfindercommander"))
    for army in found:
        army.campaign = campaign
    return found


def find_reserve_weeks(campaign: Campaign, since: int, until: int) -> frozenset[int]:
    """Ends of the weeks in which armies in reserve are paid: those of these days in which a month begins (R-94). All
    weeks if the law or a house rule has no reserves.
    """
    first, last = since // DAYS_A_WEEK * DAYS_A_WEEK, (until // DAYS_A_WEEK + 1) * DAYS_A_WEEK
    if not has_reserves(campaign):
        return frozenset(range(first + DAYS_A_WEEK, last + 1, DAYS_A_WEEK))
    return reserve_weeks(campaign.dates.month_starts(first, last))


def has_reserves(campaign: Campaign) -> bool:
    """Whether armies can be in reserve: its law knows that, and no house rule ends it (R-94)."""
    return bool(getattr(get_ruleset(campaign).house, "reform", False))


def kingdom_now(kingdom: Kingdom) -> KingdomNow:
    """The kingdom's present values. Its settlements must be prefetched."""
    same = ("name", "economy", "loyalty", "stability", "unrest", "size", "treasury", "consumption")
    return KingdomNow(
        id=str(kingdom.pk),
        districts=count_districts(kingdom),
        modifier=kingdom.control_dc_modifier,
        override=kingdom.control_dc_override,
        planned=kingdom.planned_lines,
        without_treasury=kingdom.without_treasury,
        needs_commanders=kingdom.needs_commanders or not kingdom.without_treasury,
        **{name: getattr(kingdom, name) for name in same},
    )


def map_kingdoms(campaign: Campaign) -> list[KingdomNow]:
    rows = Kingdom.objects.filter(campaign=campaign).prefetch_related("settlements").order_by("id")
    return [kingdom_now(kingdom) for kingdom in rows]


def rallied(campaign: Campaign) -> dict[str, bool]:
    """Results of the kingdoms' Loyalty checks for rest that were made today (R-79)."""
    checks = RestCheck.objects.filter(campaign=campaign, day=campaign.day)
    return {str(one.kingdom_id): one.check_made.success for one in checks}


# Totals of a kingdom's standing armies, and the week's choices. Boards load both with the kingdoms
# (`Contribution.kingdom_annotations`).


class TroopTotals(NamedTuple):
    """Numbers of standing armies, and of those living off the land, routed, drained, ill and recovering. `worst`: days
    until all have recovered. In BP, `upkeep`: a week, without armies that stay in reserve; `reserve`: a month for
    these; `resting`: for those in reserve for the whole running week, called up or not.
    """

    armies: int = 0
    upkeep: int = 0
    reserve: int = 0
    resting: int = 0
    fed: int = 0
    routed: int = 0
    drained: int = 0
    ill: int = 0
    recovering: int = 0
    worst: int = 0


_BEGUN = F("campaign__day") / DAYS_A_WEEK * DAYS_A_WEEK
_RESTING = Q(reserved_on__lte=_BEGUN) & (Q(called_up=None) | Q(called_up__gt=_BEGUN + DAYS_A_WEEK))
_MENDING = Q(ill=False, disease__gt=0)
_COUNTED: Mapping[str, Any] = {
    "armies": Count("pk"),
    "upkeep": Sum("upkeep", filter=~PathfinderArmy.STAYS_IN_RESERVE, default=0),
    "reserve": Sum("upkeep", filter=PathfinderArmy.STAYS_IN_RESERVE, default=0),
    "resting": Sum("upkeep", filter=_RESTING, default=0),
    "fed": Count("pk", filter=Q(foraging__isnull=False)),
    "routed": Count("pk", filter=Q(status=PathfinderArmy.Status.ROUTED)),
    "drained": Count("pk", filter=Q(drain__gt=0)),
    "ill": Count("pk", filter=Q(ill=True)),
    "recovering": Count("pk", filter=_MENDING),
    "worst": Max("disease", filter=_MENDING, default=0),
}
TROOPS, CHOSEN = "troops_told", "week_chosen"


def load_troop_totals(kingdoms: Sequence[Kingdom]) -> dict[UUID, TroopTotals]:
    """Totals of each kingdom. No query for kingdoms loaded with a board, else one."""
    if all(TROOPS in vars(kingdom) for kingdom in kingdoms):
        return {kingdom.pk: TroopTotals(**(vars(kingdom)[TROOPS] or {})) for kingdom in kingdoms}
    rows = _standing(kingdom__in=kingdoms).values_list("kingdom", "told")
    return dict.fromkeys((kingdom.pk for kingdom in kingdoms), TroopTotals()) | {
        key: TroopTotals(**told) for key, told in rows
    }


def find_loaded_choices(kingdoms: Iterable[Kingdom]) -> dict[str, list[str]] | None:
    """Choices for the running week, if one of these kingdoms was loaded with a board; else None."""
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

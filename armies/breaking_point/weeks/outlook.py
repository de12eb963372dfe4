"""Outlook of a kingdom for the coming weeks (B-57, B-69)."""

from __future__ import annotations

from typing import Any, NamedTuple

from armies.breaking_point.weeks.weeks import LIFE
from armies.models import Army, rows_of
from armies.weeks.due import DueLine
from kingdom.models import Kingdom
from kingdom.realms.planned_queries import Planned, planned_of
from rules.breaking_point.siege.week import returning


class Returning(NamedTuple):
    """An army with wounded: how many it has, and how many return after a week of rest."""

    army: Army
    wounded: int
    back: int


class Outlook(NamedTuple):
    """`upkeep`: BP per week of all armies together; `armies`: their number; `routed`: armies that need a week."""

    kingdom: Kingdom
    armies: int
    upkeep: int
    planned: Planned
    returning: tuple[Returning, ...]
    routed: tuple[Army, ...]
    due: tuple[DueLine, ...]


def outlook_of(kingdom: Kingdom) -> Outlook:
    """The outlook, for readers of the kingdom. A constant number of queries."""
    armies = list(rows_of(Army).filter(kingdom=kingdom, status__in=Army.STANDING).complete())
    return Outlook(
        kingdom=kingdom,
        armies=len(armies),
        upkeep=sum(army.upkeep for army in armies),
        planned=planned_of(kingdom),
        returning=tuple(found for army in armies if (found := _returning(army)).wounded),
        routed=tuple(army for army in armies if army.status == Army.Status.ROUTED),
        due=tuple(LIFE.due(kingdom.campaign, [kingdom])),
    )


def _returning(army: Army) -> Returning:
    counts = [_wounded(unit) for unit in army.sheet.get("units", ())]
    return Returning(army, sum(counts), sum(returning(wounded) for wounded in counts))


def _wounded(unit: Any) -> int:
    return int(unit.get("wounded", 0))

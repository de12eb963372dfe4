"""Ends of lasting adjustments while days pass: an adjustment holds until the end of its last day (PF-3.12).

An army in a battle keeps its adjustments until the battle is over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy

from armies.adjustments.queries import ENDED, holds_on
from armies.adjustments.services import adjusts_health, count_spared, keep_spared
from armies.pathfinder.armies.queries import build_sheet
from armies.pathfinder.models import PathfinderArmy
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign
from rules.adjustments import carry_health
from rules.pathfinder.spec import ADJUSTABLE

RULE = "PF-3.12"
CONSUMPTION = "consumption"

LaterConsumption = Mapping[str, tuple[tuple[int, int], ...]]
"""Consumption from the day after each of these days on, by army."""


def list_later(army: PathfinderArmy) -> tuple[tuple[int, int], ...]:
    """Consumption of the army from the day after each day on which an adjustment of it ends. No query for an army
    without such an adjustment.
    """
    days = {one["until"] for one in army.adjustments if one["figure"] == CONSUMPTION and one["until"] is not None}
    if not days:
        return ()
    whole = PathfinderArmy.objects.complete().get(pk=army.pk)
    sheets = {last: build_sheet(_after(whole, last + 1), unhurt=True) for last in sorted(days)}
    return tuple((last, sheet.consumption.total) for last, sheet in sheets.items() if sheet)


def load_later(campaign: Campaign) -> LaterConsumption:
    """Result of `list_later` for each standing army of a campaign that has such adjustments. One query if there are
    none.
    """
    dated = PathfinderArmy.objects.filter(adjustments__contains=[{"figure": CONSUMPTION}])
    rows = dated.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    return {str(army.pk): later for army in rows if (later := list_later(army))}


def end_adjustments(
    campaign: Campaign, until: int, fighting: Collection[str], known: Mapping[str, int] | None = None
) -> Iterator[Change]:
    """Changes that end the adjustments whose last day is before day `until`. `known`: hit points on day `until`, by
    army, of the armies with such adjustments; without it, all armies are searched and their stored hit points are used.
    """
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING).exclude(adjustments=[])
    for army in (rows if known is None else rows.filter(pk__in=known)).complete().order_by("pk"):
        if str(army.pk) not in fighting and not all(holds_on(one, until) for one in army.adjustments):
            army.campaign = campaign
            yield from _changes(army, _after(army, until), army.hp if known is None else known[str(army.pk)])


def _after(army: PathfinderArmy, day: int) -> PathfinderArmy:
    """A copy with the adjustments that hold on this day."""
    found = copy(army)
    found.adjustments = [one for one in army.adjustments if holds_on(one, day)]
    return found


def _changes(army: PathfinderArmy, after: PathfinderArmy, hp: int) -> Iterator[Change]:
    """The adjustments that end, and maximum hit points without them; damage is kept."""
    sheet = build_sheet(after, unhurt=True)
    hp_max = sheet.hp_max if sheet else army.hp_max
    keeps = adjusts_health(after.adjustments, ADJUSTABLE)
    left, spared = carry_health(hp, hp_max - army.hp_max, count_spared(army.adjustments), keeps=keeps)
    figures = {
        "adjustments": (army.adjustments, keep_spared(after.adjustments, ADJUSTABLE, spared)),
        "hp_max": (army.hp_max, hp_max),
        "hp": (hp, left),
    }
    for field, (before, now) in figures.items():
        if before != now:
            yield Change("army", str(army.pk), field, before, now, RULE, ENDED, army.name)

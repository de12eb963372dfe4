"""What was chosen for the running week: kept with the campaign until the week ends (R-81)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from armies.pathfinder.models import PathfinderArmy, WeekChoices
from kingdom import world
from kingdom.calendar import DAYS_A_WEEK
from kingdom.models import Campaign, Kingdom
from kingdom.text import render
from rules.pathfinder.time import Choices
from rules.pathfinder.time.plan import NONE
from rules.text import Said, _, say

# What outside tools write → what the law calls it; these are kept for their week.
WEEKLY = {
    "live_off_the_land": "land",
    "cannibalize": "feast",
    "commander_away": "away",
    "commander_present": "there",
    "pay_double": "double",
}
WORDS: Mapping[str, Said] = {
    "live_off_the_land": _("Live off the land"),
    "cannibalize": _("Cannibalize"),
    "commander_away": _("Commander away"),
    "commander_present": _("Commander with his army"),
    "pay_double": _("Paid double without a commander"),
}

Chosen = dict[str, list[str]]


def chosen_for(campaign: Campaign, week: int) -> Chosen:
    """What was chosen for this week, counted from 0, by the names of the API."""
    row = WeekChoices.objects.filter(campaign=campaign, week=week).first()
    return dict(row.choices) if row else {}


def week_of(day: int) -> int:
    return day // DAYS_A_WEEK


def names_of(choices: Choices) -> Chosen:
    """The law's choices for a week as they are kept."""
    found = {name: sorted(getattr(choices, field)) for name, field in WEEKLY.items()}
    return {name: ids for name, ids in found.items() if ids}


def line_of(week: int, before: Chosen, after: Chosen) -> list[world.Change]:
    """The change that keeps them, if they are others than before."""
    if before == after:
        return []
    subject = render(say(_("Week {week}"), week=week + 1))
    return [world.Change("week", str(week), "choices", before, after, "R-81", _("Chosen for the week"), subject)]


def kept_after(campaign: Campaign, until: int, choices: Choices, running: Choices) -> list[world.Change]:
    """What is kept for the week that day `until` lies in, if it does not end there."""
    if until % DAYS_A_WEEK == 0:
        return []
    week = week_of(until)
    holds = running if week == week_of(campaign.day) else replace(choices, feast=NONE)
    return line_of(week, chosen_for(campaign, week), names_of(holds))


def register() -> None:
    world.register(
        "week",
        _weeks,
        fields={"choices": world.FieldAccess(read=lambda row: row.choices, write=_write)},
        names={"choices": _("Choices")},
        shown=_shown,
    )


def _weeks(campaign: Campaign, ids: set[str]) -> world.Rows:
    rows = WeekChoices.objects.filter(campaign=campaign, week__in=map(int, ids)).select_for_update().order_by("week")
    found: world.Rows = {str(row.week): row for row in rows}
    return {**{key: WeekChoices(campaign=campaign, week=int(key)) for key in sorted(ids - found.keys())}, **found}


def _write(row: Any, choices: Chosen, _occasion: world.Occasion) -> None:
    row.choices = choices
    row.save()


def _shown(campaign: Campaign, field: str, value: Any) -> Any:
    """Who does what."""
    return _told(campaign, value) if isinstance(value, Mapping) else value


def told_choices(campaign: Campaign) -> list[str]:
    """What was chosen for the running week, in words."""
    return _told(campaign, chosen_for(campaign, week_of(campaign.day)))


def _told(campaign: Campaign, chosen: Mapping[str, list[str]]) -> list[str]:
    names = _names(campaign, chosen) if chosen else {}
    who = {name: ", ".join(names.get(one, one) for one in ids) for name, ids in chosen.items()}
    return [render(say(_("{choice}: {names}"), choice=WORDS[name], names=who[name])) for name in chosen]


def _names(campaign: Campaign, chosen: Mapping[str, list[str]]) -> dict[str, str]:
    """The armies and kingdoms named, by id."""
    ids = {one for found in chosen.values() for one in found}
    return {
        str(pk): name
        for model in (PathfinderArmy, Kingdom)
        for pk, name in model._default_manager.filter(campaign=campaign, pk__in=ids).values_list("pk", "name")
    }

"""Choices for a week, validated: they name armies and kingdoms of this campaign to which the rules give the choice.

Some are stored with the campaign until the week ends (R-81).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from armies.pathfinder.forces.specs import Road, has_in_force, knows_the_land, may_live_off_the_land, teleports
from armies.pathfinder.models import PathfinderArmy, WeekChoices
from armies.pathfinder.weeks.mapping import attach_leaders, find_loaded_choices, list_standing
from core.clean_input import parse_uuid
from core.queries import find_one
from core.text import render
from kingdom.chronicle import changes
from kingdom.chronicle.field_change import TrackedModel
from kingdom.models import Campaign, Kingdom
from kingdom.models.calendar import DAYS_A_WEEK
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say
from rules.pathfinder.weeks import Choices
from rules.pathfinder.weeks.week_state import NONE

# Names in the API → names in the rules, for armies and for kingdoms.
ARMIES = {
    "march": "march",
    "live_off_the_land": "land",
    "cannibalize": "feast",
    "commander_away": "away",
    "commander_present": "there",
    "pay_first": "first",
}
KINGDOMS = {
    "pay_double": "double",
    "loyalty_check": "rally",
    "collect_taxes": "income",
    "skip_upkeep": "no_upkeep",
}
MONEY = frozenset({"pay_double", "collect_taxes"})  # only for kingdoms with a treasury
MOST = 2_000
FEAST, FED_BY_LAND = "cannibalize", "live_off_the_land"


OPPOSITES = {  # earlier choices that a new one replaces
    "commander_away": "commander_present",
    "commander_present": "commander_away",
    "live_off_the_land": "commander_away",
}
# Choices stored for their week.
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
    "commander_present": _("Commander with army"),
    "pay_double": _("Paid double without a commander"),
}

ChosenNames = dict[str, list[str]]


class Choosers:
    """Armies and kingdoms that choices may name; each is looked up once."""

    def __init__(self, campaign: Campaign, kingdoms: Collection[str] = ()):
        """`kingdoms`: ids of all kingdoms, if known."""
        self.campaign = campaign
        self._kingdoms = kingdoms
        self._free: frozenset[str] | None = None
        self._known: dict[str, PathfinderArmy | None] = {}

    @property
    def kingdoms(self) -> Collection[str]:
        self._kingdoms = self._kingdoms or [str(pk) for pk in self.campaign.kingdoms.values_list("pk", flat=True)]
        return self._kingdoms

    @property
    def free(self) -> frozenset[str]:
        """Kingdoms without a treasury, which have no choice about money."""
        if self._free is None:
            rows = self.campaign.kingdoms.filter(without_treasury=True)
            self._free = frozenset(str(pk) for pk in rows.values_list("pk", flat=True))
        return self._free

    def armies(self, ids: Iterable[str]) -> dict[str, PathfinderArmy]:
        """Standing armies among these, by id."""
        wanted = list(ids)
        if new := set(wanted) - self._known.keys():
            found = attach_leaders(list_standing(self.campaign).filter(pk__in=new), self.campaign)
            self._known |= {**dict.fromkeys(new), **{str(army.pk): army for army in found}}
        return {key: army for key in wanted if (army := self._known[key])}


def merge_running_choices(who: Choosers, given: Mapping[str, Any], before: ChosenNames) -> Choices | None:
    """Choices of the running week: the stored ones, unless others are given now (R-81).

    Choices for armies that no longer stand, or no longer may choose, are dropped. None without stored choices.
    """
    kept = {name: ids for name, ids in before.items() if name not in given}
    if not kept:
        return None
    for name, other in OPPOSITES.items():
        if name in kept and other in given:
            kept[name] = [one for one in kept[name] if one not in given[other]]
    return read_choices(who, {**_still_able(who, kept), **given})


def choose(campaign: Campaign, given: Mapping[str, Any]) -> list[changes.Change]:
    """Changes that store these choices for the running week (R-81); others stay. Raises `InvalidInput`."""
    for name in given:
        demand(name in WEEKLY, _("Unknown choice for a week. Use one of: {known}."), field=f"/choices/{name}",
               known=", ".join(sorted(WEEKLY)))  # fmt: skip
    who, week, before = Choosers(campaign), number_week(campaign.day), load_choices(campaign)
    holds = merge_running_choices(who, given, before) or read_choices(who, given)
    return build_choice_change(week, before, name_choices(holds))


def _still_able(who: Choosers, kept: Mapping[str, list[str]]) -> ChosenNames:
    armies = who.armies(one for ids in kept.values() for one in ids)
    able = {
        "live_off_the_land": lambda key: knows_the_land(armies[key]),
        "cannibalize": lambda key: eats_corpses(armies[key]),
        "commander_present": lambda key: armies[key].commander_id is not None,
    }
    realms = frozenset(who.kingdoms) - who.free if "pay_double" in kept else NONE
    return {
        name: [one for one in ids if one in realms or (one in armies and able.get(name, bool)(one))]
        for name, ids in kept.items()
    }


def read_choices(who: Choosers, given: object) -> Choices:
    """Reads `{march: [army…], pay_double: [kingdom…] or true for all…}`. Raises `InvalidInput` with the pointer."""
    body = _object(given)
    known = {*ARMIES, *KINGDOMS}
    for name in body:
        demand(name in known, _("Unknown choice. Use one of: {known}."), field=f"/choices/{name}",
               known=", ".join(sorted(known)))  # fmt: skip
    asked = {ARMIES[name]: _ids(body[name], f"/choices/{name}") for name in ARMIES if name in body}
    realms = {KINGDOMS[name]: _kingdoms(who, body[name], name) for name in KINGDOMS if name in body}
    _demand_armies(who, body)
    choices = Choices(
        first=tuple(asked.pop("first", ())), **{name: frozenset(ids) for name, ids in {**asked, **realms}.items()}
    )
    _demand_foragers(who, choices)
    _demand_cannibals(who, choices)
    _demand_commanders(who, choices)
    return choices


def _object(given: object) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), "/choices")
    return given


def _ids(given: object, field: str) -> list[str]:
    """Ids in canonical spelling, without repeats, in order."""
    if not isinstance(given, list):
        raise InvalidInput(_("Send a list of ids."), field)
    demand(len(given) <= MOST, _("Choose {most} at most."), field=field, most=MOST)
    return list(dict.fromkeys(_id(one, f"{field}/{place}") for place, one in enumerate(given)))


def _id(given: object, field: str) -> str:
    key = parse_uuid(given)
    demand(key is not None, _("This isn’t a valid id."), field=field)
    return str(key)


def _kingdoms(who: Choosers, given: object, name: str) -> list[str]:
    if isinstance(given, bool):
        free = who.free if given and name in MONEY else NONE
        return [one for one in who.kingdoms if one not in free] if given else []
    asked = _ids(given, f"/choices/{name}")
    for place, one in enumerate(asked):
        demand(one in who.kingdoms, _("This kingdom isn’t in this campaign."), field=f"/choices/{name}/{place}")
    for place, one in enumerate(asked if name in MONEY else ()):
        demand(one not in who.free, _("This kingdom has no treasury."), field=f"/choices/{name}/{place}")
    return asked


def _demand_armies(who: Choosers, body: Mapping[str, Any]) -> None:
    lists = {name: _ids(body[name], f"/choices/{name}") for name in ARMIES if name in body}
    ours = who.armies(one for ids in lists.values() for one in ids)
    for name, ids in lists.items():
        for place, one in enumerate(ids):
            demand(one in ours, _("This army isn’t in service in this campaign."), field=f"/choices/{name}/{place}")


def _demand_foragers(who: Choosers, choices: Choices) -> None:
    for army in who.armies(sorted(choices.land)).values():
        able = knows_the_land(army) and str(army.pk) not in choices.away
        demand(able, _("No active commander of {army} can live off the land."),
               field="/choices/live_off_the_land", army=army.name)  # fmt: skip


def _demand_cannibals(who: Choosers, choices: Choices) -> None:
    for army in who.armies(sorted(choices.feast)).values():
        demand(eats_corpses(army), _("{army} can’t cannibalize."), field="/choices/cannibalize", army=army.name)


def _demand_commanders(who: Choosers, choices: Choices) -> None:
    for army in who.armies(sorted(choices.there)).values():
        demand(army.commander_id, _("{army}: no commander."), field="/choices/commander_present", army=army.name)
        both = str(army.pk) in choices.away
        demand(not both, _("Choose one for {army}: its commander was either away or with the army."),
               field="/choices/commander_present", army=army.name)  # fmt: skip


def eats_corpses(army: PathfinderArmy) -> bool:
    """Whether the army's unit can feed on corpses (PF-9)."""
    return has_in_force(army, FEAST)


def chosen_for(campaign: Campaign, week: int) -> ChosenNames:
    """Choices stored for this week, counted from 0, by the names of the API."""
    row = find_one(WeekChoices.objects.filter(campaign=campaign, week=week))
    return dict(row.choices) if row else {}


def load_choices(campaign: Campaign, kingdoms: Iterable[Kingdom] = ()) -> ChosenNames:
    """Choices stored for the running week. One query, or none if a kingdom was loaded with a board."""
    known = find_loaded_choices(kingdoms)
    return chosen_for(campaign, number_week(campaign.day)) if known is None else known


def number_week(day: int) -> int:
    return day // DAYS_A_WEEK


def name_choices(choices: Choices) -> ChosenNames:
    """The rules' choices for a week, in their stored form (by their API names)."""
    found = {name: sorted(getattr(choices, field)) for name, field in WEEKLY.items()}
    return {name: ids for name, ids in found.items() if ids}


def build_choice_change(week: int, before: ChosenNames, after: ChosenNames) -> list[changes.Change]:
    """The change that stores the choices; none if they are the same as before."""
    if before == after:
        return []
    subject = render(say(_("Week {week}"), week=week + 1))
    return [changes.Change("week", str(week), "choices", before, after, "R-81", _("Weekly choices"), subject)]


def list_kept_changes(
    campaign: Campaign, until: int, choices: Choices, running: Choices, before: ChosenNames
) -> list[changes.Change]:
    """Changes that store choices for the week of day `until`, unless that day ends the week. `before`: those of the
    running week.
    """
    if until % DAYS_A_WEEK == 0:
        return []
    week = number_week(until)
    if week == number_week(campaign.day):
        return build_choice_change(week, before, name_choices(running))
    return build_choice_change(week, chosen_for(campaign, week), name_choices(replace(choices, feast=NONE)))


def _weeks(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    rows = WeekChoices.objects.filter(campaign=campaign, week__in=map(int, ids)).select_for_update().order_by("week")
    found: changes.RowsById = {str(row.week): row for row in rows}
    return {**{key: WeekChoices(campaign=campaign, week=int(key)) for key in sorted(ids - found.keys())}, **found}


def _write(row: Any, choices: ChosenNames, _occasion: changes.Occasion) -> None:
    row.choices = choices
    row.save()


def _shown(campaign: Campaign, field: str, value: Any) -> Any:
    return chosen_in_words(campaign, value) if isinstance(value, Mapping) else value


def chosen_in_words(campaign: Campaign, chosen: Mapping[str, list[str]]) -> list[str]:
    """Stored choices for a week in words."""
    names = _names(campaign, chosen) if chosen else {}
    who = {name: ", ".join(names.get(one, one) for one in ids) for name, ids in chosen.items()}
    return [render(say(_("{choice}: {names}"), choice=WORDS[name], names=who[name])) for name in chosen]


def _names(campaign: Campaign, chosen: Mapping[str, list[str]]) -> dict[str, str]:
    """Names of the armies and kingdoms in the choices, by id."""
    ids = {one for found in chosen.values() for one in found}
    return {
        str(pk): name
        for model in (PathfinderArmy, Kingdom)
        for pk, name in model._default_manager.filter(campaign=campaign, pk__in=ids).values_list("pk", "name")
    }


# Choices of the running week that bear on marches.


def feeds_this_week(army: PathfinderArmy) -> bool:
    """Whether the army lives off the land this week under a commander who can, so that its speed is halved like its
    Consumption (PF-2.9). False for an army that teleports.
    """
    able = may_live_off_the_land(army) and not teleports(army)
    return able and str(army.pk) in load_choices(army.campaign).get(FED_BY_LAND, ())


def as_it_marches(army: PathfinderArmy, road: Road) -> Road:
    """The road with `land` set for an army that lives off the land this week (PF-2.9, R-81)."""
    return road if road.land else road._replace(land=feeds_this_week(army))


TRACKED = TrackedModel(
    "week",
    _weeks,
    fields={"choices": changes.FieldAccess(read=lambda row: row.choices, write=_write)},
    names={"choices": _("Choices")},
    shown=_shown,
)

"""What people chose, checked: choices name armies and kingdoms of this campaign that the rules give the choice to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from armies.pathfinder.marching import knows_the_land
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.spec import has_in_force
from armies.pathfinder.time.chosen import WEEKLY, Chosen, chosen_for, line_of, names_of, week_of
from armies.pathfinder.time.rows import standing
from kingdom.models import Campaign
from kingdom.world import Change
from rules.errors import InvalidInput, demand
from rules.pathfinder.time import Choices
from rules.text import _

# What outside tools write → what the law calls it, for armies and for kingdoms.
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
MOST = 2_000
FEAST = "cannibalize"


OPPOSITES = {  # what was chosen before gives way to what is said now
    "commander_away": "commander_present",
    "commander_present": "commander_away",
    "live_off_the_land": "commander_away",
}


def running_choices(campaign: Campaign, given: Mapping[str, Any]) -> Choices | None:
    """What holds in the running week: what was chosen before, but where something else is given now (R-81).

    What was chosen for armies that are no more, or can do it no longer, holds no more. None: nothing was chosen.
    """
    kept = {name: ids for name, ids in chosen_for(campaign, week_of(campaign.day)).items() if name not in given}
    if not kept:
        return None
    for name, other in OPPOSITES.items():
        if name in kept and other in given:
            kept[name] = [one for one in kept[name] if one not in given[other]]
    return read_choices(campaign, {**_still_able(campaign, kept), **given})


def choose(campaign: Campaign, given: Mapping[str, Any]) -> list[Change]:
    """What keeps these until the running week ends (R-81); what is not given stays. Raises `InvalidInput`."""
    for name in given:
        demand(name in WEEKLY, _("This is not chosen for a week. Known: {known}."), field=f"/choices/{name}",
               known=", ".join(sorted(WEEKLY)))  # fmt: skip
    week = week_of(campaign.day)
    holds = running_choices(campaign, given) or read_choices(campaign, given)
    return line_of(week, chosen_for(campaign, week), names_of(holds))


def _still_able(campaign: Campaign, kept: Mapping[str, list[str]]) -> Chosen:
    armies = {str(army.pk): army for army in _chosen(campaign, {one for ids in kept.values() for one in ids})}
    able = {
        "live_off_the_land": lambda key: knows_the_land(armies[key]),
        "cannibalize": lambda key: eats_corpses(armies[key]),
        "commander_present": lambda key: armies[key].commander_id is not None,
    }
    realms = {str(pk) for pk in campaign.kingdoms.values_list("pk", flat=True)} if "pay_double" in kept else set()
    return {
        name: [one for one in ids if one in realms or (one in armies and able.get(name, bool)(one))]
        for name, ids in kept.items()
    }


def read_choices(campaign: Campaign, given: object) -> Choices:
    """`{march: [army…], pay_double: [kingdom…] or true for all…}`. Raises `InvalidInput` with the pointer."""
    body = _object(given)
    known = {*ARMIES, *KINGDOMS}
    for name in body:
        demand(name in known, _("There is no such choice. Known: {known}."), field=f"/choices/{name}",
               known=", ".join(sorted(known)))  # fmt: skip
    asked = {ARMIES[name]: _ids(body[name], f"/choices/{name}") for name in ARMIES if name in body}
    realms = {KINGDOMS[name]: _kingdoms(campaign, body[name], name) for name in KINGDOMS if name in body}
    _demand_armies(campaign, body)
    choices = Choices(
        first=tuple(asked.pop("first", ())), **{name: frozenset(ids) for name, ids in {**asked, **realms}.items()}
    )
    _demand_foragers(campaign, choices)
    _demand_cannibals(campaign, choices)
    _demand_commanders(campaign, choices)
    return choices


def _object(given: object) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Give an object here."), "/choices")
    return given


def _ids(given: object, field: str) -> list[str]:
    """Ids in one spelling, each once, in their order."""
    if not isinstance(given, list):
        raise InvalidInput(_("Give a list of ids here."), field)
    demand(len(given) <= MOST, _("At most {most}, please."), field=field, most=MOST)
    return list(dict.fromkeys(_id(one, f"{field}/{place}") for place, one in enumerate(given)))


def _id(given: object, field: str) -> str:
    try:
        return str(UUID(str(given)))
    except ValueError:
        raise InvalidInput(_("This is no id."), field) from None


def _kingdoms(campaign: Campaign, given: object, name: str) -> list[str]:
    ours = [str(pk) for pk in campaign.kingdoms.values_list("pk", flat=True)]
    if isinstance(given, bool):
        return ours if given else []
    asked = _ids(given, f"/choices/{name}")
    for place, one in enumerate(asked):
        demand(one in ours, _("This campaign has no such kingdom."), field=f"/choices/{name}/{place}")
    return asked


def _demand_armies(campaign: Campaign, body: Mapping[str, Any]) -> None:
    lists = {name: _ids(body[name], f"/choices/{name}") for name in ARMIES if name in body}
    wanted = {one for ids in lists.values() for one in ids}
    if not wanted:
        return
    ours = {str(pk) for pk in standing(campaign).filter(pk__in=wanted).values_list("pk", flat=True)}
    for name, ids in lists.items():
        for place, one in enumerate(ids):
            demand(one in ours, _("This campaign has no such army in the field."), field=f"/choices/{name}/{place}")


def _demand_foragers(campaign: Campaign, choices: Choices) -> None:
    chosen = _chosen(campaign, choices.land)
    for army in chosen:
        able = knows_the_land(army) and str(army.pk) not in choices.away
        demand(able, _("{army} has no active commander who knows how to live off the land."),
               field="/choices/live_off_the_land", army=army.name)  # fmt: skip


def _demand_cannibals(campaign: Campaign, choices: Choices) -> None:
    for army in _chosen(campaign, choices.feast):
        demand(eats_corpses(army), _("{army} are no cannibals."), field="/choices/cannibalize", army=army.name)


def _demand_commanders(campaign: Campaign, choices: Choices) -> None:
    for army in _chosen(campaign, choices.there):
        demand(army.commander_id, _("{army} has no commander."), field="/choices/commander_present", army=army.name)
        both = str(army.pk) in choices.away
        demand(not both, _("The commander of {army} was either away or with it."),
               field="/choices/commander_present", army=army.name)  # fmt: skip


def _chosen(campaign: Campaign, ids: Iterable[str]) -> Sequence[PathfinderArmy]:
    wanted = list(ids)
    return list(standing(campaign).filter(pk__in=wanted).complete()) if wanted else []


def eats_corpses(army: PathfinderArmy) -> bool:
    """Whether its soldiers have the ability (PF-9)."""
    return has_in_force(army, FEAST)

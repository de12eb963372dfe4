"""Declaration of a campaign's own special abilities for the arsenal (PF-HOUSE), their table, and the guard that keeps
those in use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from armies.arsenal.own_things import OwnThings, ThingForm
from armies.arsenal.table_rows import OwnThingTable
from armies.pathfinder.models import PathfinderArmy, UnitType
from core.shapes.forms import CatalogueChoices
from core.text import render
from kingdom.models import Campaign
from kingdom.models.base import make_natural_key
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, refuse
from rules.core.text import _
from rules.house import OWN_MOST
from rules.pathfinder.own_abilities import KIND, KINDS, LIKES, SHAPE, SHAPES, OwnAbility, bearing, taken
from rules.registry import family_of

FAMILY = "pathfinder"
CHUNK = 500
BLESSED = {"name": "Blessed by the lake", "summary": "The lake looks after them.",
           "modifiers": [{"stat": "dv", "amount": 2, "when": "melee", "against": "undead"}]}  # fmt: skip
VENOM = {"name": "Lake venom", "summary": "Their arrows are poisoned.", "like": "poison", "immune": ["poison"]}


class AbilityForm(ThingForm):
    """Form of a special ability. Its modifiers and immunities are lists of rows."""

    rows_of = ("modifiers", "immune")
    more_rows = 2


def list_choices(law: Any) -> CatalogueChoices:
    """Abilities by name, for the lists of the form."""
    named = [(slug, render(one.name)) for slug, one in law.abilities.items()]
    named.sort(key=lambda pair: make_natural_key(pair[1]))
    return {KIND: named, "likes": [pair for pair in named if pair[0] in LIKES]}


OWN_THINGS = OwnThings(
    kinds=KINDS,
    shapes=SHAPES,
    names={OwnAbility: "SpecialAbility"},
    most=OWN_MOST,
    taken=taken,
    bearing=bearing,
    offers=list_choices,
    form=AbilityForm,
    tables={KIND: "abilities"},
    examples={"A special ability": (KIND, BLESSED), "One that works like another": (KIND, VENOM)},
)

TABLE = OwnThingTable(
    KIND, SHAPE, "abilities", _("Special abilities"),
    _("Each row is a special ability made for this campaign, identified by its slug. Without a slug, one is made from "
      "the name."),
    _("This special ability is already in line {line}."),
    _("Special abilities imported from a table: {new} new, {changed} changed."),
)  # fmt: skip


# Guard of changed house rules: no ability in use disappears, and no army or unit type becomes invalid.

IN_USE = _("{thing} is used by {name}. Remove it there first.")
NO_MORE = _("Under these rules, {name} would no longer be valid: {why}")


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Raises `IllegalCommand` that names the first army or unit type which would be invalid without the campaign's own
    abilities that this ruleset drops or changes.
    """
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now = get_ruleset(campaign)
    own, wanted = now.house.own.get(KIND, {}), law.house.own.get(KIND, {})
    moved = {slug for slug, thing in own.items() if wanted.get(slug) != thing}
    if not moved:
        return
    for name, unit in _units(campaign):
        named = _named_in(unit) & moved
        if lost := sorted(named - law.abilities.keys()):
            refuse(IN_USE, field="/house_rules", thing=now.abilities[lost[0]].name, name=name)
        if named:
            _refuse_changed(law, name, unit)


def _units(campaign: Campaign) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every unit of the campaign, with the name of its army or unit type; but for disbanded armies, which nobody can
    change any more.
    """
    kept = PathfinderArmy.objects.filter(campaign=campaign).exclude(status=PathfinderArmy.Status.DISBANDED)
    armies = kept.order_by("pk").only("name", "sheet")
    yield from ((army.name, army.unit) for army in armies.iterator(chunk_size=CHUNK))
    kinds = UnitType.objects.filter(campaign=campaign).order_by("pk")
    yield from ((kind.name, kind.unit) for kind in kinds.iterator(chunk_size=CHUNK))


def _named_in(unit: Mapping[str, Any]) -> set[str]:
    """Slugs of the abilities that a unit has, or is immune to."""
    choices = unit["abilities"]
    immune = (slug for choice in choices for slug in (choice.get("options") or {}).get("to", ()))
    return {*(choice["ability"] for choice in choices), *immune}


def _refuse_changed(law: Any, name: str, unit: Mapping[str, Any]) -> None:
    try:
        law.unit(unit)
    except InvalidInput as refusal:
        refuse(NO_MORE, field="/house_rules", name=name, why=refusal.message)

"""Market: what an army may buy, the prices, and what prevents a purchase (PF-5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from kingdom.realms.figures import buildings_of, get_ruleset
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue import traits
from rules.pathfinder.catalogue.items import Ability, Resource
from rules.pathfinder.spec import ArmySpec

POTIONS = "healing-potions"


class Offer(NamedTuple):
    """A resource on offer: price in BP, BP per week, and reasons against it. Only the `building` can be waived."""

    resource: Resource
    price: int
    consumption: int
    unfit: Said | None
    building: Said | None
    missing_bp: int

    @property
    def open(self) -> bool:
        return not (self.unfit or self.building or self.missing_bp)


def missing_building(army: PathfinderArmy, item: Resource, buildings: set[str] | None = None) -> Said | None:
    """Message that names the missing building; None if the army can buy the resource in its kingdom."""
    if not get_ruleset(army.campaign).house.buildings_required or not item.buildings:
        return None
    standing = buildings_of(army.kingdom) if buildings is None else buildings
    if standing & set(item.buildings) or (item.slug == POTIONS and has_brewers(army)):
        return None
    known = get_ruleset(army.campaign).buildings
    names = [known[slug].name for slug in item.buildings]
    return say(
        _("{resource} requires a settlement of {kingdom} with one of these buildings: {buildings}."),
        resource=item.name,
        kingdom=army.kingdom.name,
        buildings=names,
    )


def has_brewers(army: PathfinderArmy) -> bool:
    """Whether an army of the kingdom brews potions for all its armies (PF-9)."""
    abilities = get_ruleset(army.campaign).abilities
    ours = PathfinderArmy.objects.filter(kingdom=army.kingdom_id, status__in=PathfinderArmy.STANDING).values_list(
        "sheet__unit", flat=True
    )
    return any(_brews(choice, abilities) for unit in ours for choice in unit["abilities"])


def _brews(choice: dict[str, Any], abilities: Mapping[str, Ability]) -> bool:
    ability = abilities.get(choice["ability"])
    if ability is None or ability.off:
        return False
    return traits.BREWS in ability.traits or choice.get("options", {}).get("choice") == "cauldron"


def market(army: PathfinderArmy) -> tuple[Offer, ...]:
    """Every resource that the army lacks, or may have more of, with what prevents the purchase."""
    buildings = buildings_of(army.kingdom)
    owned = {row.resource for row in army.resources.all()}
    offered = (item for item in get_ruleset(army.campaign).resources.values() if item.several or item.slug not in owned)
    spec = build_army_spec(army, unhurt=True)
    return tuple(_offer(army, spec, item, buildings) for item in offered)


def _offer(army: PathfinderArmy, spec: ArmySpec, item: Resource, buildings: set[str]) -> Offer:
    ruleset = get_ruleset(army.campaign)
    price = ruleset.price(spec, item.slug)
    missing = max(0, price.bp - army.kingdom.treasury)
    unfit, building = _why_unfit(ruleset, spec, item), missing_building(army, item, buildings)
    return Offer(item, price.bp, price.consumption, unfit, building, missing)


def _why_unfit(ruleset: Any, spec: ArmySpec, item: Resource) -> Said | None:
    """Why the army cannot use it (PF-5.1), or already has something better; None if it can."""
    try:
        ruleset.refuse_resource(spec, item.slug)
    except IllegalCommand as refusal:
        return refusal.message
    return None

"""Market: what an army may buy, and what it costs (PF-5)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.content import SWITCHED_OFF
from rules.core.errors import IllegalCommand, require
from rules.core.text import _, say
from rules.pathfinder.catalogue.items import Resource
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.size import parse_cr, scaled
from rules.pathfinder.spec import ArmySpec, UnitSpec


@dataclass(frozen=True, slots=True)
class Price:
    """BP once, and BP a week while the army has it (PF-5)."""

    bp: int
    consumption: int


def price(law: Rulebook, spec: ArmySpec, resource: str, quantity: int = 1) -> Price:
    """What this army would pay for it (PF-5). Mounts cost their CR, at least 1 (R-3), or nothing (R-83)."""
    item, (size, _acr) = law.resources[resource], rating_of(spec)
    base = item.price
    if resource == "mounts" and base and spec.mount is not None and spec.mount.cr is not None:
        base = max(base, int(parse_cr(spec.mount.cr, "/mount/cr").exact))
    if not item.scaled:
        return Price(base * quantity, item.consumption * quantity)
    return Price(scaled(base, size) * quantity, scaled(item.consumption, size))


def unfit(law: Rulebook, unit: UnitSpec, item: Resource) -> bool:
    """Whether such soldiers have no use for it: the mindless for engines, animals for potions and weapons (PF-5.1)."""
    return unit.creature_type in item.unfit or ("mindless" in item.unfit and law.mindless(unit.abilities))


def refuse_resource(law: Rulebook, spec: ArmySpec, resource: str, quantity: int = 1) -> None:
    """Raise IllegalCommand when the army cannot use it or has it already (PF-5, PF-5.1)."""
    item = law.resources.get(resource)
    if item is None:
        raise IllegalCommand(say(_("There is no resource “{slug}”."), slug=resource), "/resource")
    require(not item.off, SWITCHED_OFF, field="/resource", item=item.name)
    able = not unfit(law, spec.unit, item)
    require(able, _("Such an army cannot use {resource}."), field="/resource", resource=item.name)
    held = {slug for slug, quantity in spec.resources.items() if quantity > 0}
    require(item.several or resource not in held, _("This army already has {resource}."),
            field="/resource", resource=item.name)  # fmt: skip
    require(item.several or quantity == 1, _("An army has {resource} once."), field="/quantity", resource=item.name)
    better = next((r for r in law.resources.values() if r.replaces == resource and r.slug in held), None)
    require(better is None, _("This army has better already: {better}."), field="/resource",
            better=better.name if better else "")  # fmt: skip

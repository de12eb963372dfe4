"""An army's sources of figures, compiled once: abilities, resources, boons, and what they grant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.effects import Active, Effect, Feature, Sources, Stat, Use, half_acr, reads_of
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import AbilityChoice, ArmySpec

HEX_HEALING = Use(heal=half_acr)
BOND_COMPANIONS = Use(target="ally", mark="companions", on_target=True)


class UseOf(NamedTuple):
    """Something the army may be ordered to use: `kind` is ability, resource, boon or tactic."""

    kind: str
    source: Feature
    use: Use


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    effects: dict[Stat, tuple[Effect, ...]]
    traits: dict[Trait, tuple[str, ...]]
    immune: frozenset[str]
    values: dict[str, int]
    choices: dict[str, AbilityChoice]
    uses: tuple[UseOf, ...]
    acts: bool
    """It has something that acts of itself in a phase, without an order."""
    reads: frozenset[str] = frozenset()
    """What the conditions of its effects look at: figures stay the same while these do."""

    def works(self, trait: Trait, foe: Sources | None = None) -> bool:
        """It has the trait, by at least one name the foe is not immune to ("" is never immune)."""
        names = self.traits.get(trait)
        return names is not None and (foe is None or not foe.immune.issuperset(names))


def compile_profile(law: Rulebook, spec: ArmySpec, choices: Iterable[AbilityChoice]) -> Profile:
    """Everything that acts on this army's behalf. `choices` are the abilities it has at this moment."""
    choices = tuple(choice for choice in choices if not law.abilities[choice.ability].off)
    abilities = _merge(_abilities(law, choices))
    others = [*_resources(law, spec, mindless=law.mindless(choices)), *_boons(law, spec)]
    actives = [*abilities, *others]
    effects = [Effect(modifier, active) for active in actives for modifier in active.source.modifiers]
    traits = _traits(law, spec, choices, others)
    return Profile(
        {stat: tuple(e for e in effects if e.modifier.stat == stat) for stat in Stat},
        traits,
        frozenset(_immunities(actives, choices)),
        {choice.ability: choice.value or 0 for choice in choices},
        {choice.ability: choice for choice in choices},
        tuple(_uses(law, spec, choices, others)),
        not t.ACTS.isdisjoint(traits),
        reads_of(effect.modifier for effect in effects),
    )


def _abilities(law: Rulebook, choices: tuple[AbilityChoice, ...]) -> list[Active]:
    """The sources behind the printed abilities; a chosen animal bond is an animal companion."""
    found = []
    for choice in choices:
        ability = law.abilities[choice.ability]
        if choice.ability == "hunters-bond" and choice.options.get("choice") == "animal":
            found.append(Active(ABILITIES["animal-companion"], 0, ("hunters-bond",)))
            continue
        found.append(Active(ability, choice.value or 0, (choice.ability,)))
    return found


def _merge(actives: list[Active]) -> list[Active]:
    """One mechanic once, under all its names (R-1); of two values the higher counts."""
    merged: dict[str, Active] = {}
    for active in actives:
        key = active.source.key
        if (held := merged.get(key)) is None:
            merged[key] = active
        else:
            merged[key] = Active(held.source, max(held.value, active.value), (*held.names, *active.names))
    return list(merged.values())


def _resources(law: Rulebook, spec: ArmySpec, *, mindless: bool) -> list[Active]:
    """What it has and can use: siege engines are of no use to the mindless (PF-5.1)."""
    owned = (law.resources[slug] for slug, quantity in spec.resources.items() if quantity > 0)
    held = [item for item in owned if not item.off and not (mindless and "mindless" in item.unfit)]
    replaced = {resource.replaces for resource in held}
    return [Active(resource, 0, ()) for resource in held if resource.slug not in replaced]


def _boons(law: Rulebook, spec: ArmySpec) -> list[Active]:
    if spec.commander is None or not spec.commander.active:
        return []
    found = []
    for state in commander_sheet(law, spec.commander).boons:
        if state.active:
            boon = state.boon.at_high_tier() if state.high_tier else state.boon
            found.append(Active(boon, 0, ()))
    return found


def _traits(
    law: Rulebook, spec: ArmySpec, choices: Iterable[AbilityChoice], others: list[Active]
) -> dict[Trait, tuple[str, ...]]:
    traits: dict[Trait, tuple[str, ...]] = {}

    def grant(trait: Trait, name: str) -> None:
        traits[trait] = (*traits.get(trait, ()), name)

    for choice in choices:
        for trait in law.abilities[choice.ability].traits:
            grant(trait, choice.ability)
        for trait in _chosen_traits(choice):
            grant(trait, choice.ability)
    for active in others:
        for trait in active.source.traits:
            grant(trait, "")
    for trait in _body_traits(law, spec, mounted=t.MOUNTED in traits):
        grant(trait, "")
    return traits


def _chosen_traits(choice: AbilityChoice) -> tuple[Trait, ...]:
    """What an option adds: a ranged spell, a brewer's cauldron, an animal bond."""
    match choice.ability, choice.options.get("choice"):
        case "spellcasting", _ if choice.options.get("ranged"):
            return (t.RANGED,)
        case "hex", "cauldron":
            return (t.BREWS,)
        case "hunters-bond", "animal":
            return (t.ANIMALS,)
    return ()


def _body_traits(law: Rulebook, spec: ArmySpec, *, mounted: bool) -> list[Trait]:
    """What follows from the unit and its mount rather than from an ability (R-3, R-45)."""
    found: list[Trait] = [t.RANGED] if spec.unit.ranged else []
    if spec.mount is not None:
        found.append(t.MOUNTED)
    ridden_animal = spec.mount.creature_type == "animal" if spec.mount is not None else mounted
    if spec.unit.creature_type == "animal" or ridden_animal:
        found.append(t.ANIMALS)
    return found


def _immunities(actives: list[Active], choices: Iterable[AbilityChoice]) -> Iterable[str]:
    for active in actives:
        yield from active.source.immune
    for choice in choices:
        to = choice.options.get("to", ())
        yield from (str(slug) for slug in to) if isinstance(to, (list, tuple)) else ()


def _uses(law: Rulebook, spec: ArmySpec, choices: Iterable[AbilityChoice], others: list[Active]) -> Iterable[UseOf]:
    seen = set()
    for choice in choices:
        ability = law.abilities[choice.ability]
        use = _chosen_use(choice) or ability.use
        if use is not None and ability.key not in seen:
            seen.add(ability.key)
            yield UseOf("ability", ability, use)
    for active in others:
        if active.source.use is not None:
            yield UseOf("resource" if active.source.slug in law.resources else "boon", active.source, active.source.use)


def _chosen_use(choice: AbilityChoice) -> Use | None:
    match choice.ability, choice.options.get("choice"):
        case "hex", "healing":
            return HEX_HEALING
        case "hunters-bond", "companions":
            return BOND_COMPANIONS
    return None

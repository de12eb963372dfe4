"""Figures of an army with their breakdowns: OM, DV, damage and morale checks, and the sources of these figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.catalogue.effects import (
    DV,
    FOE_DV,
    FOE_OM,
    OM,
    Active,
    Effect,
    Feature,
    HeldMark,
    Modifier,
    Sense,
    Situation,
    Sources,
    Stat,
    Use,
    View,
    half_acr,
    reads_of,
)
from rules.pathfinder.catalogue.tactics import ARMOUR
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import AbilityChoice, ArmySpec

# Sources of an army's figures, compiled once: abilities, resources and boons, and what these grant.

POISON = "poison"
HEX_HEALING = Use(heal=half_acr)
BOND_COMPANIONS = Use(target="ally", mark="companions", on_target=True)


class UseOf(NamedTuple):
    """Use that an army may be ordered. `kind` is "ability", "resource", "boon" or "tactic"."""

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
    """Whether a source acts by itself in a phase, without an order."""
    reads: frozenset[str] = frozenset()
    """What the conditions of the effects depend on. Figures may be cached while these stay the same."""
    poisons: frozenset[str] = frozenset({POISON})
    """Abilities whose wounds poison resistance reduces (R-43)."""

    def works(self, trait: Trait, foe: Sources | None = None) -> bool:
        """Whether the army has the trait by at least one name to which the foe is not immune. No
        foe is immune to "".
        """
        names = self.traits.get(trait)
        return names is not None and (foe is None or not foe.immune.issuperset(names))


def compile_profile(law: Rulebook, spec: ArmySpec, choices: Iterable[AbilityChoice]) -> Profile:
    """Compile all sources that act for this army. `choices` are the abilities it has at the moment."""
    choices = tuple(choice for choice in choices if not law.abilities[choice.ability].off)
    abilities = _merge(_abilities(law, choices))
    others = [*_resources(law, spec, mindless=law.mindless(choices)), *_boons(law, spec)]
    actives = [*abilities, *others]
    effects = [Effect(modifier, active) for active in actives for modifier in active.source.modifiers]
    traits = _traits(law, spec, choices, others)
    return Profile(
        {stat: tuple(e for e in effects if e.modifier.stat == stat) for stat in Stat},
        traits,
        frozenset(_immunities(law, actives, choices)),
        {choice.ability: choice.value or 0 for choice in choices},
        {choice.ability: choice for choice in choices},
        tuple(_uses(law, spec, choices, others)),
        not t.ACTS.isdisjoint(traits),
        reads_of(effect.modifier for effect in effects),
        frozenset((POISON, *law.named_like.get(POISON, ()))),
    )


def _abilities(law: Rulebook, choices: tuple[AbilityChoice, ...]) -> list[Active]:
    """Return the sources of abilities. An animal bond counts as an animal companion."""
    found = []
    for choice in choices:
        ability = law.abilities[choice.ability]
        if choice.ability == "hunters-bond" and choice.options.get("choice") == "animal":
            found.append(Active(ABILITIES["animal-companion"], 0, ("hunters-bond",)))
            continue
        found.append(Active(ability, choice.value or 0, (choice.ability,)))
        if ability.beside is not None:
            found.append(Active(ability.beside, choice.value or 0, (choice.ability,)))
    return found


def _merge(actives: list[Active]) -> list[Active]:
    """Merge equal mechanics into one with all their names (R-1). The higher value counts."""
    merged: dict[str, Active] = {}
    for active in actives:
        key = active.source.key
        if (held := merged.get(key)) is None:
            merged[key] = active
        else:
            merged[key] = Active(held.source, max(held.value, active.value), (*held.names, *active.names))
    return list(merged.values())


def _resources(law: Rulebook, spec: ArmySpec, *, mindless: bool) -> list[Active]:
    """Return the resources that the army has and can use. Siege engines are of no use to mindless soldiers (PF-5.1)."""
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
    """Return the traits of a chosen option: a ranged spell, a brewer's cauldron, an animal bond."""
    match choice.ability, choice.options.get("choice"):
        case "spellcasting", _ if choice.options.get("ranged"):
            return (t.RANGED,)
        case "hex", "cauldron":
            return (t.BREWS,)
        case "hunters-bond", "animal":
            return (t.ANIMALS,)
    return ()


def _body_traits(law: Rulebook, spec: ArmySpec, *, mounted: bool) -> list[Trait]:
    """Return the traits that follow from the unit and its mount, not from an ability (R-3, R-45)."""
    found: list[Trait] = [t.RANGED] if spec.unit.ranged else []
    if spec.mount is not None:
        found.append(t.MOUNTED)
    ridden_animal = spec.mount.creature_type == "animal" if spec.mount is not None else mounted
    if spec.unit.creature_type == "animal" or ridden_animal:
        found.append(t.ANIMALS)
    return found


def _immunities(law: Rulebook, actives: list[Active], choices: Iterable[AbilityChoice]) -> Iterator[str]:
    """Yield the names of the abilities it is immune to, with those of the campaign's own that work like them."""
    found = [slug for active in actives for slug in active.source.immune]
    for choice in choices:
        to = choice.options.get("to", ())
        found += [str(slug) for slug in to] if isinstance(to, (list, tuple)) else ()
    for slug in found:
        yield slug
        yield from law.named_like.get(slug, ())


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


# Figures, computed from the sources in force.


def lines_of(stat: Stat, s: Situation) -> Iterator[Line]:
    """Yield the lines of a figure that come from the army's own sources, tactic, marks and conditions."""
    me = s.me
    for modifier, active in me.effects(stat):
        yield from _line(modifier, active, s)
    for mark in me.marks:
        yield from _mark_lines(stat, s, mark)


def foe_lines(stat: Stat, s: Situation) -> Iterator[Line]:
    """Yield the lines of a figure of `s.me` that come from the other army (invisibility)."""
    if s.foe is None:
        return
    turned = s.turned()
    for modifier, active in s.foe.effects(stat):
        holds = modifier.when is None or modifier.when(turned) is True
        if holds and not active.blocked_by(s.me.profile.immune):
            yield from _mitigated(modifier, active, s, _value(modifier, active, turned))


def _value(modifier: Modifier, active: Active, s: Situation) -> int:
    return modifier.value if isinstance(modifier.value, int) else modifier.value(s, active.value)


def _line(modifier: Modifier, active: Active, s: Situation) -> Iterator[Line]:
    if modifier.when is not None and modifier.when(s) is not True:
        return
    value = _value(modifier, active, s)
    if s.foe is not None and (_refused(active, s.foe, value) or _armour_ignored(modifier, active, s.me, s.foe)):
        return
    yield from _mitigated(modifier, active, s, value)


def _refused(active: Active, foe: View, value: int) -> bool:
    """Whether the foe's immunity denies the bonus of an ability. Penalties of the ability remain (PF-9)."""
    return value > 0 and active.blocked_by(foe.profile.immune)


def _armour_ignored(modifier: Modifier, active: Active, me: View, foe: View) -> bool:
    """Whether the attacker ignores this armour: incorporeal and swarming armies do (PF-9)."""
    if modifier.stat is not DV or active.source.slug not in ARMOUR:
        return False
    return foe.profile.works(t.INCORPOREAL, me.profile) or foe.profile.works(t.SWARM, me.profile)


def _mitigated(modifier: Modifier, active: Active, s: Situation, value: int) -> Iterator[Line]:
    """Yield the line after keen senses, favoured terrain and evasion have reduced it (R-2, R-12, R-16)."""
    name: Said = active.source.name
    factor = _share(modifier, active, s)
    if factor == 1 or value == 0:
        if value:
            yield Line(name, value, active.source.rule)
        return
    left = half(value) if factor == 2 else 0
    if left:
        yield Line(say(_("{what}, halved"), what=name), left, active.source.rule)


def half(value: int) -> int:
    """Halve a bonus or penalty, rounding towards 0 (R-2)."""
    return value // 2 if value >= 0 else -(-value // 2)


def _share(modifier: Modifier, active: Active, s: Situation) -> int:
    """Return the divisor of a modifier: 1 for the whole, 2 for half, 0 for none."""
    if modifier.sense:
        return sense_share(s.me, modifier.sense, s.foe)
    if s.foe is None:
        return 1
    if modifier.terrain and modifier.value and s.foe.profile.works(t.FAVORED_TERRAIN, s.me.profile):
        return 2
    spell = modifier.stat is OM and active.source.slug == "spellcasting"
    return 2 if spell and s.foe.profile.works(t.EVASION, s.me.profile) else 1


def sense_share(me: View, sense: Sense, foe: View | None = None) -> int:
    """Return how much of a sensory hindrance an army suffers: 1 the whole, 2 half, 0 none (R-12)."""
    profile, other = me.profile, foe.profile if foe is not None else None
    if profile.works(t.BLINDSIGHT, other):
        return 0
    if sense == "darkness" and profile.works(t.SEES_IN_DARKNESS, other):
        return 0
    if sense == "dim-light" and profile.works(t.SEES_IN_DIM_LIGHT, other):
        return 0
    if sense == "invisibility" and me.sees_invisible(foe):
        return 0
    return 2 if profile.works(t.KEEN_SENSES, other) else 1


def _mark_lines(stat: Stat, s: Situation, mark: HeldMark) -> Iterator[Line]:
    effect = MARKS[mark.kind]
    if not effect.modifiers:
        return
    marked = Situation(s.me, s.foe, s.mode, purpose=s.purpose, deed=s.deed, mark=mark)
    active = Active(effect, 0, (mark.source,) if mark.source else ())
    for modifier in effect.modifiers:
        if modifier.stat is not stat or (modifier.when is not None and modifier.when(marked) is not True):
            continue
        value = _value(modifier, active, marked) * max(1, mark.amount)
        if value and not (s.foe is not None and _refused(active, s.foe, value)):
            label: Said = (
                say(_("{what} × {count}"), what=effect.name, count=mark.amount) if mark.amount > 1 else effect.name
            )
            yield Line(label, value, effect.rule)


def om_lines(s: Situation) -> tuple[Line, ...]:
    """Return the Offense Modifier of `s.me`, against `s.foe` if known: floor(ACR) + modifiers (PF-1.5)."""
    return (Line(_("ACR"), s.me.acr, "PF-1.5"), *lines_of(OM, s), *foe_lines(FOE_OM, s), *s.me.situation_lines(OM, s))


def dv_lines(s: Situation) -> tuple[Line, ...]:
    """Return the Defense Value of `s.me`, against the attacker `s.foe` if known: 10 + floor(ACR) +
    modifiers (PF-1.5).
    """
    base = (Line(_("Base"), 10, "PF-1.5"), Line(_("ACR"), s.me.acr, "PF-1.5"))
    return (*base, *lines_of(DV, s), *foe_lines(FOE_DV, s), *s.me.situation_lines(DV, s))


def morale_lines(s: Situation, extra: Iterable[Line] = ()) -> tuple[Line, ...]:
    """Return the bonus to d20 in a morale check for `s.purpose` (PF-3.1)."""
    return (*s.me.morale_lines(), *lines_of(Stat.MORALE, s), *extra)


def total(lines: Iterable[Line]) -> int:
    return sum([line[1] for line in lines])

"""Battles drawn for what meets rarely by chance: who can do what, in what state, on what ground, of what temper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from rules.pathfinder.battle.state.battle_state import Opening, Part, SetCondition
from rules.pathfinder.spec import AbilityChoice, ArmySpec, MountSpec, TacticKnown
from tests.rules.pathfinder.oracle.tables import SIZES, cr_index, size_index

type Armies = tuple[ArmySpec, ...]


@dataclass(frozen=True)
class Mood:
    """How likely the commanders do this or that in a phase."""

    silent: float = 0.12  # no order at all
    tactic: float = 0.6
    withdraw: float = 0.0
    cornered: float = 0.0  # withdraws when afraid, half dead or in its last stand
    known: str = ""  # a tactic they are fond of
    prey: str = ""  # the one army that would go; without it any
    ranged: float = 0.3  # keeps its distance where it could leave
    strategy: float = 0.4
    target: float = 0.6
    hold: float = 0.0
    use: float = 0.4
    spawn: float = 0.5
    surrender: float = 0.0
    stay: float = 0.0
    favourite: dict[str, float] = field(default_factory=dict)  # of single uses


@dataclass(frozen=True)
class Plot:
    mood: Mood
    abilities: dict[str, float] = field(default_factory=dict)
    frail: float = 0.0  # how many have few hit points left
    hunted: bool = False  # one against all
    weight: int = 1
    change: Callable[[Random, Opening], Opening] | None = None


def _few(rng: Random, spec: ArmySpec, chance: float, most: int) -> ArmySpec:
    """Perhaps with so few hit points that the next wound shakes or fells it."""
    if rng.random() >= chance:
        return spec
    index = cr_index(spec.unit.cr) + SIZES[size_index(spec.count)][2]
    return replace(spec, hp=rng.randint(1, max(1, min(most, index - 2))))


def _given(rng: Random, spec: ArmySpec, chances: dict[str, float], choice: Any) -> ArmySpec:
    held = {one.ability for one in spec.unit.abilities}
    new: list[AbilityChoice] = [
        choice(slug) for slug, chance in chances.items() if slug not in held and rng.random() < chance
    ]
    return replace(spec, unit=replace(spec.unit, abilities=(*spec.unit.abilities, *new)))


def thickened(rng: Random, plot: Plot, opening: Opening, choice: Any) -> Opening:
    """The opening with this plot in it; `choice` makes an ability of a slug."""
    armies = [_given(rng, spec, plot.abilities, choice) for spec in opening.armies]
    armies = [_few(rng, spec, plot.frail, 10) for spec in armies]
    if plot.hunted:  # or it would not last
        armies[0] = replace(armies[0], count=2 * armies[0].count, hp=armies[0].hp and 3 * armies[0].hp)
    opening = replace(opening, armies=tuple(armies))
    return plot.change(rng, opening) if plot.change is not None else opening


def _each(change: Callable[[Random, ArmySpec], ArmySpec]) -> Callable[[Random, Opening], Opening]:
    return lambda rng, opening: replace(opening, armies=tuple(change(rng, spec) for spec in opening.armies))


def _riders(rng: Random, spec: ArmySpec) -> ArmySpec:
    """On beasts of every kind, by a stated mount, by the resource, by the ability."""
    mount = None
    if rng.random() < 0.6:
        mount = MountSpec("mount", rng.choice((None, "1")), 12, rng.choice(("animal", "magical-beast", "undead")))
    resources = dict(spec.resources)
    if rng.random() < 0.5 and spec.unit.creature_type != "animal":
        resources["mounts"] = 1
    return replace(spec, mount=mount, resources=resources)


def _timid(rng: Random, spec: ArmySpec) -> ArmySpec:
    """Low spirits and nobody to lift them."""
    return replace(spec, morale=rng.randint(-4, 0), commander=spec.commander if rng.random() < 0.3 else None)


def _shaky(rng: Random, spec: ArmySpec) -> ArmySpec:
    """Low spirits, and few wounds from flight."""
    index = cr_index(spec.unit.cr) + SIZES[size_index(spec.count)][2]
    return _few(rng, replace(_timid(rng, spec), hp=None), 0.8, 99) if index < 5 else _near(rng, spec, index - 4)


def _near(rng: Random, spec: ArmySpec, acr: int) -> ArmySpec:
    return replace(_timid(rng, spec), hp=acr + rng.randint(0, min(4, acr)))


def _equals(rng: Random, spec: ArmySpec) -> ArmySpec:
    """Living armies of few sizes: what is slain may rise, if that makes an army."""
    unit = replace(spec.unit, cr=rng.choice(("2", "4", "6")), creature_type=rng.choice(("humanoid", "fey")))
    return replace(spec, unit=unit, count=rng.choice((10, 25, 50, 100)), mount=None, hp=None)


def _rising(rng: Random, opening: Opening) -> Opening:
    """Many equals, few of whom go of their own will."""
    opening, count = _each(_equals)(rng, opening), rng.choice((10, 25, 50, 100, 100, 100))
    armies = (replace(spec, count=count, morale=rng.randint(0, 4)) for spec in opening.armies)
    return replace(opening, armies=tuple(_few(rng, spec, 0.8, 8) for spec in armies))


def _small(rng: Random, spec: ArmySpec) -> ArmySpec:
    """An army of ACR below 1, often near its end."""
    if rng.random() < 0.3:
        return spec
    unit = replace(spec.unit, cr=rng.choice(("1/2", "1/3", "1/4")))
    return replace(spec, unit=unit, count=100, mount=None, hp=rng.choice((None, 1, 1)))


def _hale(rng: Random, spec: ArmySpec) -> ArmySpec:
    """Siege engines in good number."""
    if rng.random() < 0.6:
        return replace(spec, resources={**spec.resources, "siege-engines": rng.randint(2, 5)})
    return spec


def _taught(tactic: str, change: Callable[[Random, ArmySpec], ArmySpec]) -> Callable[[Random, Opening], Opening]:
    """Everybody knows this tactic, and is changed."""

    def taught(rng: Random, spec: ArmySpec) -> ArmySpec:
        known = [one for one in spec.tactics if one.tactic != tactic]
        return change(rng, replace(spec, tactics=(*known, TacticKnown(tactic, True))))

    return _each(taught)


def _walls(rng: Random, opening: Opening) -> Opening:
    """Two or three small fortifications around the same army, engines before them."""
    ids = [spec.id for spec in opening.armies]
    inside, found = rng.choice(ids), list(opening.conditions)
    for number in range(rng.randint(2, 3)):
        other = tuple(rng.sample([i for i in ids if i != inside], min(number, len(ids) - 1)))
        parts = tuple(
            Part(rng.choice(("wall", "other", "moat")), rng.choice(("stone", "wood", "earth")), rng.randint(1, 3))
            for _ in range(rng.randint(1, 2))
        )
        found.append(SetCondition("fortification", None, (inside, *other), (), parts))
    return replace(_each(_hale)(rng, opening), conditions=tuple(found))


def _good_ground(rng: Random, opening: Opening) -> Opening:
    """The field suits mobility here and there."""
    some = tuple(spec.id for spec in opening.armies if rng.random() < 0.5)
    if not some:
        return opening
    return replace(opening, conditions=(*opening.conditions, SetCondition("suits-mobility", None, some)))


def _storm(rng: Random, opening: Opening) -> Opening:
    """Sand wears down timid armies that hide from each other, some behind walls."""
    opening = _each(_shaky)(rng, opening)
    camp = SetCondition("fortification", rng.randint(2, 6), tuple(spec.id for spec in opening.armies))
    storm = (camp, SetCondition("sandstorm")) if rng.random() < 0.7 else (camp,)
    return _walls(rng, replace(opening, conditions=(*opening.conditions, *storm)))


def _panic(rng: Random, opening: Opening) -> Opening:
    """Prey that nothing steels, and among the hunters one that cannot be shaken off."""
    opening = _taught("taunt", _timid)(rng, opening)
    even = [replace(spec, unit=replace(spec.unit, cr="6"), count=100, mount=None) for spec in opening.armies]
    bare = replace(even[0].unit, creature_type="humanoid", abilities=(), hit_die="d12")
    even[0] = replace(even[0], unit=bare, count=200, hp=None)
    even[1] = _given(rng, even[1], {"mindless": 0.8, "fear": 0.9}, AbilityChoice)
    failed = SetCondition("heroes", -4, ("A",))  # easily hit
    kept = [one for one in opening.conditions if one.condition != "heroes"]
    return replace(opening, armies=tuple(even), conditions=(*kept, failed))


def _dead(rng: Random, spec: ArmySpec) -> ArmySpec:
    return replace(spec, unit=replace(spec.unit, creature_type="undead")) if rng.random() < 0.7 else spec


def _shut(rng: Random, opening: Opening) -> Opening:
    """Some may not leave, and are shaken."""
    return replace(
        _each(_shaky)(rng, opening), cannot_leave=tuple(spec.id for spec in opening.armies if rng.random() < 0.4)
    )


def _bright(rng: Random, opening: Opening) -> Opening:
    return replace(opening, conditions=(*opening.conditions, SetCondition("bright-light")))


CHANNELS = {"channel-negative-energy": 0.8, "channel-positive-energy": 0.8, "lay-on-hands": 0.8}
DIGGING = {"burrow": 0.8, "earth-glide": 0.8}
FEARSOME = {"fear": 0.7, "unnatural-aura": 0.3}
PLOTS = {
    "last stands": Plot(
        Mood(cornered=0.6, target=0.4), {"ferocity": 0.8, "fear": 0.2, "regeneration": 0.15, "bleed": 0.4}, frail=0.6
    ),
    "last stands of the hunted": Plot(
        Mood(withdraw=0.15, cornered=0.8, ranged=0.1, prey="A"),
        {"ferocity": 0.8, "bleed": 0.5, "fear": 0.3},
        frail=0.3,
        hunted=True,
        weight=3,
    ),
    "no way out": Plot(Mood(cornered=0.5), {"ferocity": 0.7, "fear": 0.4}, weight=2, change=_shut),
    "dread": Plot(Mood(cornered=0.8, strategy=0.9), {**FEARSOME, "ferocity": 0.15}, weight=2, change=_each(_timid)),
    "dread of the hunted": Plot(
        Mood(withdraw=0.4, cornered=0.95, ranged=0.1, strategy=0.8, known="taunt", prey="A"),
        FEARSOME,
        hunted=True,
        weight=2,
        change=_panic,
    ),
    "scattering": Plot(Mood(withdraw=0.7, ranged=0.8, target=0.8), {"grab": 0.15, "incorporeal": 0.15}),
    "hidden": Plot(
        Mood(silent=0.25, target=0.3, hold=0.5, strategy=0.6, favourite=DIGGING),
        {"burrow": 0.4, "earth-glide": 0.2, "flight": 0.4, "breath-weapon": 0.2, "fear": 0.2},
        weight=3,
        change=_storm,
    ),
    "sieges": Plot(Mood(strategy=0.2), change=_walls),
    "sappers": Plot(Mood(known="siegebreaker"), {"trap-sense": 0.5}, change=_taught("siegebreaker", _hale)),
    "riders": Plot(Mood(), {"unnatural-aura": 0.8, "mount": 0.5}, weight=2, change=_each(_riders)),
    "trolls": Plot(Mood(), {"regeneration": 0.8, "bleed": 0.5}, weight=2, change=_each(_small)),
    "trolls hunted": Plot(
        Mood(withdraw=0.15, cornered=0.8, ranged=0.2, prey="A"),
        {"regeneration": 0.8, "fast-healing": 0.2, "bleed": 0.3},
        frail=0.4,
        hunted=True,
        weight=2,
    ),
    "poisoners": Plot(Mood(), {"poison": 0.8, "poison-resistance": 0.7, "ferocity": 0.4}, change=_each(_equals)),
    "risen": Plot(Mood(spawn=0.9, favourite={"inspire-courage": 0.9}), {"create-spawn": 0.9}, weight=2, change=_rising),
    "rough ground": Plot(Mood(), {"mobility": 0.7, "incorporeal": 0.2, "immunity": 0.3}, change=_good_ground),
    "graves": Plot(Mood(favourite=CHANNELS), dict.fromkeys(CHANNELS, 0.6), frail=0.4, change=_each(_dead)),
    "glare": Plot(Mood(), {"light-blindness": 0.5, "light-sensitivity": 0.6}, change=_bright),
}

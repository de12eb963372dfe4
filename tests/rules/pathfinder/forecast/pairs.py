"""Two armies of mixed content against each other, dealt so that every ability of the catalogue has its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import legal
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Order, Part, SetCondition, Side
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.catalogue.conditions import MATERIALS, PART_KINDS
from rules.pathfinder.catalogue.items import Ability
from rules.pathfinder.forecast.simulate import Seeded
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, TacticKnown, UnitSpec
from tests.rules.pathfinder.strategies import GM, random_order
from tests.scenario import boss

CONDITIONS = ("", "", "", "sandstorm", "darkness", "fog", "rain", "bright-light", "on-water", "suits-mobility")
OF_AN_ARMY = ("on-water", "suits-mobility")
BOONS = ("hold-the-line", "merciless", "bloodied-but-unbroken", "hit-and-run", "loyalty")


def pairs(count: int, seed: int) -> Iterator[tuple[BattleState, tuple[str, ...]]]:
    """So many battles with random orders for the phase to come, and the abilities the two armies have.

    From 48 pairs on every ability is among them. Nobody raises an army, which arrays do not hold.
    """
    random, deck = Random(seed), list(LAW.abilities)
    for _pair in range(count):
        if len(deck) < 4:
            deck += random.sample(list(LAW.abilities), len(LAW.abilities))
        dealt = [[deck.pop(0) for _ability in range(2)] for _army in range(2)]
        battle = None
        while battle is None or battle.result is not None:  # over before the phase it was to be looked at in
            battle = _opened(random, [_army(random, name, slugs) for name, slugs in zip("AB", dealt, strict=True)])
        yield _ordered(battle, random), tuple(slug for slugs in dealt for slug in slugs)


def _army(random: Random, name: str, slugs: list[str]) -> ArmySpec:
    unit = UnitSpec(
        f"{name} soldier", random.choice(("3", "6", "8")), random.choice(("d6", "d8", "d10")),
        creature_type=random.choice(("humanoid", "humanoid", "animal", "undead", "outsider")),
        alignment=random.choice(("LG", "CE")), ranged=random.random() < 0.5,
        abilities=tuple(_choice(random, LAW.abilities[slug]) for slug in slugs),
    )  # fmt: skip
    led = boss(random.choice(BOONS)) if random.random() < 0.4 else None
    tactics = tuple(TacticKnown(slug, True) for slug in random.sample(list(LAW.tactics), 2))
    return ArmySpec(name, name, unit, 100, commander=led, tactics=tactics, morale=random.randint(-2, 4))


def _choice(random: Random, ability: Ability) -> AbilityChoice:
    value = random.randint(2, 6) if ability.value == "required" else None
    return AbilityChoice(ability.slug, value, {option.slug: _option(random, option) for option in ability.options})


def _option(random: Random, option: Any) -> object:
    match option.kind:
        case "flag":
            return random.random() < 0.5
        case "many":
            return random.sample(list(LAW.abilities), 3)
        case "tactic":
            return random.choice(list(LAW.tactics))
        case "creature_type":
            return random.choice(list(LAW.creature_types))
    return random.choice(option.choices)


def _opened(random: Random, specs: list[ArmySpec]) -> BattleState:
    """In its ranged or its first melee phase; half of them can overcome what is hard to hurt."""
    names = [spec.id for spec in specs]
    overcomes = tuple(pair for pair in (("A", "B"), ("B", "A")) if random.random() < 0.5)
    slug = random.choice(CONDITIONS)
    held = (SetCondition(slug, armies=("A",) if slug in OF_AN_ARMY else ()),) if slug else ()
    sides = tuple(Side(name, (name,)) for name in names)
    battle = open_battle(LAW, Opening(tuple(specs), sides, held, overcomes=overcomes))
    for command in (c.Next(), c.Resolve(), *[c.Resolve()] * random.randint(0, 1)):
        if battle.result is None:
            battle = fold(battle, decide(battle, command, Seeded(random.getrandbits(32)), GM))
    return battle


def _ordered(battle: BattleState, random: Random) -> BattleState:
    for choices in legal(battle, GM).armies:
        if choices.why_not is None and random.random() < 0.8:
            given = c.GiveOrder(replace(random_order(choices, random), spawn="heal"))
            battle = fold(battle, decide(battle, given, Seeded(1), GM))
    return battle


# sieges
BESIEGING = ("burrow", "teleportation", "climb", "burrow", "trap-sense", "bleed", "mindless", "fear", "flight")


def sieges(count: int, seed: int) -> Iterator[BattleState]:
    """So many battles of four armies with engines, walls, and those who break engines or dig; orders as they come."""
    random = Random(seed)
    for _siege in range(count):
        battle = None
        while battle is None or battle.result is not None:
            battle = _begun(random, _siege_opening(random))
        yield _ordered(battle, random)


def _siege_opening(random: Random) -> Opening:
    names = ("A", "A2", "B", "B2")
    specs = tuple(_besieging(random, name) for name in names)
    sides = (Side("A", names[:2]), Side("B", names[2:]))
    held = tuple(_walls(random, names) for _fort in range(random.randint(1, 2)))
    wind = (SetCondition("wind", "strong"),) if random.random() < 0.3 else ()
    shoots = tuple(name for name in names if random.random() < 0.5)
    return Opening(specs, sides, (*held, *wind), engines_shoot=shoots)


def _besieging(random: Random, name: str) -> ArmySpec:
    slugs = random.sample(BESIEGING, 1)
    plain = _army(random, name, slugs if random.random() < 0.6 else [])
    known = tuple(TacticKnown(slug, True) for slug in ("siegebreaker", "sniper-support", "defensive-wall"))
    engines = {"siege-engines": random.choice((1, 1, 2, 3))} if random.random() < 0.6 else {}
    return replace(plain, tactics=known, resources=engines)


def _walls(random: Random, names: tuple[str, ...]) -> SetCondition:
    inside = tuple(random.sample(names, random.randint(1, 2)))
    parts = tuple(Part(random.choice(tuple(PART_KINDS)), random.choice(tuple(MATERIALS)), random.randint(1, 7))
                  for _part in range(random.randint(1, 3)))  # fmt: skip
    return SetCondition("fortification", None, inside, parts=parts)


def _begun(random: Random, opening: Opening) -> BattleState:
    """In its ranged or its first melee phase, each army with one of its tactics."""
    battle = _played(open_battle(LAW, opening), c.Next(), random)
    for choices in legal(battle, GM).armies:
        able = [tactic.slug for tactic in choices.tactics if tactic.available]
        battle = _played(battle, c.GiveOrder(Order(choices.army, tactic=random.choice(able))), random)
    for _phase in range(random.randint(1, 2)):
        battle = _played(battle, c.Resolve(), random)
    return battle


def _played(battle: BattleState, command: c.Command, random: Random) -> BattleState:
    if battle.result is not None:
        return battle
    return fold(battle, decide(battle, command, Seeded(random.getrandbits(32)), GM))

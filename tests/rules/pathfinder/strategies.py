"""Random armies, fields and orders for Hypothesis: everything the catalogues hold, mixed.

`openings()` draws a battle that may be opened; `play(law, opening, seed)` fights it with random legal
orders and recorded dice, and tells every command with its dice, its events and the state after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from rules.core.dice import Roll
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import ArmyChoices, UseChoice, legal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    Ambush,
    BattleState,
    Opening,
    Order,
    Part,
    SetCondition,
    Side,
    UseOrder,
)
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.catalogue.conditions import MATERIALS, PART_KINDS, WINDS
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import (
    ADJUSTABLE,
    AbilityChoice,
    ArmySpec,
    BoonChoice,
    CommanderSpec,
    LastingAdjustment,
    MountSpec,
    TacticKnown,
    UnitSpec,
)

GM = c.Viewer(gm=True)
SLUGS = tuple(LAW.abilities)


@st.composite
def ability_choices(draw: st.DrawFn) -> AbilityChoice:
    ability = LAW.abilities[draw(st.sampled_from(SLUGS))]
    value = draw(st.integers(1, 9)) if ability.value == "required" else None
    return AbilityChoice(ability.slug, value, {option.slug: draw(_option(option.kind, option.choices))
                                               for option in ability.options})  # fmt: skip


def _option(kind: str, choices: tuple[str, ...]) -> st.SearchStrategy[Any]:
    match kind:
        case "flag":
            return st.booleans()
        case "many":
            return st.lists(st.sampled_from(SLUGS), min_size=1, max_size=4, unique=True)
        case "tactic":
            return st.sampled_from(tuple(LAW.tactics))
        case "creature_type":
            return st.sampled_from(tuple(LAW.creature_types))
    return st.sampled_from(choices)


@st.composite
def commanders(draw: st.DrawFn, name: str) -> CommanderSpec:
    boon = st.sampled_from(tuple(LAW.boons))
    boons = tuple(BoonChoice(slug, draw(tactics) if LAW.boons[slug].needs_tactic else None)
                  for slug in draw(st.lists(boon, max_size=3, unique=True)))  # fmt: skip
    return CommanderSpec(
        name, name, level=draw(st.integers(1, 20)), charisma_modifier=draw(st.integers(-2, 6)), boons=boons,
        soldier_ranks=draw(st.sampled_from((0, 5, 12))), active=draw(st.integers(0, 9)) > 0,
        player_character=draw(st.booleans()), notorious=draw(st.booleans()),
    )  # fmt: skip


tactics = st.sampled_from(tuple(LAW.tactics))
resources = st.dictionaries(st.sampled_from(tuple(LAW.resources)), st.integers(1, 3), max_size=3)
units = st.builds(
    UnitSpec,
    name=st.just("soldier"),
    cr=st.sampled_from(("1/3", "1", "3", "8", "9", "10")),
    hit_die=st.sampled_from(LAW.hit_dice),
    creature_type=st.sampled_from(("humanoid", "humanoid", "animal", "undead", "outsider", "construct")),
    alignment=st.sampled_from(("LG", "N", "CE")),
    ranged=st.booleans(),
    abilities=st.lists(ability_choices(), max_size=5, unique_by=lambda choice: choice.ability).map(tuple),
)


adjustments = st.builds(
    LastingAdjustment,
    st.sampled_from(tuple(ADJUSTABLE.figures)),
    st.sampled_from((-30, -2, 1, 4)),
    st.just("as the GM says"),
)


@st.composite
def armies(draw: st.DrawFn, name: str) -> ArmySpec:
    """An army of some size, hurt or not, with everything an army may have."""
    return ArmySpec(
        name, name, draw(units), draw(st.sampled_from((100, 100, 200, 500))),
        mount=draw(st.none() | st.just(MountSpec("steeds", cr="2"))),
        commander=draw(st.none() | commanders(f"{name}’s commander")), resources=draw(resources),
        tactics=tuple(TacticKnown(slug, True) for slug in draw(st.lists(tactics, max_size=3, unique=True))),
        hp=draw(st.none() | st.integers(1, 20)), morale=draw(st.integers(-4, 4)), arrears=draw(st.booleans()),
        disease=draw(st.sampled_from((0, 0, 2))), drain=draw(st.sampled_from((0, 0, 1))),
        adjustments=tuple(draw(st.lists(adjustments, max_size=2))),
    )  # fmt: skip


parts = st.builds(Part, st.sampled_from(tuple(PART_KINDS)), st.sampled_from(tuple(MATERIALS)), st.integers(0, 8))


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...]) -> SetCondition:
    item = LAW.conditions[draw(st.sampled_from(tuple(LAW.conditions)))]
    some = st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True).map(tuple)
    chosen = draw(some if item.scope == "army" else st.just(()) | some)
    exempt = draw(st.just(()) | st.just(names[-1:]))
    match item.value:
        case "wind":
            return SetCondition(item.slug, draw(st.sampled_from(tuple(WINDS))), chosen, exempt)
        case "heroes":
            return SetCondition(item.slug, draw(st.sampled_from((4, -4))), chosen, exempt)
        case "defense":
            found = tuple(draw(st.lists(parts, max_size=3)))
            return SetCondition(item.slug, None, chosen, exempt, found)
    return SetCondition(item.slug, None, chosen, exempt)


@st.composite
def openings(draw: st.DrawFn, most: int = 5) -> Opening:
    """Two or three sides of up to `most` armies in all, on some field, with the GM's declarations."""
    count = draw(st.integers(2, most))
    names = tuple(f"army-{number}" for number in range(count))
    side_of = {name: min(number, draw(st.integers(0, 2))) if number > 1 else number
               for number, name in enumerate(names)}  # fmt: skip
    sides = tuple(Side(f"side {side}", tuple(n for n in names if side_of[n] == side)) for side in range(3))
    some = st.lists(st.sampled_from(names), max_size=2, unique=True).map(tuple)
    pairs = [(a, b) for a in names for b in names if side_of[a] != side_of[b]]
    return Opening(
        tuple(draw(armies(name)) for name in names), tuple(side for side in sides if side.armies),
        tuple(draw(st.lists(conditions(names), max_size=3))),
        overcomes=tuple(draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))),
        sees_invisible=draw(some), cannot_leave=draw(some), engines_shoot=draw(some), magical=draw(some),
        ambushes=tuple(Ambush(*pair) for pair in draw(st.lists(st.sampled_from(pairs), max_size=1))),
    )  # fmt: skip


class Scattered:
    """Dice from a seeded source, remembered in the order they fell."""

    def __init__(self, random: Random):
        self._random = random
        self.fallen: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        # the extreme faces a little more often than they deserve: they are where the rules are
        value = self._random.choice((1, die, *(self._random.randint(1, die) for _face in range(4))))
        self.fallen.append(Roll(army, name, die, value))
        return self.fallen[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Told(NamedTuple):
    """One command played: what it made happen, from which dice, and the state after it."""

    command: c.Command
    rolls: tuple[Roll, ...]
    events: tuple[e.Event, ...]
    before: BattleState
    after: BattleState


@dataclass
class Play:
    opened: BattleState
    told: list[Told]

    @property
    def events(self) -> list[e.Event]:
        return [event for told in self.told for event in told.events]

    @property
    def state(self) -> BattleState:
        return self.told[-1].after


def play(opening: Opening, seed: int, *, law: Ruleset = LAW, phases: int = 10) -> Play:
    """The battle fought with random legal orders; ended by the GM if it is not over after `phases`."""
    random, opened = Random(seed), open_battle(law, opening)
    played, state = Play(opened, []), opened

    def do(command: c.Command) -> None:
        nonlocal state
        dice, before = Scattered(random), state
        happened = decide(before, command, dice, GM)
        state = fold(before, happened)
        played.told.append(Told(command, tuple(dice.fallen), happened, before, state))

    do(c.Next())
    while state.phase.kind not in ("aftermath", "closed"):
        if len(state.phases) > phases:
            do(c.End("dusk"))
            break
        if state.phase.kind == "melee" and random.random() < 0.1:
            do(c.Next("ranged"))
        for choices in legal(state, GM).armies:
            if choices.why_not is None and random.random() < 0.9:
                do(c.GiveOrder(random_order(choices, random, tactics_only=state.phase.kind == "tactics")))
        do(c.Resolve())
    return played


def random_order(choices: ArmyChoices, random: Random, *, tactics_only: bool = False) -> Order:
    """One of the orders the choices allow."""
    known = [choice.slug for choice in choices.tactics if choice.available]
    tactic = random.choice([None, None, *known])
    if tactic == "withdraw" and random.random() < 0.6:  # or few battles would last
        tactic = None
    if tactics_only:
        return Order(choices.army, tactic=tactic)
    open_to = [use for use in choices.uses if use.available and (use.kind != "tactic" or use.slug == tactic)]
    uses, drinks = [], 0
    for use in random.sample(open_to, min(len(open_to), random.randint(0, 2))):
        drinks += use.slug in ("healing-potions", "alchemy")
        if drinks < 2 or use.slug not in ("healing-potions", "alchemy"):
            uses.append(order_use(use, random))
    targets = [choice.slug for choice in choices.targets]
    return Order(
        choices.army, tactic, random.choice([None, None, *(s.slug for s in choices.strategies if s.available)]),
        random.choice([None, *targets, *targets]) if targets else None, tuple(uses),
        withdraw=random.choice(("leave", "range")), let_go=random.random() < 0.2,
        hold_the_line=choices.may_hold_the_line, spawn=random.choice(("heal", "army")),
    )  # fmt: skip


def order_use(use: UseChoice, random: Random) -> UseOrder:
    option = random.choice(use.options).slug if use.options else ""
    target = random.choice(use.targets).slug if use.targets else ""
    return UseOrder(use.kind, use.slug, option, target)


def each_choice(choices: ArmyChoices, tactics_only: bool) -> Iterator[tuple[Order, bool]]:
    """Orders of one choice each, and whether the engine says they are open."""
    bare, allowed = Order(choices.army), choices.why_not is None
    for choice in choices.tactics:
        yield replace(bare, tactic=choice.slug), choice.available and allowed
    if tactics_only:
        return
    for choice in choices.strategies:
        yield replace(bare, strategy=choice.slug), choice.available
    for choice in choices.targets:
        yield replace(bare, target=choice.slug), choice.available
    yield replace(bare, hold_the_line=True), choices.may_hold_the_line
    for use in choices.uses:
        tactic = use.slug if use.kind == "tactic" else None
        for option in [option.slug for option in use.options] or [""]:
            for target in [target.slug for target in use.targets] or [""]:
                ordered = UseOrder(use.kind, use.slug, option, target)
                yield replace(bare, tactic=tactic, use=(ordered,)), use.available

"""Battle law of mass combat (`rules.law.BattleLaw`), and the reasons why an automatic advance of a battle stops
(halts).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from rules.aftermath import BattleTolls
from rules.core.dice import Dice, Roll
from rules.core.odds import NO_ODDS, OddsLaw
from rules.core.text import Term, _, say
from rules.law import BattleLaw, Figures, Halt, LogEntry, Selection, Shapes, Stage, Summary, Verdict, Viewer
from rules.pathfinder.battle import secrecy
from rules.pathfinder.battle.aftermath import Aftermath, World, aftermath
from rules.pathfinder.battle.aftermath.settled import settled
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import ArmyChoices, LegalNow, army_choices, figures_shown, legal
from rules.pathfinder.battle.orders.options import cannot_act
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    FIGHTING,
    PHASES,
    RANGED,
    TACTICS,
    Adjustment,
    ArmyInBattle,
    BattleState,
    Fort,
    Mark,
    Opening,
    Order,
    Phase,
    Result,
    SetCondition,
    Side,
    Status,
)
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import check_opening, opening_state, recompile
from rules.pathfinder.battle.state.view import ArmyView, can_shoot, wind_allows
from rules.pathfinder.battle.telling.narrate import describe, luck
from rules.pathfinder.battle.telling.summary import STATUS_WORDS, phase_label, stage_of, summary_of, verdict_of
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import AbilityChoice, ArmySpec
from rules.pending import ARMY as OF_ARMY
from rules.pending import NEW_CHOICES, NEW_ORDERS, ORDER

# Halts of a battle that advances by itself: orders to reconsider, and phases without decisions.

LEAVES = "withdraw"  # slug of the tactic


def find_order_halts(before: BattleState, after: BattleState, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that this viewer can give now but could not before, and for lost targets. States are as
    the viewer sees them.
    """
    if after.phase.kind not in PHASES:
        return
    own = [army for army in after.on_field() if viewer.commands(army.id)]
    if own and before.phase.kind != after.phase.kind:
        yield Halt(ORDER, say(NEW_ORDERS, phase=phase_label(after.phase)))
        if after.phase.kind == RANGED and not any(_shoots(after, army) for army in own):
            yield from _usable(after, own)
        return
    for army in own:
        was = before.armies.get(army.id)
        if was is not None and was.target and _stood(before, was.target) and not _stood(after, was.target):
            yield Halt(ORDER, say(_("{army}: new target needed."), army=army.name), army.id)
        elif was is None or _options(after, army) - _options(before, was):
            yield Halt(ORDER, say(NEW_CHOICES, army=army.name), army.id)


def find_rout_halts(before: BattleState, events: Iterable[e.Event], after: BattleState) -> Iterator[Halt]:
    """Yield halts for armies that come down to their rout check and pass it (PF-3.9)."""
    for event in events:
        was = before.armies.get(event.army) if isinstance(event, e.RoutChecked) and event.success else None
        if was is not None and was.hp > was.acr:
            yield Halt(
                OF_ARMY, say(_("The first rout check of {army} succeeds."), army=after.armies[was.id].name), was.id
            )


def _usable(battle: BattleState, armies: Iterable[ArmyInBattle]) -> Iterator[Halt]:
    """Yield what armies that can't shoot may use: why a ranged phase does not pass by itself."""
    for army in armies:
        if names := [use.label for use in army_choices(battle, army).uses if use.available]:
            yield Halt(ORDER, say(_("{army} can use {names}."), army=army.name, names=names), army.id)


def _stood(battle: BattleState, army: str) -> bool:
    return army in battle.armies and battle.armies[army].status == FIGHTING


def _options(battle: BattleState, army: ArmyInBattle) -> frozenset[tuple[str, ...]]:
    """Return everything the army may be ordered, as tuples of slugs."""
    if cannot_act(battle, army) is not None:
        return frozenset()
    return frozenset(_slugs(army_choices(battle, army)))


def _slugs(choices: ArmyChoices) -> Iterator[tuple[str, ...]]:
    yield from (("tactic", one.slug) for one in choices.tactics if one.available)
    yield from (("strategy", one.slug) for one in choices.strategies if one.available)
    yield from (("target", one.slug) for one in choices.targets)
    yield from (("use", use.kind, use.slug) for use in choices.uses if use.available)
    yield from (("surrender",) for _allowed in range(choices.may_surrender))


def has_nothing_to_decide(battle: BattleState) -> bool:
    """Whether this is a ranged phase in which nobody can shoot, use anything or withdraw (PF-3.2)."""
    if battle.phase.kind != RANGED:
        return False
    return not any(_can_do_something(battle, army) for army in battle.on_field())


def _can_do_something(battle: BattleState, army: ArmyInBattle) -> bool:
    busy = bool(army.marks) or army.tactic == LEAVES or army.id in battle.orders
    return _shoots(battle, army) or busy or any(use.available for use in army_choices(battle, army).uses)


def _shoots(battle: BattleState, army: ArmyInBattle) -> bool:
    view = ArmyView(battle, army)
    return (can_shoot(view) and wind_allows(view)) or bool(army.engines and battle.forts)


# `rules.law.BattleLaw` of mass combat.

# Snapshot of a battle's state, as it is stored between commands: what the events have made, without what can be
# computed.
#
# Profiles (the compiled sources of figures) and memos are rebuilt when a state is thawed.


@dataclass(frozen=True, slots=True)
class FrozenArmy:
    """`ArmyInBattle` without its profile. `spec` is kept only for armies that the opening does not have."""

    id: str
    side: int
    acr: int
    rank: int
    hp: int
    hp_max: int
    morale: int
    status: Status
    tactic: str
    strategy: str
    target: str | None
    marks: tuple[Mark, ...]
    spent: Mapping[str, int]
    gained: tuple[AbilityChoice, ...]
    lost: frozenset[str]
    adjustments: tuple[Adjustment, ...]
    melees: int
    engines: int
    lost_hp: int
    felled_by: str
    last_loss: int
    attacked: str
    spec: ArmySpec | None = None


@dataclass(frozen=True, slots=True)
class FrozenBattle:
    """`BattleState` without its law, its opening and its memo."""

    phase: Phase
    sides: tuple[Side, ...]
    armies: tuple[FrozenArmy, ...]
    conditions: tuple[SetCondition, ...]
    forts: tuple[Fort, ...]
    orders: Mapping[str, Order] = field(default_factory=dict)
    ambushed: frozenset[str] = frozenset()
    fired: bool = False
    phases: tuple[Phase, ...] = ()
    result: Result | None = None


ARMY = tuple(f.name for f in fields(FrozenArmy) if f.name != "spec")
BATTLE = tuple(f.name for f in fields(FrozenBattle) if f.name != "armies")


def freeze(battle: BattleState) -> FrozenBattle:
    known = {spec.id for spec in battle.opening.armies}
    armies = tuple(
        FrozenArmy(**{name: getattr(army, name) for name in ARMY}, spec=None if army.id in known else army.spec)
        for army in battle.armies.values()
    )
    return FrozenBattle(armies=armies, **{name: getattr(battle, name) for name in BATTLE})


def thaw(law: Rulebook, opening: Opening, frozen: FrozenBattle) -> BattleState:
    """Restore the state from a snapshot. It equals the fold of all events up to then."""
    specs = {spec.id: spec for spec in opening.armies}
    armies = {army.id: _army(law, army, army.spec or specs[army.id]) for army in frozen.armies}
    return BattleState(law, opening, armies=armies, **{name: getattr(frozen, name) for name in BATTLE})


def _army(law: Rulebook, frozen: FrozenArmy, spec: ArmySpec) -> ArmyInBattle:
    profile = compile_profile(law, spec, spec.unit.abilities)
    army = ArmyInBattle(spec=spec, profile=profile, **{name: getattr(frozen, name) for name in ARMY})
    return recompile(law, army)


SHAPES = Shapes(
    opening=Opening, command=c.Command, event=e.Event, frozen=FrozenBattle,
    untold={
        ArmySpec: ("adjustments",), SetCondition: ("by",), Opening: ("ammunition",),  # what is inside comes first
        Order: ("target", "surrender", "stay_at_range"),
        e.PhaseEnded: ("risen",),
        e.Overridden: ("lasts", "again", "ends_given", "ends_borne"), e.Interrupted: ("kept",),
        e.Marked: ("again",), e.Attacked: ("moment",), e.Left: ("ends_given", "ends_borne"),
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Battles(BattleLaw):
    """Battles of mass combat: everybody gives orders in secret, the GM resolves the phase (PF-3)."""

    law: Rulebook
    shapes: Shapes = SHAPES
    forecast: OddsLaw = NO_ODDS

    def check(self, opening: Opening) -> Opening:
        return check_opening(self.law, opening)

    def open(self, opening: Opening) -> BattleState:
        return opening_state(self.law, opening)

    def decide(self, state: BattleState, command: c.Command, dice: Dice, viewer: Viewer) -> tuple[e.Event, ...]:
        return decide(state, command, dice, viewer)

    def fold(self, state: BattleState, events: Iterable[e.Event]) -> BattleState:
        return fold(state, events)

    def freeze(self, state: BattleState) -> FrozenBattle:
        return freeze(state)

    def thaw(self, opening: Opening, frozen: FrozenBattle) -> BattleState:
        return thaw(self.law, opening, frozen)

    def figures(self, state: BattleState) -> Figures:
        return {army: figures_shown(state, army) for army in state.armies}

    def seen(self, state: BattleState, viewer: Viewer) -> BattleState:
        return secrecy.seen(state, viewer)

    def witnessed(self, state: BattleState, event: e.Event, viewer: Viewer) -> e.Event:
        return secrecy.witnessed(state, event, viewer)

    def legal(self, state: BattleState, viewer: Viewer, selection: Selection = ()) -> LegalNow:
        """Return all choices at once. Nothing has to be picked first."""
        return legal(state, viewer)

    def allows(self, state: BattleState, command: c.Command, viewer: Viewer) -> bool:
        """Whether the viewer may give the command: orders by the army's commander, everything else by the GM."""
        return viewer.gm or (isinstance(command, c.GiveOrder) and viewer.commands(command.order.army))

    def bears(self, command: c.Command, since: Sequence[c.Command]) -> bool:
        """Whether an order still holds: since then others have only given orders to other armies (PF-3.5)."""
        if not isinstance(command, c.GiveOrder):
            return False
        army = command.order.army
        return all(isinstance(other, c.GiveOrder) and other.order.army != army for other in since)

    def describe(self, state: BattleState, event: e.Event) -> LogEntry:
        return describe(state, event)

    def summary(self, state: BattleState) -> Summary:
        return summary_of(state)

    def stage(self, kind: str, number: int) -> Stage:
        return stage_of(Phase(kind, number))

    @property
    def status_words(self) -> Mapping[str, Term]:
        return STATUS_WORDS

    def decisive(self, state: BattleState, events: Sequence[e.Event]) -> bool:
        return any(isinstance(event, e.PhaseEnded) for event in events)

    def verdict(self, before: BattleState, events: Sequence[e.Event], after: BattleState) -> Verdict:
        return verdict_of(before, events, after)

    def onward(self, state: BattleState) -> c.Command | None:
        return c.Resolve() if state.phase.kind in (TACTICS, *PHASES) else None

    def empty(self, state: BattleState) -> bool:
        return self.law.house.empty_phases and has_nothing_to_decide(state)

    def halts(
        self, before: BattleState, events: Sequence[e.Event], after: BattleState, viewer: Viewer
    ) -> Sequence[Halt]:
        usual = BattleLaw.halts(self, before, events, after, viewer)
        return (*usual, *find_rout_halts(before, events, after), *find_order_halts(before, after, viewer))

    def luck(self, state: BattleState, events: Iterable[e.Event]) -> Mapping[int, float]:
        return luck(state, events)

    def reinforcement(self, army: ArmySpec, side: int) -> c.Reinforce:
        return c.Reinforce(army, side)

    def closing(self) -> c.Close:
        return c.Close()

    def throwing_anew(self, dice: Sequence[Roll]) -> c.RollAnew:
        return c.RollAnew(tuple(dice))

    def settles(self, command: c.Command) -> bool:
        return isinstance(command, c.Close | c.Reopen | c.RollAnew)

    def aftermath(self, state: BattleState, world: World, choices: Mapping[str, str], dice: Dice) -> Aftermath:
        return aftermath(state, world, choices, dice)

    def settle(
        self, tolls: BattleTolls, armies: Mapping[str, ArmySpec], world: World, choices: Mapping[str, str], dice: Dice
    ) -> Aftermath:
        return settled(self.law, tolls, armies, world, choices, dice)

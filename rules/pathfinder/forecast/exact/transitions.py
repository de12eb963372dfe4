"""Transitions of each phase to come, read off the engine itself while nobody is hurt (PF-3.5).

Blows are simultaneous, so what an army has left hangs on the other's rolls and its own checks alone, as long as no
figure, no target and no check hangs on anybody's hit points. `rules.pathfinder.forecast.exact.supported` proves that,
or refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.core.dice import Roll
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import MELEE, TACTICS, ArmyInBattle, BattleState, Order, changed
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.ends import (
    chance_to_stand,
    end_phase,
    may_hold,
    may_part,
    mending,
    never_routs,
    resisted,
    rout_lines,
)
from rules.pathfinder.battle.steps.phase import come_to_blows, resolve_tactics
from rules.pathfinder.battle.steps.run import PhaseRun, chance_to_pass
from rules.pathfinder.battle.steps.strike import Exchange, bleeding, exchange, hold_and_trip
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Fact
from rules.pathfinder.figures import total
from rules.pathfinder.forecast.exact.hit_point_losses import Harm, harm_of
from rules.pathfinder.forecast.exact.supported import CHECKS, NotUnderstood, check_army, check_pair, check_run

MOST_TURNS = 12  # until the phases repeat themselves
MOST_BRANCHES = 8


class Facing(NamedTuple):
    """What an army suffers in a phase from the other, and how it bears it.

    `blow`: None where the other makes no attack; `parting`: None where it gives no parting shot, or nobody asks.
    `firm`: how likely the rout check is passed, `firm_struck` where it was attacked. `bleeds`: what is resisted of the
    d6 that a wound of this phase costs in the next, None where none does. `mend`, `heal`: what it gets back in steps 1
    and 4.
    """

    blow: Harm | None
    parting: Harm | None
    firm: float
    firm_struck: float
    bleeds: int | None
    mend: tuple[int, ...]
    heal: tuple[int, ...]
    weather: bool

    @property
    def plain(self) -> bool:
        """Nothing but blows and rout."""
        return self.bleeds is None and not (self.mend or self.heal or self.weather)


type Turn = tuple[Facing, Facing]


class Rout(NamedTuple):
    """A rout check that can fail: what is added to its die, and whether it may be rolled again."""

    bonus: int
    again: bool


class Suffering(NamedTuple):
    """The figures behind a `Facing`. `calm`, `struck`: its rout checks, None where it passes without a die."""

    blow: Exchange | None
    parting: Exchange | None
    calm: Rout | None
    struck: Rout | None
    bleeds: int | None
    mend: tuple[int, ...]
    heal: tuple[int, ...]
    weather: bool

    def facing(self, margin: int = 0, morale: int = 0) -> Facing:
        """With so much more of the foe's Offense above its Defense, and on its morale checks."""
        return Facing(
            _harm(self.blow, margin), _harm(self.parting, margin),
            _firm(self.calm, morale), _firm(self.struck, morale),
            self.bleeds, self.mend, self.heal, self.weather,
        )  # fmt: skip


def _harm(pair: Exchange | None, margin: int) -> Harm | None:
    if pair is None:
        return None
    return harm_of(pair._replace(om_total=pair.om_total + margin) if margin else pair)


def _firm(rout: Rout | None, morale: int = 0) -> float:
    return 1.0 if rout is None else float(chance_to_stand(rout.bonus + morale, rout.again))


type Sight = tuple[Suffering, Suffering]


class Seen(NamedTuple):
    """A turn in its figures, and why it is as it is: of equal reasons, equal turns."""

    figures: Sight
    why: object | None


class Course(NamedTuple):
    """The phases to come, the last repeated for ever, and how likely it comes to them."""

    weight: float
    turns: tuple[Turn, ...]


class Chained(NamedTuple):
    """An army as the chain knows it. `bleeding`: what is resisted of each wound it brings along."""

    id: str
    hp: int
    hp_max: int
    acr: int
    captured: bool
    regenerates: bool
    bleeding: tuple[int, ...]


def body_of(battle: BattleState, army: ArmyInBattle) -> Chained:
    wounds = tuple([resisted(army, mark.detail) for mark in army.marks if mark.kind == "bleeding"])
    return Chained(
        army.id, army.hp, army.hp_max, army.acr, army.id in battle.opening.cannot_leave,
        t.REGENERATES in army.profile.traits, wounds,
    )  # fmt: skip


def courses(battle: BattleState, standing: dict[str, Order], *, parting: bool = True) -> list[Course]:
    """Every course the phases may take, by the checks that change tactics and strategies.

    `parting`: with parting shots, which decide nothing but what becomes of who runs. Raises `NotUnderstood` where an
    army's fate would hang on more than the chain of its own hit points.
    """
    found = sights(battle, standing, parting=parting)
    return [Course(weight, settled([(one.facing(), two.facing()) for one, two in turns])) for weight, turns in found]


def sights(battle: BattleState, standing: dict[str, Order], *, parting: bool) -> list[tuple[float, list[Sight]]]:
    """The same in the figures of these two armies."""
    for army in battle.on_field():
        check_army(battle, army)
    battle = _unhurt(battle)
    if battle.phase.kind == TACTICS:
        battle = _after_tactics(battle, standing)
    return list(_Way(standing, parting).onward(battle, None))


def settled(turns: list[Turn]) -> tuple[Turn, ...]:
    """Without the last turns that only repeat the one before."""
    while len(turns) > 1 and turns[-1] == turns[-2]:
        turns.pop()
    return tuple(turns)


def _unhurt(battle: BattleState) -> BattleState:
    """Armies as they show what would heal them; wounds that bleed are the chain's."""
    armies = {
        army.id: changed(army, hp=1, marks=tuple([mark for mark in army.marks if mark.kind != "bleeding"]))
        for army in battle.armies.values()
    }
    return changed(battle, armies=armies)


def _after_tactics(battle: BattleState, standing: dict[str, Order]) -> BattleState:
    run = PhaseRun(Draft(battle), DiceAsTold(()))
    resolve_tactics(run)
    return _closed(run, standing)


def _closed(run: PhaseRun, standing: dict[str, Order]) -> BattleState:
    """The battle at the beginning of the next phase; what closes a phase is told, not applied (`Draft.tell`)."""
    battle = fold(run.draft.frozen(), run.draft.happened[-2:])
    return changed(battle, orders=standing) if standing else battle


class _Way(NamedTuple):
    """What stands on the way: orders that go on, and whether parting shots are asked for."""

    standing: dict[str, Order]
    parting: bool

    def onward(
        self, battle: BattleState, before: object, last: Seen | None = None, depth: int = 0
    ) -> Iterator[tuple[float, list[Sight]]]:
        """The turns from here, for each way the checks may go; the last one repeats itself."""
        sign = _signature(battle)
        if sign == before:
            yield 1.0, []
            return
        if depth == MOST_TURNS:
            raise NotUnderstood("it never settles")
        for weight, run, calm in _branches(battle):
            seen = _seen(run, last, parting=self.parting)
            if calm and self._goes_on_so(run):
                yield weight, [seen.figures]
                continue
            for further, turns in self.onward(_ended(run, self.standing), sign, seen, depth + 1):
                yield weight * further, [seen.figures, *turns]

    def _goes_on_so(self, run: PhaseRun) -> bool:
        """Nothing but blows can happen in a calm phase, nor in the next, whose figures are the same."""
        first = run.phase.number == 1 and any(Fact.PHASE in run.view(army.id).reads for army in run.draft.on_field())
        return not self.standing and not first


def _ended(run: PhaseRun, standing: dict[str, Order]) -> BattleState:
    end_phase(run)
    if len(run.draft.on_field()) < 2:
        raise NotUnderstood("somebody leaves")
    return _closed(run, standing)


def _signature(battle: BattleState) -> object:
    """All the next phase hangs on but hit points; the same twice, and it goes on like this for ever."""
    phase = battle.phase
    armies = tuple([_standing(army, phase.tick) for army in battle.on_field()])
    number = min(phase.number, 2) if phase.kind == MELEE else phase.number
    orders = tuple(battle.orders.values())
    return phase.kind, number, battle.conditions, battle.forts, orders, armies


def _standing(army: ArmyInBattle, tick: int) -> object:
    marks = tuple([(m.kind, m.other, m.at and m.at - tick, m.detail, m.amount, m.source) for m in army.marks])
    stance = (army.tactic, army.strategy, army.target, marks)
    return stance, id(army.profile), army.engines, army.adjustments, tuple(army.spent.items())


class DiceAsTold:
    """Dice that fall as they are told to, and a 20 after that; what fell is remembered.

    Raises `NotUnderstood` for a die that decides more than a change of stance.
    """

    def __init__(self, faces: tuple[int, ...]):
        self._faces = faces
        self.fallen: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        if name not in CHECKS:
            raise NotUnderstood(name)
        at = len(self.fallen)
        self.fallen.append(Roll(army, name, die, self._faces[at] if at < len(self._faces) else die))
        return self.fallen[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def _branches(battle: BattleState) -> Iterator[tuple[float, PhaseRun, bool]]:
    """The phase up to its blows, once for each way its checks may go; and whether nothing else can happen in it."""
    waiting: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for _branch in range(MOST_BRANCHES):
        if not waiting:
            return
        weight, faces = waiting.pop()
        dice = DiceAsTold(faces)
        run = PhaseRun(Draft(battle), dice)
        calm = come_to_blows(run)
        check_run(run)
        for at, roll in enumerate(dice.fallen[len(faces) :], len(faces)):
            passed = _chance_passed(run, roll)
            if passed < 1:
                waiting.append((weight * (1 - passed), (*(r.value for r in dice.fallen[:at]), 1)))
            weight *= passed
        if weight:
            yield weight, run, calm
    if waiting:
        raise NotUnderstood("too many checks")


def _chance_passed(run: PhaseRun, roll: Roll) -> float:
    """How likely the check that this die decides is passed (PF-3.1)."""
    event = next(event for event in run.draft.happened if roll in getattr(event, "rolls", ()))
    assert isinstance(event, e.TacticChosen | e.StrategyChosen)
    return chance_to_pass(whole(event.check) - roll.value, whole(event.against))


def _seen(run: PhaseRun, last: Seen | None, *, parting: bool) -> Seen:
    """The phase as it is before blows fall: who strikes whom, from the figures of this moment."""
    armies = run.draft.on_field()
    if len(armies) != 2:
        raise NotUnderstood("somebody leaves")
    why = _why(run)
    if last is not None and why is not None and why == last.why:
        hold_and_trip(run)
        return last
    untouched = [_rout(run, army) for army in armies]
    hold_and_trip(run)
    run.look()
    first, second = [army.id for army in armies]
    mine = _figures(run, first, second, untouched[0], parting=parting)
    return Seen((mine, _figures(run, second, first, untouched[1], parting=parting)), why)


def _why(run: PhaseRun) -> object | None:
    """All that gives a turn its figures; None where somebody carries a mark, which may be of this phase alone."""
    views = [run.view(army.id) for army in run.draft.on_field()]
    if any(view.army.marks for view in views):
        return None
    reads = views[0].reads | views[1].reads
    armies = [(v.sources, v.facts(reads), run.order(v.id).hold_the_line, _healed(run, v.id)) for v in views]
    battle = run.draft.battle
    return run.phase.kind, run.plan, run.at_range, armies, battle.conditions, battle.forts


def _rout(run: PhaseRun, army: ArmyInBattle) -> Rout | None:
    return None if never_routs(army) else Rout(total(rout_lines(run, army)), may_hold(run, army))


def _figures(run: PhaseRun, army_id: str, foe_id: str, calm: Rout | None, *, parting: bool) -> Suffering:
    """What the foe does to this army."""
    army, me, foe = run.army(army_id), run.views[army_id], run.views[foe_id]
    check_pair(foe, me)
    planned = [mode for attacker, target, mode in run.plan if (attacker, target) == (foe_id, army_id)]
    struck = calm
    if planned and "grabbed" in [mark.kind for mark in army.marks]:
        struck = _rout(run, army)
    bleeds = bleeding(foe, me) if planned and planned[0] == "melee" else ""
    return Suffering(
        exchange(foe, me, planned[0], "attack") if planned else None,
        _parting(run, army_id, foe, me) if parting and _firm(calm) * _firm(struck) < 1 else None,
        calm, struck,
        resisted(army, bleeds) if bleeds else None,
        tuple([max(1, amount) for _name, amount in mending(army)]),
        _healed(run, army_id),
        run.draft.battle.conditions != () and me.under("sandstorm"),
    )  # fmt: skip


def _parting(run: PhaseRun, army_id: str, foe: ArmyView, me: ArmyView) -> Exchange | None:
    if not may_part(run, run.army(foe.id), army_id):
        return None
    return exchange(foe, me, run.mode(foe.id, army_id), "parting")


def _healed(run: PhaseRun, army_id: str) -> tuple[int, ...]:
    """What declared uses give back, seen on an army with a single hit point (PF-3.5)."""
    names = ("fast-healing", "regeneration")
    healed = [event for event in run.draft.happened if isinstance(event, e.Healed)]
    return tuple([whole(event.amount) for event in healed if event.army == army_id and event.cause not in names])

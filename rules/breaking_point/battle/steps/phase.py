"""Round from beginning to end (B-19): command test, nine steps, distance, pursuit, rally, departures."""

from __future__ import annotations

from collections.abc import Iterable

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    DUSK,
    DUSK_OF_FLEETS,
    FIGHTING,
    FLED,
    FLEET,
    ON_FIELD,
    QUIET_MOST,
    ROUND,
    ROUTED,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Gone,
    Phase,
    Result,
)
from rules.breaking_point.battle.state.field_figures import SHOT_USE, chief_army, held_fast, leader_of, mobility
from rules.breaking_point.battle.steps.command import before_battle, command_test, withdraw
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import PURSUIT, RIPOSTE, exchange, fall, strike, tell, use_of
from rules.breaking_point.dice import percent_rallied
from rules.breaking_point.lines import RALLY, led_lines
from rules.breaking_point.spec import RANGES
from rules.core.breakdown import Breakdown, Line
from rules.core.text import _

RALLY_FROM = 20
CLOSER, FARTHER = "close", "open"


# Distance.


def change_distance(run: Run) -> None:
    """Change the distance of fleets by one rank. Of opposed wishes one prevails (B-40)."""
    battle = run.battle
    wishes = {side: wish for side in range(len(battle.sides)) if (wish := _wish(battle, side))}
    prevailing = list(wishes) if len(set(wishes.values())) < 2 else _prevailing(battle, list(wishes))
    if len({wishes[side] for side in prevailing}) != 1:
        return
    rank = RANGES.index(battle.distance) + (1 if wishes[prevailing[0]] == FARTHER else -1)
    if 0 <= rank < len(RANGES):
        run.emit(e.DistanceChanged(RANGES[rank], prevailing[0] if len(prevailing) == 1 else None))


def _wish(battle: BattleNow, side: int) -> str:
    """Return the wish of a side's chief, or else of the first of its armies that has one."""
    if not battle.on_field(side):
        return ""
    orders = [battle.orders.get(army) for army in (chief_army(battle, side), *battle.sides[side].armies)]
    return next((order.distance for order in orders if order is not None and order.distance), "")


def _prevailing(battle: BattleNow, sides: list[int]) -> list[int]:
    """Return the most mobile sides, of those the ones with the best command score."""
    keys = {side: (mobility(battle, battle.on_field(side)), battle.scores[side] or 0) for side in sides}
    best = max(keys.values())
    return [side for side in sides if keys[side] == best]


# Pursuit.


def flight(run: Run) -> None:
    """Resolve pursuit, rally and flight of all routed bodies."""
    fugitives = routed(run)
    if fugitives:
        pursue(run, fugitives)
        rally(run)


def routed(run: Run) -> list[Body]:
    return [body for body in run.bodies.values() if body.status == ROUTED]


def pursue(run: Run, fugitives: Iterable[Body]) -> None:
    """Resolve pursuits at once: for each broken body one pursuer, and its riposte (B-39)."""
    run.look()
    taken: set[str] = set()
    struck: list[e.Attacked | None] = []
    for fugitive in fugitives:
        pursuer = _pursuer(run, fugitive, taken)
        if pursuer is None:
            continue
        taken.add(pursuer.id)
        struck.append(_run_down(run, pursuer, fugitive, PURSUIT))
        if run.battle.order_of(fugitive).riposte:
            struck.append(_run_down(run, fugitive, pursuer, RIPOSTE))
    attacks = [attack for attack in struck if attack is not None]
    tell(run, attacks)
    run.dice.checkpoint()
    for body in [body for body in run.bodies if body in taken]:
        run.emit(e.Rests(body, run.battle.round + 1))
    fall(run, attacks, {attack.target for attack in attacks if attack.mode == PURSUIT and attack.success})


def _pursuer(run: Run, fugitive: Body, taken: set[str]) -> Body | None:
    for body in run.battle.on_field():
        aim = run.aims.get(body.id)
        if (
            body.side != fugitive.side
            and body.status == FIGHTING
            and body.id not in taken
            and not body.shoots_only
            and body.rests != run.battle.round
            and run.battle.order_of(body).pursue
            and (body.id not in run.attacked or (aim is not None and aim.target == fugitive.id))
        ):
            return body
    return None


def _run_down(run: Run, body: Body, target: Body, mode: str) -> e.Attacked | None:
    at_range = use_of(run.battle, body, mode) == SHOT_USE
    odds = None if at_range or body.shoots_only else (run.weight(body, target), run.weight(target, body))
    return strike(run, body, target, mode, odds)


# Rally.


def rally(run: Run) -> None:
    """Make one rally attempt for each army (B-38). Bodies that are not rallied leave."""
    for army in run.battle.owners():
        broken = [body for body in run.battle.of_army(army) if body.status == ROUTED and not body.rallied]
        if broken:
            run.emit(_attempt(run, army, _chosen(run.battle, army, broken)))
    run.dice.checkpoint()
    for body in routed(run):
        run.emit(e.BodyLeft(body.id, _fate(run.battle, body), rule="B-38"))


def _chosen(battle: BattleNow, army: str, broken: list[Body]) -> Body:
    order = battle.orders.get(army)
    return next((body for body in broken if order is not None and body.key == order.rally), broken[0])


def _attempt(run: Run, army: str, body: Body) -> e.Rallied:
    """Make one attempt to rally (BP-4.11)."""
    lines = rally_lines(run.battle, army, body)
    rolls, worth = run.throw(army, "rally")
    margin = worth + lines.total - (RALLY_FROM - body.formation.command)
    percent = percent_rallied(margin)
    return e.Rallied(
        army, body.id, rolls, lines.lines, worth + lines.total, RALLY_FROM - body.formation.command, margin >= 0,
        percent, body.losses * percent // 100,
    )  # fmt: skip


def rally_lines(battle: BattleNow, army: str, body: Body) -> Breakdown:
    """Return the bonus: PRESENCE, combat and Art of war of its commander; without one the combat of its men (B-38)."""
    leader = leader_of(battle, army)
    if leader is None:
        return Breakdown((Line(_("Combat of the troops"), body.formation.command, "B-38"),))
    return led_lines(leader, RALLY)


def _fate(battle: BattleNow, body: Body) -> Gone:
    """Return the fate of a body that flees. It surrenders if surrounded (B-37) or the garrison of an invested place
    (B-56).
    """
    return SURRENDERED if held_fast(battle, body) else FLED


HERE = (*ON_FIELD, WAITING)


def resolve_command(run: Run) -> None:
    """Resolve the command phase (B-24, BP-4.1). Bodies routed by it are pursued at once."""
    fought = before_battle(run)
    if fought:
        flight(run)
    run.emit(e.PhaseEnded(Phase(COMMAND)))
    if fought:
        _go_on(run, Phase(ROUND, 1))
    else:
        run.emit(e.BattleEnded(Result(None, "unfought"), "B-24"))


def resolve_round(run: Run) -> None:
    number = run.battle.phase.number
    before = len(run.draft.happened)
    _arrivals(run)
    run.take_aim()
    withdraw(run)
    exchange(run)
    if run.battle.kind == FLEET:
        change_distance(run)
    flight(run)
    attacked = run.attacked or any(isinstance(event, e.Attacked) for event in run.draft.happened[before:])
    _lapse(run)
    run.emit(e.PhaseEnded(Phase(ROUND, number), 0 if attacked else run.battle.quiet + 1))
    _go_on(run, Phase(ROUND, number + 1))


def _arrivals(run: Run) -> None:
    """Let reserves come, or leave if nothing else of their side stands (B-44). Then make a command
    test if one is due.
    """
    battle = run.battle
    for army in battle.owners() if any(order.commit for order in battle.orders.values()) else ():
        waiting = tuple(body.id for body in battle.of_army(army) if body.waiting)
        order = battle.orders.get(army)
        if waiting and order is not None and order.commit:
            run.emit(e.ReserveCommitted(army, waiting, battle.phase.number))
    for body in [body for body in run.bodies.values() if body.status == WAITING]:
        if not battle.on_field(body.side):
            run.emit(e.BodyLeft(body.id, WITHDRAWN, saved=True, rule="B-44"))
    if battle.due and len({body.side for body in battle.on_field()}) > 1:
        command_test(run)


def _lapse(run: Run) -> None:
    """End effects that last only for a round (B-20, B-37)."""
    battle = run.battle
    for mark in [mark for mark in battle.conditions if mark.kind == c.SURROUNDED]:
        run.emit(e.ConditionLifted(mark, rule="B-37"))
    if battle.surprised and battle.kind != FLEET and not battle.house.surprise_for_battle:
        run.emit(e.SurpriseEnded(tuple(sorted(battle.surprised))))


def _go_on(run: Run, phase: Phase) -> None:
    result = over(run.battle)
    run.emit(e.PhaseBegan(phase) if result is None else e.BattleEnded(result))


def over(battle: BattleNow) -> Result | None:
    """Return the result if the battle ends after this phase, else None (B-45)."""
    here = [body.formation for body in battle.bodies.values() if body.status in HERE]
    standing = {formation.side for formation in here if not formation.support}
    if len(standing) == 1:
        return Result(standing.pop(), "field")
    if not standing:
        return Result(None, "nobody")
    if battle.quiet >= QUIET_MOST:
        return Result(None, "quiet")
    return Result(None, "dusk") if battle.phase.kind == ROUND and battle.phase.number >= dusk_of(battle) else None


def dusk_of(battle: BattleNow) -> int:
    """Return the number of the last round."""
    mark = battle.condition(c.DUSK)
    return int(mark.value or 0) if mark else DUSK_OF_FLEETS if battle.kind == FLEET else DUSK

"""Command test (BP-4.1), withdrawals before battle (BP-4.2, B-24) and in battle (B-35 to B-37)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ASSAULT, FLEET, WITHDRAWN, BattleNow, Body, Order
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.battle.state.field_figures import (
    army_command,
    chief_army,
    circumstances_line,
    ground_of,
    held_fast,
    mobility,
    mobility_bonus,
    properly_held,
    retreat_line,
    side_command,
)
from rules.breaking_point.battle.state.reach import AHEAD, steps_of
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import rout
from rules.core.breakdown import Breakdown
from rules.core.text import _

SURPRISE, SAVED = 5, 5
STAYING = -2


def before_battle(run: Run) -> bool:
    """Resolve declared withdrawals and the command test. Returns whether a battle is fought."""
    battle = run.battle
    declared = [side for side in range(len(battle.sides)) if declares(battle, side) and not _held(run, side)]
    for side in declared:
        run.emit(e.WithdrawalDeclared(side))
    if len(declared) == len(battle.sides):
        for body in list(battle.bodies.values()):
            run.emit(e.BodyLeft(body.id, WITHDRAWN, saved=True, rule="B-24"))
        return False
    command_test(run, declared)
    for side in declared:
        _decide(run, side)
    return True


def declares(battle: BattleNow, side: int) -> bool:
    order = battle.orders.get(chief_army(battle, side))
    return order is not None and order.withdraw


def _held(run: Run, side: int) -> bool:
    """Whether a body of a withdrawing side is held fast, so that the side stays (B-37, B-56)."""
    for body in run.battle.on_field(side):
        if why := held_fast(run.battle, body):
            run.emit(e.OrderLost(body.id, "", why, CONDITIONS[why].rule))
            return True
    return False


def command_test(run: Run, declared: Collection[int] = ()) -> None:
    """Roll once for every side with a body on the field (B-17). If the GM waives the test, all strike in the same step
    (B-81).
    """
    battle = run.battle
    if battle.holds(c.UNTESTED):
        run.emit(without_test(battle))
        return
    scores: list[int | None] = []
    for side in range(len(battle.sides)):
        if not battle.on_field(side):
            scores.append(None)
            continue
        army, lines = command_lines(battle, side, withdrawing=side in declared)
        rolls, worth = run.throw(f"side-{side}", "command")
        run.emit(e.CommandTested(side, army, rolls, lines.lines, worth + lines.total))
        scores.append(worth + lines.total)
    run.dice.checkpoint()
    surprised = surprised_by(scores, battle)
    run.emit(e.InitiativeSettled(tuple(scores), steps_of(scores), surprised))


def without_test(battle: BattleNow) -> e.InitiativeSettled:
    """Return the initiative without a test (B-81). Sides surprised for the whole battle stay surprised."""
    sides = tuple(side for side in range(len(battle.sides)) if battle.on_field(side))
    kept = battle.surprised if battle.house.surprise_for_battle else frozenset()
    return e.InitiativeSettled((None,) * len(battle.sides), (sides,), tuple(sorted(kept)), "B-81")


def command_lines(battle: BattleNow, side: int, *, withdrawing: bool = False) -> tuple[str, Breakdown]:
    """Return the commanding army and its bonus (BP-4.1, BP-4.2, BP-8, B-16, B-43)."""
    army, found = side_command(battle, side)
    own = battle.sides[side]
    found = found.plus(*circumstances_line(battle, side))
    for mark in ground_of(battle):
        found = found.plus(mark.name, 0 if own.radio else mark.command, mark.rule)
    if withdrawing:
        foes = [mobility(battle, battle.on_field(foe)) for foe in range(len(battle.sides))
                if foe != side and battle.on_field(foe)]  # fmt: skip
        bonus = mobility_bonus(mobility(battle, battle.on_field(side)), foes)
        found = found.plus(_("Mobility"), bonus, "BP-4.2").plus(*retreat_line(battle, side))
    if battle.kind == ASSAULT:
        found = _of_assault(battle, side, found)
    return army, found


def _of_assault(battle: BattleNow, side: int, found: Breakdown) -> Breakdown:
    if side == battle.opening.defender:
        return found.plus(_("Place properly held"), 2 if properly_held(battle) else 0, "BP-8")
    return found.plus(_("Not equipped for an assault"), 0 if battle.holds(c.EQUIPPED) else -2, "BP-8")


def surprised_by(scores: list[int | None], battle: BattleNow) -> tuple[int, ...]:
    """Return sides that an enemy beats by five, and those still surprised by house rule (B-17, B-20)."""
    kept = battle.surprised if battle.house.surprise_for_battle else frozenset()
    if battle.holds(c.NO_SURPRISE):
        return tuple(sorted(kept))
    best = max((score for score in scores if score is not None), default=0)
    beaten = {side for side, score in enumerate(scores) if score is not None and best - score >= SURPRISE}
    return tuple(sorted(beaten | kept))


def _decide(run: Run, side: int) -> None:
    """Decide a withdrawal declared before battle (B-24)."""
    scores = run.battle.scores
    foes = [score for other, score in enumerate(scores) if other != side and score is not None]
    margin = (scores[side] or 0) - max(foes, default=0)
    outcome = "away" if margin >= AHEAD else "routed" if margin <= -SURPRISE else "stays"
    saved = outcome == "away" and margin >= SAVED
    run.emit(e.SideWithdrawn(side, margin, outcome, saved))
    for body in [body for body in run.battle.bodies.values() if body.side == side and (body.on_field or body.waiting)]:
        _leave(run, body, outcome, saved)


def _leave(run: Run, body: Body, outcome: str, saved: bool) -> None:
    if outcome == "away":
        run.emit(e.BodyLeft(body.id, WITHDRAWN, saved=saved, rule="B-24"))
    elif outcome == "routed" and body.on_field and not body.never_breaks:
        rout(run, body.id, "withdrawal")
    else:
        run.emit(e.Penalised(body.id, min(body.penalty, STAYING), "B-24"))


# Withdrawals in battle (B-35 to B-37).


WITHDRAW = "withdraw"
STAYED, ROUTED_BY = 5, 5
PENALTIES = {True: -2, False: -4}  # keyed by: the withdrawing side was not behind


class Departure(NamedTuple):
    """Bodies that leave together: an army, or in a fleet a unit. `owner` rolls. `reserve` leaves with it."""

    owner: str
    army: str
    bodies: tuple[str, ...]
    reserve: tuple[str, ...] = ()


def withdraw(run: Run) -> None:
    """Resolve all ordered withdrawals, in attack order."""
    fleets = run.battle.kind == FLEET
    if not [1 for order in run.battle.orders.values() if order.withdraw or (fleets and _some_leave(order))]:
        return
    for leaving in list(_leaving(run)):
        held = next(((body, why) for body in leaving.bodies if (why := held_fast(run.battle, run.body(body)))), None)
        if held:
            body, why = held
            run.emit(e.OrderLost(body, "", why, CONDITIONS[why].rule))
        else:
            _try(run, leaving)


def _leaving(run: Run) -> Iterator[Departure]:
    battle = run.battle
    for army in battle.owners():
        order = battle.orders.get(army)
        own = [body for body in battle.of_army(army) if body.on_field]
        if order is None or not own:
            continue
        if battle.kind == FLEET:
            going = [body for body in own if order.withdraw or battle.order_of(body).do == WITHDRAW]
            yield from (Departure(body.id, army, (body.id,)) for body in going)
        elif order.withdraw:
            waiting = tuple(body.id for body in battle.of_army(army) if body.waiting)
            yield Departure(army, army, tuple(body.id for body in own), waiting)


def _some_leave(order: Order) -> bool:
    return WITHDRAW in [given.do for given in order.bodies.values()]


def _try(run: Run, leaving: Departure) -> None:
    """Resolve one withdrawal: free if nobody attacks it, else tested against every side that ordered an attack on it
    (B-35).
    """
    sides = sorted({run.body(aim.body).side for aim in run.aims.values()
                    if aim.target in leaving.bodies and run.body(aim.body).on_field})  # fmt: skip
    if not sides:
        run.emit(e.WithdrawalTested(leaving.owner, leaving.bodies, (), (), 0, (), 0, "free", True, "B-35"))
        _go(run, leaving, saved=True)
        return
    tested = _tested(run, leaving, sides)
    run.emit(tested)
    run.dice.checkpoint()
    if tested.outcome == "away":
        _go(run, leaving, saved=tested.saved)
        return
    for body in leaving.bodies:
        _stay(run, run.body(body), tested)


def _tested(run: Run, leaving: Departure, sides: list[int]) -> e.WithdrawalTested:
    lines = leaving_lines(run.battle, leaving.army, [run.body(body) for body in leaving.bodies], sides)
    rolls, worth = run.throw(leaving.owner, WITHDRAW)
    score = worth + lines.total
    opposed = tuple(_opposed(run, side) for side in sides)
    margin = score - max(other.score for other in opposed)
    outcome = "away" if margin >= AHEAD else "routed" if margin <= -ROUTED_BY else "stays"
    saved = margin >= STAYED
    return e.WithdrawalTested(leaving.owner, leaving.bodies, rolls, lines.lines, score, opposed, margin, outcome, saved)


def leaving_lines(battle: BattleNow, army: str, own: Sequence[Body], sides: Iterable[int]) -> Breakdown:
    """Return the bonus of a withdrawal: command, mobility and the GM's modifiers (B-35, B-77, B-82)."""
    foes = (mobility(battle, battle.on_field(side)) for side in sides)
    found = army_command(battle, army, own).plus(_("Mobility"), mobility_bonus(mobility(battle, own), foes), "BP-4.2")
    side = own[0].side
    return found.plus(*circumstances_line(battle, side)).plus(*retreat_line(battle, side))


def opposing_lines(battle: BattleNow, side: int) -> Breakdown:
    """Return the bonus of a side that opposes a withdrawal (B-35, B-77)."""
    return side_command(battle, side)[1].plus(*circumstances_line(battle, side))


def _opposed(run: Run, side: int) -> e.Opposed:
    rolls, worth = run.throw(f"side-{side}", WITHDRAW)
    return e.Opposed(side, rolls, worth + opposing_lines(run.battle, side).total)


def _go(run: Run, leaving: Departure, *, saved: bool) -> None:
    for body in leaving.bodies:
        run.emit(e.BodyLeft(body, WITHDRAWN, saved=saved, rule="B-36"))
        run.forget(body)
    for body in leaving.reserve:
        run.emit(e.BodyLeft(body, WITHDRAWN, saved=True, rule="B-44"))


def _stay(run: Run, body: Body, tested: e.WithdrawalTested) -> None:
    run.forget(body.id)
    if tested.outcome == "routed" and not body.never_breaks:
        rout(run, body.id, "withdrawal")
        return
    penalty = PENALTIES[tested.margin >= 0]
    if penalty < body.penalty:
        run.emit(e.Penalised(body.id, penalty))

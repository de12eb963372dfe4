"""Withdrawals in battle (B-35 to B-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import FLEET, WITHDRAWN, BattleNow, Body, Order
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.battle.state.field_figures import (
    army_command,
    circumstances_line,
    held_fast,
    mobility,
    mobility_bonus,
    retreat_line,
    side_command,
)
from rules.breaking_point.battle.state.reach import AHEAD
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import rout
from rules.core.breakdown import Breakdown
from rules.core.text import _

WITHDRAW = "withdraw"
SAVED, ROUTED_BY = 5, 5
PENALTIES = {True: -2, False: -4}  # whether it was not behind


class Departure(NamedTuple):
    """Who leaves as one: an army, in a fleet a unit. `owner`: whose die it is. `reserve`: goes with it."""

    owner: str
    army: str
    bodies: tuple[str, ...]
    reserve: tuple[str, ...] = ()


def withdraw(run: Run) -> None:
    """Everybody who was ordered to leave, in attack order."""
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
    """Attacked by nobody it leaves freely; else it tests against every side that ordered an attack on it (B-35)."""
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
    saved = margin >= SAVED
    return e.WithdrawalTested(leaving.owner, leaving.bodies, rolls, lines.lines, score, opposed, margin, outcome, saved)


def leaving_lines(battle: BattleNow, army: str, own: Sequence[Body], sides: Iterable[int]) -> Breakdown:
    """What is added to the die of who leaves: command, mobility, and what the GM gives (B-35, B-77, B-82)."""
    foes = (mobility(battle, battle.on_field(side)) for side in sides)
    found = army_command(battle, army, own).plus(_("Mobility"), mobility_bonus(mobility(battle, own), foes), "BP-4.2")
    side = own[0].side
    return found.plus(*circumstances_line(battle, side)).plus(*retreat_line(battle, side))


def opposing_lines(battle: BattleNow, side: int) -> Breakdown:
    """What is added to the die of a side that stands in the way (B-35, B-77)."""
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

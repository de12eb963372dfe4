"""Hindsight on a battle: what the dice of a command did to the chances, as one viewer may know it, under any law.

What is asked goes to another process as pure values, like a forecast (`rules.odds.viewer_forecast`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rules.battle_law import AFTERMATH, CLOSED, Summary, Viewer
from rules.core.errors import Refusal
from rules.core.odds import SIMULATED, AboutOdds, Method, Odds
from rules.odds.fairness import Chances
from rules.odds.viewer_forecast import FieldNow, odds_of


@dataclass(frozen=True, slots=True)
class Fought:
    """The battle as it stood with its orders given and the dice still in the hand, and what happened then."""

    now: FieldNow
    events: tuple[Any, ...]


class Weighed(NamedTuple):
    """The chances on both sides of the dice. `error`: of the less sure of the two, as `Odds` has it.

    `phase`: in which they fell, as `BattleLaw.stage` knows it; None in what was written down before it was kept.
    """

    before: Chances
    after: Chances
    method: Method
    error: float
    phase: tuple[str, int] | None = None


def weighed(fought: Fought, viewer: Viewer) -> Weighed | None:
    """None where the law could foretell nothing before these dice fell."""
    now, law = fought.now, fought.now.battle
    state = law.thaw(now.opening, now.frozen)
    first = _with_orders(fought, state, viewer)
    if first is None:
        return None
    phase, after = law.summary(state).stage[:2], law.fold(state, fought.events)
    if (end := ended(law.summary(after))) is not None:
        return Weighed(Chances.of(first), end, first.method, first.error, phase)
    then = odds_of(replace(now, frozen=law.freeze(after)), AboutOdds(), viewer)
    if then is None:  # broken off in the midst of it: these dice led nowhere
        return None
    method = SIMULATED if SIMULATED in (first.method, then.method) else first.method
    return Weighed(Chances.of(first), Chances.of(then), method, max(first.error, then.error), phase)


def ended(summary: Summary) -> Chances | None:
    """How the battle ended. One broken off has no end that could have been likely."""
    outcome = summary.outcome
    if summary.status not in (AFTERMATH, CLOSED) or outcome is None:
        return None
    if outcome.winner is None and any(army.fighting for army in summary.armies.values()):
        return None
    return Chances.decided(outcome.winner, len(summary.sides))


def _with_orders(fought: Fought, state: Any, viewer: Viewer) -> Odds | None:
    """The odds before the dice, with orders as they were carried out: their own, and of others what the log tells them.

    An order that cannot be given in the world they may believe in is left out with the others.
    """
    law = fought.now.battle
    seen = law.seen(state, viewer)
    told = [law.witnessed(seen, event, viewer) for event in fought.events]
    orders = tuple(law.forecast.carried_out(seen, [event for event in told if event is not None], viewer))
    try:
        return odds_of(fought.now, AboutOdds(commands=orders, carried_out=True), viewer)
    except Refusal:
        return odds_of(fought.now, AboutOdds(carried_out=True), viewer)

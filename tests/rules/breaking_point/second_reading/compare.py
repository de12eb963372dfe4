"""The engine's events in the second reading's words."""

from __future__ import annotations

from typing import Any

from rules.breaking_point.battle.state import events as e
from tests.rules.breaking_point.second_reading.alike import Disagreement, faces

type Fact = tuple[Any, ...]

AT_ONCE = {"losses", "broken", "gone", "penalty", "rests"}  # told in whichever order: body by body


def facts(events: Any) -> list[Fact]:
    return [fact for event in events for fact in told(event)]


def told(ev: Any) -> list[Fact]:
    match ev:
        case e.CommandTested():
            return [("command", ev.side, faces(ev.rolls), ev.score)]
        case e.InitiativeSettled():
            return [("settled", tuple(tuple(sorted(step)) for step in ev.steps), surprised(ev))]
        case e.SideWithdrawn():
            return [("withdrawal", f"side-{ev.side}", ev.outcome, ev.saved)]
        case e.WithdrawalTested():
            return left_the_field(ev)
        case e.Penalised():
            return [("penalty", ev.body, ev.penalty)]
        case e.ReserveCommitted():
            return [("committed", body) for body in ev.bodies]
        case e.Attacked():
            return [("attack", ev.mode, ev.body, ev.target, faces(ev.rolls), ev.score, ev.against, ev.power, ev.loss,
                     ev.friend if ev.loss else "")]  # fmt: skip
        case e.Rests():
            return [("rests", ev.body)]
        case e.Suffered():
            return [("losses", ev.body, ev.lost, ev.losses)]
        case e.Broke():
            return [("broken", ev.body)]
        case e.Rallied():
            return [("rally", ev.body, faces(ev.rolls), ev.score, ev.against, ev.success, ev.recovered)]
        case e.BodyLeft():
            return [("gone", ev.body, ev.status)]
        case e.DistanceChanged():
            return [("distance", ev.distance)]
        case e.BattleEnded():
            return [("end", ev.result.winner)]
    return []


def surprised(ev: Any) -> tuple[int, ...]:
    """Of those who are still there."""
    return tuple(side for side in ev.surprised if any(side in step for step in ev.steps))


def left_the_field(ev: Any) -> list[Fact]:
    found: list[Fact] = []
    if ev.rolls:
        found.append(("opposed", ev.army, faces(ev.rolls), ev.score, max(each.score for each in ev.opposed)))
    return [*found, ("withdrawal", ev.army, ev.outcome, ev.saved)]


def same(when: str, ours: list[Fact], theirs: list[Fact]) -> None:
    """Every fact of one kind in its order; the order among kinds is the steps' own.

    Raises Disagreement.
    """
    mine, its = by_kind(ours), by_kind(theirs)
    for kind in (*mine, *(kind for kind in its if kind not in mine)):
        if mine.get(kind, []) != its.get(kind, []):
            lines = [f"{when}: {kind}"]
            lines += [f"  law:    {fact}" for fact in mine.get(kind, []) if fact not in its.get(kind, [])]
            lines += [f"  engine: {fact}" for fact in its.get(kind, []) if fact not in mine.get(kind, [])]
            if len(lines) == 1:
                lines += [f"  law, in order:    {mine.get(kind)}", f"  engine, in order: {its.get(kind)}"]
            raise Disagreement("\n".join(lines))


def by_kind(found: list[Fact]) -> dict[str, list[Fact]]:
    kinds: dict[str, list[Fact]] = {}
    for fact in found:
        kinds.setdefault(fact[0], []).append(fact)
    for kind in AT_ONCE & kinds.keys():
        kinds[kind].sort(key=lambda fact: fact[1])
    return kinds

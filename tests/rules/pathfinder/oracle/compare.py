"""The engine's events in the oracle's words."""

from __future__ import annotations

from typing import Any

from rules.pathfinder.battle.state import events as e

type Fact = tuple[Any, ...]


def _faces(rolls: Any) -> tuple[int, ...]:
    return tuple(roll.value for roll in rolls)


def _die(rolls: Any) -> int | None:
    return rolls[0].value if rolls else None


def facts(events: Any) -> list[Fact]:
    found = []
    for event in events:
        fact = _fact(event)
        if fact is not None:
            found.append(fact)
    return found


def _fact(ev: Any) -> Fact | None:
    match ev:
        case e.Ambushed():
            return "ambush", ev.army, ev.target, _die(ev.rolls), ev.check, ev.against, ev.success
        case e.TacticChosen():
            return "tactic", ev.army, ev.tactic, ev.success, _die(ev.rolls), *_numbers(ev)
        case e.StrategyChosen():
            return "strategy", ev.army, ev.strategy, ev.success, _die(ev.rolls), *_numbers(ev)
        case e.Used():
            return "used", ev.army, ev.kind, ev.slug, ev.option, ev.target
        case e.Healed():
            return ("heal", ev.army, ev.amount, ev.hp_before, ev.hp_after) if ev.amount else None
        case e.Wounded():
            if ev.hp_after == ev.hp_before:
                return None
            return "wound", ev.army, ev.cause, ev.amount, ev.hp_before, ev.hp_after
        case e.TauntChecked():
            return "taunt", ev.army, ev.by, ev.success, _die(ev.rolls), *_numbers(ev)
        case e.WithdrawalOpposed():
            return "opposed", ev.army, ev.target, ev.success, _faces(ev.rolls), *_numbers(ev)
        case e.WithdrawalDecided():
            return "decided", ev.army, ev.outcome
        case e.FortWorn():
            return "wear", ev.army, ev.target, _faces(ev.rolls), ev.amount
        case e.AttackLost():
            return "lost", ev.army, ev.target, ev.why
        case e.Attacked():
            return (ev.kind, ev.army, ev.target, ev.mode, _die(ev.rolls), ev.check, ev.against, ev.damage,
                    ev.hp_before, ev.hp_after)  # fmt: skip
        case e.EngineAttacked():
            return "engine", ev.army, ev.target, _die(ev.rolls), ev.check, ev.against, ev.success
        case e.FearChecked():
            return "fear", ev.army, ev.by, ev.success, _die(ev.rolls), *_numbers(ev)
        case e.RoutChecked():
            return "rout", ev.army, ev.success, _faces(ev.rolls), ev.check if ev.rolls else 0
        case e.LastStand():
            return "stand", ev.army, ev.fate
        case e.Left():
            return "left", ev.army, ev.status
        case e.Spawned():
            return "spawn", ev.army, ev.target
        case e.DistanceKept():
            return ("apart",)
        case e.BattleEnded():
            return "end", ev.result.winner
    return None


def _numbers(ev: Any) -> tuple[int, int]:
    """Check and DC where a die fell; what an automatic result prints is its own affair."""
    return (ev.check, ev.against) if ev.rolls else (0, 0)


def _worn(wears: list[Fact]) -> list[Fact]:
    """What one army broke in all, whichever fortifications it went through."""
    found: dict[Any, tuple[tuple[int, ...], int]] = {}
    for _, army, target, faces, amount in wears:
        before = found.get((army, target), ((), 0))
        found[army, target] = (before[0] + faces, before[1] + amount)
    return [("wear", *pair, *told) for pair, told in found.items()]


def by_kind(found: list[Fact]) -> dict[str, list[Fact]]:
    """Facts of one kind in their order: the order among kinds is the phase's own.

    Of an army that leaves, how it left in the end: one cut down as it routs is defeated.
    """
    kinds: dict[str, list[Fact]] = {}
    for fact in found:
        kinds.setdefault(fact[0], []).append(fact)
    if "wear" in kinds:
        kinds["wear"] = _worn(kinds["wear"])
    if "left" in kinds:
        kinds["left"] = sorted({army: ("left", army, status) for _, army, status in kinds["left"]}.values())
    return kinds

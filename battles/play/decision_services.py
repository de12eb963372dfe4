"""Services that decide a command that may be given, write it down and fold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.record_services import RecordedDice, append
from kingdom.access.decorators import internal
from kingdom.models import User
from rules.core.dice import Dice, Typed, TypedDie
from rules.law import Viewer


@dataclass(frozen=True, slots=True)
class Played:
    """A command that was carried out: the battle as it is now, and what happened."""

    battle: Battle
    state: Any
    events: tuple[Any, ...]
    record: BattleRecord | None = None


@internal
def carry_out(
    battle: Battle,
    state: Any,
    *,
    by: User,
    viewer: Viewer,
    command: Any,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
    told: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> Played:
    """Decide, write down (`told` and `quiet` as in `append`). The battle is locked and permission was asked for."""
    engine = play_battle_state.get_engine(battle)
    dice = RecordedDice(Typed(typed, by=by.get_username(), ask=ask, server=server))
    events = engine.decide(state, command, dice, viewer)
    after = engine.fold(state, events)
    done: dict[str, Any] = {"command": command, "rolls": dice.rolls, "events": events}
    record = append(battle, by=by, **done, before=state, state=after, told=told, quiet=quiet)
    play_battle_state.remember_before(battle, record, state)
    return Played(battle, after, events, record)

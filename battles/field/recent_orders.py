"""Recent orders: since anything was decided, and in the phase before that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battles.codec import storage
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, read_standing

READ_MOST = 400


def list_orders_since(battle: Battle, standing: Iterable[RecordRead]) -> list[Any]:
    """The commands since the last decision, latest first. `standing`: the records that stand, latest first."""
    return list(_phases(battle, standing, phases=1))


def list_earlier_orders(battle: Battle) -> list[Any]:
    """The commands of the phase that was decided last, latest first, without those given since."""
    rows = list(read_standing(battle, READ_MOST))
    since = len(list_orders_since(battle, rows))
    return list(_phases(battle, rows, phases=2))[since:]


def _phases(battle: Battle, standing: Iterable[RecordRead], *, phases: int) -> Iterator[Any]:
    """Commands of as many phases, the running one first; decisions themselves are left out."""
    engine, state = play_battle_state.get_engine(battle), play_battle_state.load_state(battle)
    keeper = storage.get_keeper(engine)
    for record in standing:
        if engine.decisive(state, record.events):
            phases -= 1
            if not phases:
                return
        else:
            yield keeper.load_command(record.command)

"""Statistics of many battles of the engine player against itself (W-40)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

from rules.core.viewers import Viewer
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import COMMAND, HostState
from rules.wing_command.spec import WingSpec
from tests.rules.wing_command.fights import Chooser, begun, crown, open_ground, played, starter

type Host = Callable[[int], tuple[WingSpec, ...]]


class Outcome(NamedTuple):
    """A battle of two hosts. `winner`: 0 for the host named first, wherever it stood; None for a draw."""

    winner: int | None
    south: bool | None
    turns: int
    lost: float
    melees: int
    tests: int
    failed: int


def passing(state: HostState, viewer: Viewer, random: Random) -> Any:
    """The engine player without its command phase."""
    if state.phase == COMMAND and state.aiming is None:
        return c.PassCommand(state.side)
    return next_command(state, viewer, random)


def fought(
    one: Host, other: Host, seed: str, *, swapped: bool, map_: dict[str, Any] | None = None,
    choosers: tuple[Chooser, Chooser] = (next_command, next_command),
) -> Outcome:  # fmt: skip
    """One battle; `swapped`: the host named first stands in the north."""
    hosts = (other(0), one(1)) if swapped else (one(0), other(1))
    state = begun(*hosts[0], *hosts[1], map_=map_, salt=seed)
    state, _commands, events = played(state, seed, choosers=choosers[::-1] if swapped else choosers)
    ended = state.field.ended
    assert ended is not None
    winner = None if ended.winner is None else ended.winner ^ swapped
    tests = [event for event in events if isinstance(event, e.WingTested)]
    troops = [token for token in state.field.tokens.values() if not token.character]
    return Outcome(
        winner, None if ended.winner is None else ended.winner == 0, state.turn, mean(bool(t.gone) for t in troops),
        sum(isinstance(event, e.Attacked) and event.how == "melee" for event in events), len(tests),
        sum(not event.success for event in tests),
    )  # fmt: skip


class Series(NamedTuple):
    """Many battles of the same two hosts, sides changing places."""

    outcomes: tuple[Outcome, ...]

    @property
    def wins(self) -> float:
        """Percent won by the host named first, of those decided."""
        decided = [one.winner for one in self.outcomes if one.winner is not None]
        return 100 * sum(winner == 0 for winner in decided) / max(1, len(decided))

    @property
    def south(self) -> float:
        decided = [one.south for one in self.outcomes if one.south is not None]
        return 100 * sum(map(bool, decided)) / max(1, len(decided))

    @property
    def turns(self) -> float:
        return median(one.turns for one in self.outcomes)

    @property
    def within(self) -> float:
        """The share that is decided before the limit."""
        return mean(one.turns < 12 for one in self.outcomes)

    @property
    def lost(self) -> float:
        return 100 * mean(one.lost for one in self.outcomes)

    @property
    def melees(self) -> float:
        return mean(one.melees for one in self.outcomes)

    @property
    def tests(self) -> float:
        return mean(one.tests for one in self.outcomes)

    @property
    def failed(self) -> float:
        return sum(one.failed for one in self.outcomes) / max(1, sum(one.tests for one in self.outcomes))


def series(one: Host, other: Host, battles: int, name: str, **more: Any) -> Series:
    return Series(tuple(fought(one, other, f"{name} {n}", swapped=bool(n % 2), **more) for n in range(battles)))


def deep_meadows() -> dict[str, Any]:
    """Meadows with four rows more behind each zone."""
    meadows = starter("meadows")
    rows = ["................"] * 4
    terrain = [*rows, *meadows["terrain"], *rows]
    letters = "ABCDEFGHIJKLMNOP"
    zones = [[f"{at}{row}" for row in near for at in letters] for near in ((16, 17, 18), (5, 6, 7))]
    return open_ground(terrain=terrain) | {"zones": zones}


def plain(**changes: Any) -> Host:
    """The Crown with another document, on any side."""
    return lambda side: crown(side, **changes)

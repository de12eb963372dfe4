"""Odds by simulation: the computer player plays both sides from the current state to the end, many times.

A law provides a state that a viewer may believe in (`believed`) and the next command (`step`). A battle depends only on
the seed, its number and what the viewer sees.
"""

from __future__ import annotations

from abc import abstractmethod
from random import Random
from typing import Any

from rules.battle_law import Summary
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.odds import OddsLaw, PlayedBattle, PlayedSide, PlayedSlice
from rules.core.viewers import Viewer
from rules.hexbattle.field import SIDES, Field

MOST_COMMANDS = 2000
"""A battle not over after this many commands counts as undecided."""

type SideViewers = tuple[Viewer, Viewer]
"""One viewer per side, who commands all its armies."""


class SeededDice:
    """Fast pseudorandom dice, the same for the same seed. For simulation only."""

    __slots__ = ("_random",)

    def __init__(self, random: Random):
        self._random = random.random

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, int(self._random() * die) + 1)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def side_viewers(field: Field) -> SideViewers:
    """Two viewers, each commanding all armies of one side."""
    first, second = (frozenset(army for army, own in field.armies.items() if own == side) for side in SIDES)
    return Viewer(armies=first), Viewer(armies=second)


def without_absent(field: Field) -> Field:
    """A reader's field without units they have met but don't see now."""
    return field.but(met=tuple(known & field.tokens.keys() for known in field.met), names={})


class PlayedOdds(OddsLaw):
    """Mixin of laws whose odds are found by simulation (`OddsLaw.by_play`)."""

    by_play = True

    @abstractmethod
    def believed(self, seen: Any, viewer: Viewer, random: Random) -> Any:
        """A complete state that looks like `seen` to this viewer, with everything they don't know drawn at random.

        In it, dice decide everything that a GM would report at the table.
        """

    @abstractmethod
    def step(self, state: Any, viewers: SideViewers, random: Random, dice: SeededDice) -> Any | None:
        """The state after the next command of the side that can give one; None if neither can."""

    @abstractmethod
    def told(self, state: Any) -> Summary:
        """The summary of a state."""

    def played(self, seen: Any, viewer: Viewer, seed: int, first: int, count: int) -> PlayedSlice:
        sides = tuple(PlayedSide(team.name, tuple(team.armies)) for team in self.told(seen).sides)
        battles = tuple(self._battle(seen, viewer, f"{seed}:{first + at}") for at in range(count))
        return PlayedSlice(sides, battles, viewer.gm)

    def _battle(self, seen: Any, viewer: Viewer, seed: str) -> PlayedBattle:
        random = Random(seed)
        state, dice = self.believed(seen, viewer, random), SeededDice(random)
        viewers, begun = side_viewers(state.field), state.turn
        for _command in range(MOST_COMMANDS):
            after = None if state.field.ended else self._stepped(state, viewers, random, dice)
            if after is None:
                break
            state = after
        return self._told_of(state, state.turn - begun + 1, viewer)

    def _stepped(self, state: Any, viewers: SideViewers, random: Random, dice: SeededDice) -> Any | None:
        """The next state; None if the computer player's command is refused, so that the battle counts as undecided."""
        try:
            return self.step(state, viewers, random, dice)
        except Refusal:
            return None

    def _told_of(self, state: Any, turns: int, viewer: Viewer) -> PlayedBattle:
        armies, ended = self.told(state).armies, state.field.ended
        return PlayedBattle(
            winner=ended.winner if ended else None,
            decided=ended is not None,
            turns=turns,
            left={key: army.health for key, army in armies.items() if viewer.measures(key)},
            fates={key: army.status for key, army in armies.items()},
            standing=tuple(key for key, army in armies.items() if army.fighting),
        )

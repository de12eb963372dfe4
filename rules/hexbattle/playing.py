"""Odds by play: battles played from here to their end by the engine player on both sides, again and again.

A law says what a viewer may believe (`believed`) and what the next command does (`step`). Dice and beliefs hang on the
seed and the number of a battle alone, and the battle on what the viewer sees.
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
"""A battle that isn't over after so many commands is told as undecided."""

type SideViewers = tuple[Viewer, Viewer]
"""By side, a viewer who commands all its armies."""


class SeededDice:
    """Quick dice that fall alike for the same seed. Nobody's luck hangs on them."""

    __slots__ = ("_random",)

    def __init__(self, random: Random):
        self._random = random.random

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, int(self._random() * die) + 1)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def side_viewers(field: Field) -> SideViewers:
    first, second = (frozenset(army for army, own in field.armies.items() if own == side) for side in SIDES)
    return Viewer(armies=first), Viewer(armies=second)


def without_absent(field: Field) -> Field:
    """A field as a viewer sees it, as if nobody else were there: whom they met and don't see now is forgotten."""
    return field.but(met=tuple(known & field.tokens.keys() for known in field.met), names={})


class PlayedOdds(OddsLaw):
    """A law whose odds are told by playing (`OddsLaw.by_play`)."""

    by_play = True

    @abstractmethod
    def believed(self, seen: Any, viewer: Viewer, random: Random) -> Any:
        """A whole state that looks to this viewer as `seen` does: what they may not know is drawn.

        Dice decide in it whatever a table's GM would report.
        """

    @abstractmethod
    def step(self, state: Any, viewers: SideViewers, random: Random, dice: SeededDice) -> Any | None:
        """The state after the next command of the side that has one to give; None where none has."""

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
        """A battle in which the player knows no further stays undecided; so much is told of it."""
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

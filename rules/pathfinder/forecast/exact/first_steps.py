"""The first steps of a phase with its orders, by the engine itself, once for each way their few checks can end.

Orders are many kinds of things (potions, rages, songs, changes of shape) and are given for one phase. Steps 1 to 4
carry them out; the dice that fall there are checks that succeed or fail and wounds that bleed. Each way they can fall
is walked once, with its chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.steps.phase import carry_out_orders
from rules.pathfinder.battle.steps.run import PhaseRun, chance_to_pass
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose, Situation
from rules.pathfinder.figures import morale_lines, total


class Branch(NamedTuple):
    """The working table after step 4, and how likely it comes to this."""

    run: PhaseRun
    chance: float


class TooMany(Exception):
    """There are more ways than may be walked."""


class Script:
    """Which way each die falls: as written, then the first; `ways` remembers how many there were, and how likely."""

    def __init__(self, written: tuple[int, ...]):
        self._written = written
        self.chosen: list[int] = []
        self.ways: list[tuple[float, ...]] = []

    def choose(self, chances: tuple[float, ...]) -> int:
        place = len(self.chosen)
        self.chosen.append(self._written[place] if place < len(self._written) else 0)
        self.ways.append(chances)
        return self.chosen[place]

    @property
    def chance(self) -> float:
        product = 1.0
        for way, chances in zip(self.chosen, self.ways, strict=True):
            product *= chances[way]
        return product

    def untried(self) -> Iterator[tuple[int, ...]]:
        """The ways that branch off from this one after what was written."""
        for place in range(len(self._written), len(self.chosen)):
            for way in range(1, len(self.ways[place])):
                yield (*self.chosen[:place], way)

    # as dice
    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, 1 + self.choose((1 / die,) * die))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Walked(PhaseRun):
    """A phase in which a check branches in two rather than in twenty."""

    __slots__ = ("script",)

    def __init__(self, battle: BattleState, script: Script):
        super().__init__(Draft(battle), script)
        self.script = script

    def check(
        self, army: ArmyInBattle, name: str, purpose: Purpose, dc: int, extra: Iterable[Line] = ()
    ) -> tuple[bool, dict[str, object]]:
        if t.MINDLESS in army.profile.traits:
            return True, {"automatic": True}
        bonus = total(morale_lines(Situation(self.view(army.id), purpose=purpose), extra))
        chance = chance_to_pass(bonus, dc)
        if chance in (0.0, 1.0):
            return chance == 1.0, {}
        return self.script.choose((chance, 1 - chance)) == 0, {}


def branches(battle: BattleState, most: int) -> list[Branch]:
    """Every way steps 1 to 4 can end. Raises TooMany beyond `most`."""
    found: list[Branch] = []
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        if len(found) >= most:
            raise TooMany
        script = Script(open_ways.pop())
        run = Walked(battle, script)
        carry_out_orders(run)
        found.append(Branch(run, script.chance))
        open_ways += script.untried()
    return found

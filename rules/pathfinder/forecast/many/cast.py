"""Constants of many equal battles: the armies, and what each can do to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.pathfinder.battle.orders.options import why_it_stays
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState, Fort, Mark, Order, changed
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.opening import recompile
from rules.pathfinder.battle.state.view import ArmyView, can_shoot, engines_at_work, forts_of, wearable, wind_allows
from rules.pathfinder.battle.steps.ends import never_routs, resisted, spawns_from
from rules.pathfinder.battle.steps.opposed import without_dice
from rules.pathfinder.battle.steps.phase import carry_out_orders
from rules.pathfinder.battle.steps.run import PhaseRun, chance_to_pass
from rules.pathfinder.battle.steps.strike import FRIGHTENS, bleeding, frightens, paralyses
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose, Situation
from rules.pathfinder.figures import morale_lines, total

# First steps of a phase with orders, done by the engine once for each possible result of their few checks.
#
# Orders are of many kinds (potions, rages, songs, changes of shape) and given for one phase. Steps 1 to 4 carry them
# out. The dice rolled there decide checks and bleeding. Each possible result is computed once, with its probability.


class Branch(NamedTuple):
    """State of a phase after step 4, and its probability."""

    run: PhaseRun
    chance: float


class TooMany(Exception):
    """Raised if there are more possible results than may be computed."""


class Script:
    """Script of dice: results as written, then the first possible one. `ways` records the number and chances of the
    possible results of each die.
    """

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
        """Yield the scripts that branch off from this one after its written part."""
        for place in range(len(self._written), len(self.chosen)):
            for way in range(1, len(self.ways[place])):
                yield (*self.chosen[:place], way)

    # As a dice source.
    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, 1 + self.choose((1 / die,) * die))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Walked(PhaseRun):
    """Phase in which a check has two results instead of twenty faces."""

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
    """Return every possible result of steps 1 to 4. Raises `TooMany` beyond `most`."""
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


COUNTED = ("drained", "paralysed", "tripped", "grabbed")
"""Marks that add up: each changes figures by the same amount."""
PASSING = frozenset(
    {"afraid", "barred", "doomed", "withdrawing", "leaving", "hovering", "taunted", "last-stand", "withstood-taunt",
     "bleeding", *COUNTED}
)  # fmt: skip
"""Marks held in arrays. All others stay on the army unchanged, for all battles."""


def lasting_marks(army: ArmyInBattle) -> tuple[Mark, ...]:
    return tuple(mark for mark in army.marks if mark.kind not in PASSING)


def residue(battle: BattleState, armies: Iterable[ArmyInBattle]) -> tuple[object, ...]:
    """Return a key of the state outside of the arrays. Battles with equal keys can be simulated together."""
    kept = [(army.id, lasting_marks(army), army.gained, army.lost, army.adjustments, army.engines, army.morale)
            for army in armies]  # fmt: skip
    return (*kept, battle.conditions, battle.forts)


class Cast:
    """Armies on the field at the start, in attack order (R-20), and everything about them that does not change."""

    def __init__(self, battle: BattleState, armies: list[ArmyInBattle], standing: Mapping[str, Order],
                 stances: list[list[tuple[str, str]]]):  # fmt: skip
        self.armies = [changed(army, marks=lasting_marks(army)) for army in armies]
        self.battle = changed(battle, armies={**battle.armies, **{army.id: army for army in self.armies}}, memo={})
        self.stances = stances
        self.ids = [army.id for army in armies]
        self.place = {army: place for place, army in enumerate(self.ids)}
        self.orders = [standing.get(army, Order(army)) for army in self.ids]
        self.everybody = range(len(armies))
        self.sides = [army.side for army in armies]
        self.acr = np.array([[army.acr] for army in armies], np.int16)
        self.foes = [[j for j in self.everybody if self.sides[j] != self.sides[i]] for i in self.everybody]
        self.rows = [[i for i in self.everybody if self.sides[i] == side] for side in range(len(battle.sides))]
        self.views = [ArmyView(self.battle, army) for army in self.armies]

    def has(self, trait: t.Trait) -> list[bool]:
        return [trait in army.profile.traits for army in self.armies]

    def works(self, trait: t.Trait) -> list[list[bool]]:
        return self._each(lambda me, foe: me.profile.works(trait, foe.profile))

    def _each[T](self, asked: Callable[[ArmyInBattle, ArmyInBattle], T]) -> list[list[T]]:
        return [[asked(me, foe) for foe in self.armies] for me in self.armies]

    @cached_property
    def shoots(self) -> list[bool]:
        """Whether each army can attack at range in this wind (PF-3.8)."""
        return [_shoots(view) for view in self.views]

    # Sieges.
    @cached_property
    def disarmed(self) -> list[ArmyInBattle]:
        """The armies without their siege engines."""
        law = self.battle.law
        return [recompile(law, changed(army, engines=0)) if army.engines else army for army in self.armies]

    @cached_property
    def shoots_disarmed(self) -> list[bool]:
        """`shoots` for armies whose siege engines are destroyed."""
        return [_shoots(ArmyView(self.battle, army)) for army in self.disarmed]

    @cached_property
    def forts(self) -> list[Fort]:
        """Fortifications that siege engines can wear down."""
        return [fort for fort in self.battle.forts if wearable(fort) > 0]

    @cached_property
    def around(self) -> list[list[int]]:
        """Indices in `forts` of the fortifications around each army."""
        return [[place for place, fort in enumerate(self.forts) if fort in forts_of(view)] for view in self.views]

    @cached_property
    def works_engines(self) -> list[bool]:
        return [engines_at_work(view) > 0 for view in self.views]

    # After-effects of damage.
    @cached_property
    def drains(self) -> list[list[bool]]:
        return self.works(t.DRAINS)

    @cached_property
    def paralyses(self) -> list[list[bool]]:
        return [[paralyses(me, foe) for foe in self.views] for me in self.views]

    @cached_property
    def bleeds(self) -> list[list[int | None]]:
        """Resistance of the foe to a bleeding wound, by attacker and foe; None if it does not bleed."""
        causes = [[bleeding(me, foe) for foe in self.views] for me in self.views]
        return [[resisted(foe, cause) if cause else None for foe, cause in zip(self.armies, row, strict=True)]
                for row in causes]  # fmt: skip

    @cached_property
    def trips(self) -> list[list[bool]]:
        return self._holds(t.TRIPS)

    @cached_property
    def grabs(self) -> list[list[bool]]:
        return self._holds(t.GRABS)

    def _holds(self, trait: t.Trait) -> list[list[bool]]:
        """Return by attacker and foe whether it takes hold. It does not if the foe is invincible to it (R-90)."""
        return self._each(lambda me, foe: me.profile.works(trait, foe.profile) and not foe.invincible_to(me.id))

    @cached_property
    def frightens(self) -> list[list[bool]]:
        return [[not FRIGHTENS.isdisjoint(me.profile.traits) and frightens(me, foe) for foe in self.views]
                for me in self.views]  # fmt: skip

    @cached_property
    def spawns(self) -> list[list[bool]]:
        return self._each(spawns_from)

    # Movement.
    @cached_property
    def flies(self) -> list[bool]:
        return self.has(t.FLIES)

    @cached_property
    def hovers_over(self) -> list[list[bool]]:
        """Whether the first army, if it hovers, is out of reach of the second (R-26)."""
        return [[works and not flies for works, flies in zip(row, self.flies, strict=True)]
                for row in self.works(t.FLIES)]  # fmt: skip

    def dig(self, tick: int) -> list[bool]:
        """Return which armies burrow in the phase of this tick (R-14)."""
        return [army.mark("burrowing", tick) is not None for army in self.armies]

    @cached_property
    def buries(self) -> list[list[bool]]:
        """Whether the first army, if it burrows, is out of reach of the second."""
        return [[works and not (self.burrows[i] and self.burrows[j]) for j, works in enumerate(row)]
                for i, row in enumerate(self.works(t.BURROWS))]  # fmt: skip

    @cached_property
    def burrows(self) -> list[bool]:
        return self.has(t.BURROWS)

    @cached_property
    def slips(self) -> list[list[bool | None]]:
        """Whether the first army beats the second's opposition (True) or is held (False) without dice; None if dice
        decide (R-32).
        """
        ordered = changed(self.battle, orders={order.army: order for order in self.orders})
        run = PhaseRun(Draft(ordered), Script(()))
        verdicts = self._each(lambda me, foe: without_dice(run, me, foe))
        return [[None if verdict is None else verdict[0] for verdict in row] for row in verdicts]

    @cached_property
    def stays(self) -> list[bool]:
        """Whether each army cannot leave the field at all (R-59)."""
        return [why_it_stays(self.battle, army) is not None for army in self.armies]

    # Endings.
    @cached_property
    def ferocious(self) -> list[bool]:
        return self.has(t.FEROCIOUS)

    @cached_property
    def regenerates(self) -> list[bool]:
        return self.has(t.REGENERATES)

    @cached_property
    def mends(self) -> list[list[int]]:
        """Amounts of fast healing and regeneration, in order."""
        return [[max(1, army.profile.values[slug] // 2) for slug in ("fast-healing", "regeneration")
                 if slug in army.profile.choices] if t.FAST_HEALS in army.profile.traits else []
                for army in self.armies]  # fmt: skip

    @cached_property
    def firm(self) -> list[bool]:
        return [never_routs(army) for army in self.armies]

    @cached_property
    def holds_the_line(self) -> list[bool]:
        return [order.hold_the_line and t.HOLDS_THE_LINE in army.profile.traits and army.mark("rage") is None
                for order, army in zip(self.orders, self.armies, strict=True)]  # fmt: skip

    @cached_property
    def singers(self) -> list[int]:
        """Armies whose song inspires another; it ends when they leave (R-25)."""
        marks = [mark for army in self.armies for mark in army.marks if mark.kind == "inspired"]
        return sorted({self.place[mark.other] for mark in marks if mark.other in self.place})

    @cached_property
    def stormed(self) -> list[bool]:
        return [view.under("sandstorm") for view in self.views]


def _shoots(view: ArmyView) -> bool:
    return can_shoot(view) and wind_allows(view)

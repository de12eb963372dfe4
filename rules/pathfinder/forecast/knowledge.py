"""Knowledge of a viewer about armies whose sheets they do not read: as an army stands on the field, and what it may
hide.

Everybody sees an army's rating, its hit points, its tactic and strategy, whom it is on and the marks it bears. What it
is made of, its gear, its commander and its morale are hidden, and so are orders of others. An army of that rating with
so much added to its figures stands in its place, with nothing at all of the real one's sheet; but whoever may smite the
evil is shown who is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from rules.core.health import band_of
from rules.core.odds import Guess
from rules.law import Viewer
from rules.pathfinder.battle.orders.options import use_target_refusal
from rules.pathfinder.battle.state.battle_state import (
    DEFEATED,
    PHASES,
    ROUTED,
    Adjustment,
    ArmyInBattle,
    BattleState,
    Entered,
    Mark,
    Opening,
    changed,
)
from rules.pathfinder.battle.state.entering import figures_of
from rules.pathfinder.catalogue.marks import MARKS
from rules.pathfinder.profile import compile_profile
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.size import HIGHEST_CR, Acr, parse_cr, size_of
from rules.pathfinder.spec import ArmySpec, TacticKnown, UnitSpec

SMITE = "smite-evil"
PLAIN_COUNT, HUGE_COUNT = 100, 2000
"""How many it is said to count: a hundred are rated as each of them is, two thousand for ratings beyond that."""


class Level(NamedTuple):
    """What gear, commander and abilities add to Offense and Defense, and to morale checks, all told. `left`: how much
    of what its health may be, where that is told in words: 0 the least, 1 the most.
    """

    figures: int
    morale: int
    weight: float
    left: float


LEVELS = (Level(0, 0, 0.25, 0.0), Level(2, 2, 0.5, 0.5), Level(4, 4, 0.25, 1.0))
"""Nothing beyond its rating, as most armies have it, and as much as well-equipped ones bring."""


def hidden_from(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """The armies whose figures they may not read."""
    return frozenset(army for army in state.armies if not viewer.knows(army))


def guesses(state: BattleState, viewer: Viewer) -> Sequence[Guess]:
    """The worlds that look to them like this one; in each all hidden armies are of one level, and all can shoot that
    have shot, or all can.
    """
    orders = {army: order for army, order in state.orders.items() if viewer.commands(army)}
    known = state if len(orders) == len(state.orders) else changed(state, orders=orders)
    hidden = hidden_from(state, viewer)
    if not hidden:
        return (Guess(known),)
    evil, shot = _shown_as_evil(state, viewer), {army for army in hidden if _has_shot(state.armies[army])}
    shooters = (shot, hidden) if hidden - shot else (hidden,)
    believed = [_plain_specs(state, hidden, evil, able) for able in shooters]
    return tuple(
        Guess(_veiled(known, specs, level), level.weight / len(believed)) for level, specs in product(LEVELS, believed)
    )


def _plain_specs(state: BattleState, hidden: Set[str], evil: Set[str], shooters: Set[str]) -> dict[str, ArmySpec]:
    return {army: _plain_spec(state.armies[army], evil=army in evil, shoots=army in shooters) for army in hidden}


def _has_shot(army: ArmyInBattle) -> bool:
    """It attacked before it was in any melee: everybody has seen its shots."""
    return army.attacked == "early" and not army.melees


def _shown_as_evil(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """The enemies at which their own armies may be ordered what works on the evil alone (R-27)."""
    if state.phase.kind not in PHASES:
        return frozenset()
    own = [army for army in state.on_field() if viewer.commands(army.id)]
    smites = [(army, use) for army in own for use in army.profile.uses if use.source.slug == SMITE]
    return frozenset(foe.id for army, use in smites for foe in state.enemies(army)
                     if use_target_refusal(state, army, use, foe) is None)  # fmt: skip


def _veiled(state: BattleState, specs: Mapping[str, ArmySpec], level: Level) -> BattleState:
    hidden = specs.keys()
    armies = {
        key: _plain_army(state, army, specs[key], level) if key in hidden else _marked_plainly(army, hidden)
        for key, army in state.armies.items()
    }
    opening = _plain_opening(state, specs)
    return changed(state, opening=opening, armies=armies, worded=frozenset(), memo={})


def _marked_plainly(army: ArmyInBattle, hidden: Set[str]) -> ArmyInBattle:
    """Of a mark that one of these left on it they see that it is there, and not which of its abilities did it."""
    if not any(mark.other in hidden for mark in army.marks):
        return army
    marks = (_of_unknown_cause(mark) if mark.other in hidden else mark for mark in army.marks)
    return changed(army, marks=tuple(marks))


def _of_unknown_cause(mark: Mark) -> Mark:
    """What bleeds is told once it has bled (R-43)."""
    return replace(mark, source="", detail="" if mark.kind == "bleeding" else mark.detail)


def _plain_spec(army: ArmyInBattle, *, evil: bool, shoots: bool) -> ArmySpec:
    """An army of that rating and nothing else."""
    acr = rating_of(army.spec)[1]
    count = PLAIN_COUNT if acr <= parse_cr(str(HIGHEST_CR)) else HUGE_COUNT
    unit = UnitSpec("", cr=str(Acr(acr.step - size_of(count).step)), alignment="NE" if evil else "N", ranged=shoots)
    tactics = (TacticKnown(army.tactic, granted=True),)
    return ArmySpec(army.id, army.name, unit, count, tactics=tactics, kingdom=army.spec.kingdom)


def _plain_army(state: BattleState, army: ArmyInBattle, spec: ArmySpec, level: Level) -> ArmyInBattle:
    """As it stands there: what is left out here is what the field does not show."""
    hp, hp_max = _believed(state, army, spec, level)
    more = tuple(Adjustment(figure, level.figures, "") for figure in ("om", "dv") if level.figures)
    return ArmyInBattle(
        id=army.id,
        side=army.side,
        spec=spec,
        acr=army.acr,
        rank=size_of(spec.count).rank,
        hp=hp,
        hp_max=hp_max,
        morale=level.morale,
        profile=compile_profile(state.law, spec, ()),
        status=army.status,
        tactic=army.tactic,
        strategy=army.strategy,
        target=army.target,
        marks=tuple(_plain_mark(mark, hp) for mark in army.marks if _shows(state, mark)),
        adjustments=more,
        melees=army.melees,
        lost_hp=army.lost_hp,
        felled_by=army.felled_by,
        last_loss=army.last_loss,
        attacked=army.attacked,
    )


def _believed(state: BattleState, army: ArmyInBattle, spec: ArmySpec, level: Level) -> tuple[int, int]:
    """Its hit points as they are seen; told in words, as many as an army of that rating may have left."""
    if army.id not in state.worded:
        return army.hp, army.hp_max
    most = figures_of(state.law, spec).hp_max
    return band_of(army.hp, army.hp_max).within(most, level.left), most


def _shows(state: BattleState, mark: Mark) -> bool:
    effect = MARKS.get(mark.kind)
    return effect is not None and not effect.hidden and (mark.at is None or mark.at >= state.phase.tick)


def _plain_mark(mark: Mark, hp: int) -> Mark:
    """A last stand holds up the fate that its hit points show (R-52)."""
    fate = (ROUTED if hp else DEFEATED) if mark.kind == "last-stand" else ""
    return replace(mark, detail=fate, source="")


def _plain_opening(state: BattleState, specs: Mapping[str, ArmySpec]) -> Opening:
    """The same field, without what the opening tells of those."""
    opening = state.opening

    def without[Item: (str, tuple[str, str])](named: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(item for item in named if not (specs.keys() & ({item} if isinstance(item, str) else set(item))))

    return replace(
        opening,
        armies=tuple(specs.get(spec.id, spec) for spec in opening.armies),
        overcomes=without(opening.overcomes),
        sees_invisible=without(opening.sees_invisible),
        cannot_leave=without(opening.cannot_leave),
        engines_shoot=without(opening.engines_shoot),
        magical=without(opening.magical),
        entered={key: _plain_entry(state, key, entry, specs.get(key)) for key, entry in opening.entered.items()},
    )


def _plain_entry(state: BattleState, army: str, entry: Entered, spec: ArmySpec | None) -> Entered:
    if spec is None:
        return entry
    known = entry if army not in state.worded else figures_of(state.law, spec)
    return replace(entry, rank=size_of(spec.count).rank, engines=0, hp=known.hp, hp_max=known.hp_max)

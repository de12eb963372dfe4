"""Losses of a battle for armies of other rulesets (TF-9): share of stands lost, routed and defeated armies."""

from __future__ import annotations

from fractions import Fraction

from rules.core.errors import require
from rules.core.text import _, say
from rules.hexbattle.common import DESTROYED, outcome, teams
from rules.muster import DESTROYED as ALL_DESTROYED
from rules.muster import SCATTERED, STANDS, ArmyEnd, BattleToll, BattleTolls, MusteredSide
from rules.thucidide_fantasy.battle.aftermath import toll_of
from rules.thucidide_fantasy.battle.ending import REASONS
from rules.thucidide_fantasy.battle.record.entering import ids_of
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.spec import ContingentSpec

RULE = "TF-9"
LOST = _("{lost} of {stands} stands lost, {destroyed} of {units} units destroyed")


def tolls_of(state: FantasyState) -> BattleTolls:
    """The losses of each army. Raises `IllegalCommand` before the battle is over."""
    ended, names = state.field.ended, state.opening.sides
    require(ended is not None, _("The battle isn’t over yet. Finish it first."))
    assert ended is not None
    sides = tuple(MusteredSide(team.name, team.armies) for team in teams(state.field, names))
    armies = {army.id: _toll(state, army) for army in (*state.opening.contingents, *state.joined)}
    return BattleTolls(sides, ended.winner, armies, outcome(ended, names, REASONS).text)


def _toll(state: FantasyState, army: ContingentSpec) -> BattleToll:
    """The losses of an army. A destroyed unit counts with all its stands; healed stands aren't lost."""
    units = ids_of(army, state.opening.salt)[: len(army.units)]
    after = toll_of(state, army).stands
    start = sum(state.units[unit].start for unit in units)
    left = sum(after.get(place, state.units[unit].start) for place, unit in enumerate(units))
    destroyed = sum(stands == 0 for stands in after.values())
    told = say(LOST, lost=max(0, start - left), stands=start, destroyed=destroyed, units=len(units))
    end = _end(state, army, all_gone=destroyed == len(units))
    return BattleToll(Fraction(max(0, start - left), max(1, start)), end, 0, _leader_lost(state, army), RULE, told)


def _end(state: FantasyState, army: ContingentSpec, *, all_gone: bool) -> ArmyEnd:
    """How the army ended: defeated if every unit is destroyed, else routed if its side lost."""
    ended = state.field.ended
    if all_gone:
        return ALL_DESTROYED
    return SCATTERED if ended is not None and ended.winner == 1 - army.side else STANDS


def _leader_lost(state: FantasyState, army: ContingentSpec) -> bool:
    people = ids_of(army, state.opening.salt)[len(army.units) :]
    leaders = [one for one in people if state.people[one].commander]
    return any(state.field.tokens[one].gone in (CAPTURED, DESTROYED) for one in leaders)

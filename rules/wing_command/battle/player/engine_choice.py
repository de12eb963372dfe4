"""Choices of the computer player: the next command of a side, in setup and in play, from what that side sees, and
battles played out for their odds.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.battle_law import Summary
from rules.core.frozen_copy import remembered
from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, Proposal
from rules.core.text import Said, Term, _
from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.field import commands
from rules.hexbattle.ground import apart
from rules.hexbattle.playing import PlayedOdds, SeededDice, SideViewers, without_absent
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.setup import SetReady
from rules.wing_command.battle import blows, shown, spells, turn
from rules.wing_command.battle import command as actions
from rules.wing_command.battle import command as special_orders
from rules.wing_command.battle.activation import able_units, must_still_act, open_wings, rally_chance, why_not_rally
from rules.wing_command.battle.movement import pace_of
from rules.wing_command.battle.obedience import NO_WAY
from rules.wing_command.battle.player.engine_options import CLOSE, options_of, value_of
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ACTION, COMMAND, FIT, INITIATIVE, ROUTED, HostState, Unit, Wing
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.situation import beside, enemies, unrouted_beside
from rules.wing_command.battle.spells import known_spells, spell_targets
from rules.wing_command.battle.telling.summary import summary_of
from rules.wing_command.battle.turn import flight
from rules.wing_command.spec import ADVANCE, ATTACK, TABLE

# Choices of the computer player: the next command of a side, from what that side sees.
#
# Special orders go to the units that gain most from being free of their standing order.

ORDER_LEAST = 0.35
"""The least gain per point for which a special order is given."""


def next_command(seen: HostState, viewer: Viewer, random: Random) -> Any | None:
    """The next command for this viewer, from the state they see; None if there is nothing for them to do."""
    if seen.field.ended or not seen.field.started or seen.blow is not None:
        return None
    if seen.phase == INITIATIVE:
        return c.RollInitiative()
    if seen.phase == COMMAND:
        return _command(seen, viewer)
    if seen.phase == ACTION:
        return _action(seen, viewer, random)
    return c.ResolveRout()


# The command phase


def _command(state: HostState, viewer: Viewer) -> Any | None:
    if state.aiming:
        return _aim(state) if viewer.commands(army_of(state.aiming.character)) else None
    if state.distribution:
        return _order(state) if viewer.commands(army_of(state.distribution.character)) else None
    own = [unit for unit in turn.commanders(state, state.side) if commands(viewer, state.token(unit))]
    for unit in sorted(own, key=lambda one: not state.is_army_leader(one)):
        found = _deed(state, unit)
        if found is not None:
            return found
    chief = state.leaders[state.side]
    may_pass = own or (chief and viewer.commands(army_of(chief)))
    return c.PassCommand(state.side) if may_pass else None


def _deed(state: HostState, character: str) -> Any | None:
    """The command of a character in the command phase; None if none is worth it."""
    own = state.units[character]
    if own.own.art and spells.why_not_magic(state, character) is None:
        return _magic(state, character)
    led = state.led_by(character)
    if led is not None and actions.why_not_change(state, character) is None and wants_attack(state, led):
        return c.ChangeOrder(character, ATTACK)
    if led is None and actions.why_not_take(state, character) is None:
        free = next(wing for wing in state.wings_of(state.side) if not wing.leader)
        return c.TakeCommand(character, free.id)
    if special_orders.why_not_distribute(state, character) is None and next(_worth_ordering(state, character), None):
        return c.Distribute(character)
    return None


def wants_attack(state: HostState, wing: Wing) -> bool:
    """Whether an advancing wing should attack now."""
    if wing.order != ADVANCE:
        return False
    foes = [foe.at for foe in enemies(state, wing.side)]
    own = [state.token(unit).at for unit in state.standing(wing)]
    return any(apart(at, foe) <= CLOSE for at in own for foe in foes)


def _magic(state: HostState, character: str) -> Any:
    if spells.why_not_cast(state, character) is None:
        return c.CastSpell(character)
    known = spells.known_spells(state, character)
    usable = [spell for spell in known if spells.spell_targets(state, character, spell.slug)] or list(known)
    liked = max(usable, key=lambda spell: (spell.on in ("enemy", "enemy-troop", "frightened"), -spell.difficulty))
    return c.ChooseSpell(character, liked.slug)


def _aim(state: HostState) -> Any:
    assert state.aiming is not None
    spell = state.aiming.spell
    found = spells.spell_targets(state, state.aiming.character, spell)
    return c.Aim(max(found, key=lambda target: _aim_worth(state, spell, target)))


def _aim_worth(state: HostState, spell: str, target: str) -> float:
    if ":" not in target:
        foes = enemies(state, state.side)
        return -float(min((apart(target, foe.at) for foe in foes), default=0))
    own = state.units[target]
    crowd = len(beside(state, state.token(target).at, state.side))
    return value_of(state, target) + own.morale + 0.3 * crowd


def _worth_ordering(state: HostState, character: str) -> Iterator[tuple[float, str]]:
    """Units that gain from a special order, each with its gain per point."""
    points = state.distribution.points if state.distribution else 1 << 10
    for unit, own in state.units.items():
        if state.token(unit).side != state.side or not state.token(unit).standing:
            continue
        if special_orders.why_not_order(state, character, unit) is not None:
            continue
        cost = special_orders.order_cost(state, character, unit).points
        if cost > points or own.acted:
            continue
        gain = _gain(state, unit)
        if gain >= ORDER_LEAST * cost:
            yield gain / cost, unit


def _order(state: HostState) -> Any:
    assert state.distribution is not None
    best = max(_worth_ordering(state, state.distribution.character), default=None)
    return c.GiveOrder(best[1]) if best else c.EndDistribution()


@remembered
def _gain(state: HostState, unit: str) -> float:
    """How much more a unit would achieve if free of its standing order."""
    own = state.units[unit]
    if own.character:
        led = state.led_by(unit)
        return 3.0 if led is not None and wants_attack(state, led) and not actions.licensed(state, unit) else 0.0
    if own.morale == ROUTED:
        return _rally_gain(state, unit)
    if own.morale == FIT and not own.fatigue and not own.foes:
        return 0.0
    free = state.with_unit(unit, freed=True, special=True)
    return _best_score(free, unit) - _best_score(state, unit)


def _rally_gain(state: HostState, unit: str) -> float:
    if unrouted_beside(state, unit):
        return 0.0
    _path, spent, home = flight(state, unit, pace_of(state, unit).points)
    leaves = home and spent < pace_of(state, unit).points
    return float(rally_chance(state, unit)) * (value_of(state, unit) * (2.5 if leaves else 0.8))


def _best_score(state: HostState, unit: str) -> float:
    return max((option.score for option in options_of(state, unit)), default=0.0)


# The action phase


def _action(state: HostState, viewer: Viewer, random: Random) -> Any | None:
    if not state.wing:
        wings = [wing for wing in open_wings(state, state.side) if viewer.commands(wing.id)]
        return c.TakeWing(min(wings, key=lambda wing: _urgency(state, wing)).id) if wings else None
    wing = state.wings[state.wing]
    if not viewer.commands(wing.id):
        return None
    going = state.going
    if going and not going.done and going.unit in state.units:
        return best_command(state, going.unit, random)
    for unit in sorted(able_units(state, wing), key=lambda one: _turn_of(state, one)):
        found = best_command(state, unit, random)
        if found is not None:
            return found
    waiting = must_still_act(state, wing)
    return c.UnitAct(waiting[0]) if waiting else c.EndWing()


def _urgency(state: HostState, wing: Wing) -> tuple[bool, int]:
    """The sort key of wings: near the enemy first, retreating ones last."""
    foes = [foe.at for foe in enemies(state, wing.side)]
    own = [state.token(unit).at for unit in state.standing(wing)]
    return wing.retreats, min((apart(at, foe) for at in own for foe in foes), default=NO_WAY)


def _turn_of(state: HostState, unit: str) -> tuple[int, int]:
    """The sort key of units in a wing: rallies, shots, then troops from the front, characters last."""
    own, token = state.units[unit], state.token(unit)
    if own.morale == ROUTED:
        return 0, 0
    foes = enemies(state, token.side)
    near = min((apart(token.at, foe.at) for foe in foes), default=0) if token.at else NO_WAY
    return (3 if own.character else 1 if own.own.shot else 2), near


def best_command(state: HostState, unit: str, random: Random) -> Any | None:
    """The best command of a unit; None for a character with nothing worth doing."""
    if state.units[unit].morale == ROUTED:
        return c.RallyUnit(unit) if why_not_rally(state, unit) is None else None
    found = list(options_of(state, unit))
    if not found:
        return None
    best = max(option.score for option in found)
    near = [option for option in found if option.score >= best - 1e-9]
    return random.choice(near).ready()


# Simulation of a battle for its odds: a state the viewer may believe in, and the next command in it.


def believed(seen: HostState, viewer: Viewer, random: Random) -> HostState:
    """A complete state that looks the same to the viewer, with the enemy casters' spells drawn at random.

    Dice decide every attack. Hidden units are absent, as in the state seen.
    """
    state = seen.but(options=seen.options._replace(combat=TABLE))
    if viewer.gm:
        return state
    own = sides_of(seen.field, viewer)
    units = {
        unit: figures._replace(spell=_drawn(state, unit, figures, random))
        if figures.own.art and state.side_of(unit) not in own
        else figures
        for unit, figures in state.units.items()
    }
    state = state.but(units=units, field=without_absent(seen.field), **_leading(state))
    return _aiming(state, own, random)


def _leading(state: HostState) -> dict[str, Any]:
    """The leaders of sides and wings, as far as they are visible."""
    wings = {key: wing if wing.leader in state.units else wing._replace(leader="") for key, wing in state.wings.items()}
    return {"wings": wings, "leaders": tuple(one if one in state.units else "" for one in state.leaders)}


def _drawn(state: HostState, caster: str, figures: Unit, random: Random) -> str:
    """A random spell of their art; "" before they have had a turn to choose one."""
    known = [spell.slug for spell in known_spells(state, caster)]
    chooses = state.turn > 1 or figures.activated
    return random.choice(known) if known and chooses else ""


def _aiming(state: HostState, own: frozenset[int], random: Random) -> HostState:
    """The state with an enemy's spell that is being aimed replaced by a random one with a possible target."""
    aiming = state.aiming
    if aiming is None or state.side_of(aiming.character) in own:
        return state
    caster = aiming.character
    known = [spell.slug for spell in known_spells(state, caster) if spell_targets(state, caster, spell.slug)]
    return state.but(aiming=aiming._replace(spell=random.choice(known)) if known else None)


def step(state: HostState, viewers: SideViewers, random: Random, dice: SeededDice) -> HostState | None:
    """The state after the next command of whoever has to act; None if nobody has a command."""
    run = Run(state, dice)
    if state.blow is not None:
        blows.strike(run, state.blow)
        turn.follow_up(run)
        return run.state
    viewer = viewers[state.side]
    seen = shown.seen(state, viewer) if shown.keeps_secrets(state) else state
    command = next_command(seen, viewer, random)
    if command is None:
        return None
    turn.decide(run, command)
    return run.state


# Computer player of a side (`OddsLaw`): its next command in setup and in play.
#
# Odds are found by simulation.

OPENS_WITH = {BOLD: ATTACK, RECKLESS: ATTACK, CAUTIOUS: ADVANCE}
"""The opening order of every wing, by leaning; with other leanings, wings keep their army's order."""
MEANT: dict[Leaning, Term] = {
    BALANCED: _("keeps the orders of its armies, then picks the most promising action"),
    CAUTIOUS: _("lets each wing advance, and attack once an enemy is near"),
    BOLD: _("lets each wing attack from the first turn"),
    RECKLESS: _("lets each wing attack from the first turn"),
}
BEST = _("its best action")
WHY: dict[type, Said] = {
    c.LineUp: _("its units are being placed"),
    SetReady: _("all its units are placed"),
    c.Distribute: _("some units act better with a special order"),
    c.GiveOrder: _("the most useful special order"),
    c.EndDistribution: _("no order is worth its points"),
    c.PassCommand: _("no more commands"),
    c.TakeWing: _("the wing closest to the enemy acts first"),
    c.EndWing: _("nothing left for this wing"),
}


class WingMoves(PlayedOdds):
    """Plays a side command by command (F-7), and simulates battles to their end."""

    commands = by_turns = True
    meant = MEANT

    def moves(self, state: HostState, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Proposal | None:
        began = state.field.started
        found = next_command(state, viewer, Random(seed)) if began else _set_up(state, side, leaning)
        if found is None:
            return None
        return Proposal(_army(state, side, found), found, WHY.get(type(found), BEST))

    def believed(self, seen: HostState, viewer: Viewer, random: Random) -> HostState:
        return believed(seen, viewer, random)

    def step(self, state: HostState, viewers: SideViewers, random: Random, dice: SeededDice) -> HostState | None:
        return step(state, viewers, random, dice)

    def told(self, state: HostState) -> Summary:
        return summary_of(state)


def _set_up(state: HostState, side: int, leaning: Leaning) -> Any | None:
    """The next setup command: orders, then placing, then ready; None after that."""
    if side in state.field.ready:
        return None
    opens = OPENS_WITH.get(leaning, "")
    for wing in state.wings_of(side):
        if opens and wing.order != opens:
            return c.SetOrder(wing.id, opens)
    waiting = [unit for unit in state.field.of_side(side) if unit.waiting]
    if waiting:
        return c.LineUp(tuple(dict.fromkeys(unit.army for unit in waiting)))
    return SetReady(side)


def _army(state: HostState, side: int, command: Any) -> str:
    """The army a command belongs to."""
    unit = getattr(command, "unit", "") or getattr(command, "character", "")
    if unit:
        return army_of(unit)
    return getattr(command, "wing", "") or state.wing or state.wings_of(side)[0].id

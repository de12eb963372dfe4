"""Engine player of wing command: what a side's engine does next, by what that side sees.

It scores what each unit could do: the mean worth of an attack's results, and of the hex it stands on. Special orders go
to the units that would do most better if they were free.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import route
from rules.hexbattle.tokens import Token, commands
from rules.wing_command.battle import actions, duels, orders, spells, turn
from rules.wing_command.battle.acting import going_on
from rules.wing_command.battle.blows import companions, gait_of
from rules.wing_command.battle.combat import Setting, chances, led_from, stands_firm, sum_of, targets
from rules.wing_command.battle.movement import (
    clear_steps,
    lands_on,
    may_charge,
    mover_of,
    pace_of,
    reach_of,
)
from rules.wing_command.battle.obedience import (
    FIGHT,
    HOME,
    LEAVE,
    NO_WAY,
    STAY,
    Duty,
    beside_now,
    costs_to,
    duty_of,
    own_reach,
    strikes,
    why_not_by_order,
)
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import (
    ACTION,
    COMMAND,
    EXHAUSTED,
    FIT,
    INITIATIVE,
    ROUTED,
    SHAKEN,
    State,
    Wing,
)
from rules.wing_command.battle.rout import flight
from rules.wing_command.battle.situation import beside, enemies, engaged, fit_leader, halting, unrouted_beside
from rules.wing_command.battle.wings import able_units, must_still_act, open_wings, rally_chance, why_not_rally
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD, MELEE, MISSILE
from rules.wing_command.starter import TROOPS

WORTH = {
    MELEE: (-0.9, -0.1, 0.5, 1.3, 2.6, 4.0),
    MISSILE: (0.0, 0.5, 1.3, 2.6, 4.0),
}
"""How good each result of a blow is, in the order of its columns."""
TIRING = 0.25
RESTED, RALLIED = 0.5, 1.0
NEAR, COVER, EXPOSED = 0.08, 0.15, 0.12
ORDER_LEAST = 0.35
"""A special order is given where it is worth at least this much a point."""
CLOSE = 6
"""A wing that advances attacks once an enemy is so near."""


class Option(NamedTuple):
    """Something a unit could do, and how good it is."""

    command: Any
    score: float


@lru_cache(maxsize=256)
def worth(how: str, total: int) -> float:
    """The mean worth of a blow with this sum."""
    return sum(float(chance) * value for chance, value in zip(chances(how, total), WORTH[how], strict=True))


def next_command(seen: State, viewer: Viewer, random: Random) -> Any | None:
    """The next command of whoever the viewer commands, of the state they see; None where nothing is theirs to do."""
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


def _command(state: State, viewer: Viewer) -> Any | None:
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


def _deed(state: State, character: str) -> Any | None:
    """What a character does in the command phase, if anything is worth it."""
    own = state.units[character]
    if own.own.art and spells.why_not_magic(state, character) is None:
        return _magic(state, character)
    led = state.led_by(character)
    if led is not None and actions.why_not_change(state, character) is None and wants_attack(state, led):
        return c.ChangeOrder(character, ATTACK)
    if led is None and actions.why_not_take(state, character) is None:
        free = next(wing for wing in state.wings_of(state.side) if not wing.leader)
        return c.TakeCommand(character, free.id)
    if orders.why_not_distribute(state, character) is None and next(_worth_ordering(state, character), None):
        return c.Distribute(character)
    return None


def wants_attack(state: State, wing: Wing) -> bool:
    """Whether a wing that advances should attack now."""
    if wing.order != ADVANCE:
        return False
    foes = [foe.at for foe in enemies(state, wing.side)]
    own = [state.token(unit).at for unit in state.standing(wing)]
    return any(apart(at, foe) <= CLOSE for at in own for foe in foes)


def _magic(state: State, character: str) -> Any:
    if spells.why_not_cast(state, character) is None:
        return c.CastSpell(character)
    known = spells.known_spells(state, character)
    usable = [spell for spell in known if spells.spell_targets(state, character, spell.slug)] or list(known)
    liked = max(usable, key=lambda spell: (spell.on in ("enemy", "enemy-troop", "frightened"), -spell.difficulty))
    return c.ChooseSpell(character, liked.slug)


def _aim(state: State) -> Any:
    assert state.aiming is not None
    spell = state.aiming.spell
    found = spells.spell_targets(state, state.aiming.character, spell)
    return c.Aim(max(found, key=lambda target: _aim_worth(state, spell, target)))


def _aim_worth(state: State, spell: str, target: str) -> float:
    if ":" not in target:
        foes = enemies(state, state.side)
        return -float(min((apart(target, foe.at) for foe in foes), default=0))
    own = state.units[target]
    crowd = len(beside(state, state.token(target).at, state.side))
    return value_of(state, target) + own.morale + 0.3 * crowd


def _worth_ordering(state: State, character: str) -> Iterator[tuple[float, str]]:
    """Units that would do better with a special order, and by how much for a point."""
    points = state.distribution.points if state.distribution else 1 << 10
    for unit, own in state.units.items():
        if state.token(unit).side != state.side or not state.token(unit).standing:
            continue
        if orders.why_not_order(state, character, unit) is not None:
            continue
        cost = orders.order_cost(state, character, unit).points
        if cost > points or own.acted:
            continue
        gain = _gain(state, unit)
        if gain >= ORDER_LEAST * cost:
            yield gain / cost, unit


def _order(state: State) -> Any:
    assert state.distribution is not None
    best = max(_worth_ordering(state, state.distribution.character), default=None)
    return c.GiveOrder(best[1]) if best else c.EndDistribution()


def _gain(state: State, unit: str) -> float:
    """How much better a unit would do if it were free of its order."""
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


def _rally_gain(state: State, unit: str) -> float:
    if unrouted_beside(state, unit):
        return 0.0
    _path, spent, home = flight(state, unit, pace_of(state, unit).points)
    leaves = home and spent < pace_of(state, unit).points
    return float(rally_chance(state, unit)) * (value_of(state, unit) * (2.5 if leaves else 0.8))


def _best_score(state: State, unit: str) -> float:
    return max((option.score for option in options_of(state, unit)), default=0.0)


# The action phase


def _action(state: State, viewer: Viewer, random: Random) -> Any | None:
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


def _urgency(state: State, wing: Wing) -> tuple[bool, int]:
    """Wings near the enemy first, those that retreat last."""
    foes = [foe.at for foe in enemies(state, wing.side)]
    own = [state.token(unit).at for unit in state.standing(wing)]
    return wing.retreats, min((apart(at, foe) for at in own for foe in foes), default=NO_WAY)


def _turn_of(state: State, unit: str) -> tuple[int, int]:
    """Who acts first in a wing: rallies, shots, then troops from the front, characters last."""
    own, token = state.units[unit], state.token(unit)
    if own.morale == ROUTED:
        return 0, 0
    foes = enemies(state, token.side)
    near = min((apart(token.at, foe.at) for foe in foes), default=0) if token.at else NO_WAY
    return (3 if own.character else 1 if own.own.shot else 2), near


def best_command(state: State, unit: str, random: Random) -> Any | None:
    """The best of what a unit can do; None for a character with nothing worth doing."""
    if state.units[unit].morale == ROUTED:
        return c.RallyUnit(unit) if why_not_rally(state, unit) is None else None
    found = list(options_of(state, unit))
    if not found:
        return None
    best = max(option.score for option in found)
    near = [option for option in found if option.score >= best - 1e-9]
    return random.choice(near).command


# What a unit could do


def options_of(state: State, unit: str) -> Iterator[Option]:
    """Everything a unit could do that obeys its order, each with its score."""
    own, token = state.units[unit], state.token(unit)
    if token.waiting:
        yield from _entering(state, unit)
        return
    going = going_on(state, unit)
    if own.must_land:
        yield from _landing(state, unit)
        return
    hexes = own_reach(state, unit) if going is None else reach_of(state, unit, going.left)
    duty = duty_of(state, unit) if going is None else Duty()
    place = Place(state, unit)
    if duty.kind == LEAVE:
        yield Option(c.UnitAct(unit, exit=True), 0.0)
        return
    if going is not None and token.at in halting(state, token.side):
        hexes = {token.at: 0}
    if duty.kind in (HOME, STAY):
        hexes = {at: cost for at, cost in hexes.items() if at in duty.hexes}
    yield from _attacks(state, unit, hexes, place)
    if duty.kind == FIGHT:
        return
    allowed = duty.hexes or hexes.keys()
    for at in hexes:
        if at in allowed:
            to = "" if at == token.at else at
            yield Option(c.UnitAct(unit, to=to), place.score(at, stays=not to))


def _entering(state: State, unit: str) -> Iterator[Option]:
    hexes = reach_of(state, unit, pace_of(state, unit).points)
    place = Place(state, unit)
    yield from (Option(c.UnitAct(unit, to=at), place.score(at)) for at in hexes)


def _landing(state: State, unit: str) -> Iterator[Option]:
    spots = lands_on(state, unit, pace_of(state, unit).points)
    place = Place(state, unit)
    at = state.token(unit).at
    yield from (Option(c.UnitAct(unit, to="" if one == at else one), place.score(one)) for one in spots)
    if not spots:
        yield Option(c.UnitAct(unit), 0.0)


class Place:
    """How good hexes are for a unit that only moves there."""

    def __init__(self, state: State, unit: str):
        self.state, self.unit = state, unit
        self.own, self.token = state.units[unit], state.token(unit)
        ground = state.field.ground
        self.ground, self.numbers = ground, ground.numbers
        foes = frozenset(foe.at for foe in enemies(state, self.token.side))
        self.foes, self.costs = foes, costs_to(ground, gait_of(state, unit), foes) if foes else None
        self.close = halting(state, self.token.side)
        wing = state.wing_of(unit)
        self.home = wing.retreats
        self.drawn = not self.home and wing.order != HOLD
        self.mates = self._mates() if self.own.character else {}

    def score(self, at: str, *, stays: bool = False) -> float:
        if self.home:
            return -float(self.ground.from_home(self.token.side, at))
        found = self._rest(at, stays)
        if self.own.character:
            return found + self._of_character(at)
        if self.costs is not None and self.drawn and self.own.morale == FIT:
            cost = self.costs[self.numbers[at]]
            found -= NEAR * (min(cost, 40) if cost < NO_WAY else 40)
        if self.ground.terrain(at).cover:
            found += COVER
        if at in self.close:
            found -= EXPOSED * (3 if self.own.own.shot or self.own.morale == SHAKEN else 1)
        return found

    def _rest(self, at: str, stays: bool) -> float:
        """Standing still mends fatigue; away from the enemy the shaken may rally."""
        found = 0.0
        if stays and self.own.fatigue and not self.own.stirred and at not in self.close:
            found += RESTED * self.own.fatigue
        if self.own.morale == SHAKEN and at not in self.close:
            found += RALLIED
        return found

    def _mates(self) -> dict[str, float]:
        """Hexes of friendly troops, by how good it is to be with them."""
        found = {}
        wing = self.own.wing
        for friend in self.state.field.of_side(self.token.side):
            if friend.standing and not friend.character:
                own = self.state.units[friend.id]
                found[friend.at] = (own.morale == FIT) + 0.5 * (own.wing == wing) + 0.3 * (friend.at in self.close)
        return found

    def _of_character(self, at: str) -> float:
        """With a fit troop of the wing, never alone beside an enemy; casters keep to themselves."""
        if self.own.own.art and not self.state.is_leader(self.unit):
            near = min((apart(at, foe) for foe in self.foes), default=CLOSE)
            return -2.0 * (at in self.close) - 1.0 * (at in self.mates) - 0.2 * abs(near - 4)
        if at in self.mates:
            return self.mates[at] - 0.02 * apart(at, self.token.at)
        near = min((apart(at, mate) for mate in self.mates), default=0)
        return -3.0 * (at in self.close) - 0.2 * near


# Attacks


def _attacks(state: State, unit: str, hexes: dict[str, int], place: Place) -> Iterator[Option]:
    before = beside_now(state, unit)
    if not state.units[unit].character:
        for foe in targets(state, unit):
            for how in (MELEE, MISSILE):
                yield from _on(state, unit, foe, how, hexes, place, before)
        return
    at = place.token.at
    for foe, how in strikes(state, unit, at):
        if how == MISSILE and why_not_by_order(state, unit, foe.id, how, at, before) is None:
            total = sum_of(state, unit, foe.id, how, Setting(at)).total
            score = worth(how, total) * value_of(state, foe.id) + place.score(at)
            yield Option(c.UnitAct(unit, attack=c.Strike(foe.id, how)), score)
    yield from _duels(state, unit, place)


def _duels(state: State, unit: str, place: Place) -> Iterator[Option]:
    if duels.why_no_duellist(state, unit) is not None:
        return
    for foe in enemies(state, place.token.side):
        for how in (MELEE, MISSILE):
            if duels.why_not_duel(state, unit, foe, how) is None:
                blow = duels.blow_of(state, unit, foe.id, how)
                setting = Setting(place.token.at, blow.charged, blow.out, duel=True)
                total = sum_of(state, unit, foe.id, how, setting).total
                score = max(0.1, worth(how, total)) * 1.5 + place.score(place.token.at)
                yield Option(c.FightDuel(unit, foe.id, how), score)


def _on(
    state: State, unit: str, foe: Token, how: str, hexes: dict[str, int], place: Place, before: tuple[str, ...]
) -> Iterator[Option]:
    """Attacks on one enemy, from every hex that allows them."""
    own = state.units[unit]
    if how == MISSILE:
        reach = own.own.range
        near = [at for at in hexes if 0 < apart(at, foe.at) <= reach] if own.own.shot else []
    else:
        near = [at for at in state.field.ground.around(foe.at) if at in hexes] if own.high == _high(state, foe) else []
    near = [at for at in near if _may(state, unit, foe, how, at, before)]
    if not near:
        return
    out = own.infiltrating
    base = sum_of(state, unit, foe.id, how, Setting(foe.at, out=out, leader=False)).total
    firm = how == MELEE and stands_firm(state, foe.id)
    value = value_of(state, foe.id)
    for at in near:
        yield _weighed(state, unit, foe, how, at, hexes[at], base, value, place, firm=firm)


def _high(state: State, foe: Token) -> bool:
    return state.units[foe.id].high


def _may(state: State, unit: str, foe: Token, how: str, at: str, before: tuple[str, ...]) -> bool:
    if how == MISSILE:
        flying = (state.units[unit].high, _high(state, foe))
        if engaged(state, unit, at=at) or not state.field.ground.sees(at, foe.at, flying=flying):
            return False
    return why_not_by_order(state, unit, foe.id, how, at, before) is None


def _weighed(
    state: State, unit: str, foe: Token, how: str, at: str, cost: int, base: int, value: float, place: Place, *,
    firm: bool,
) -> Option:  # fmt: skip
    to = "" if at == place.token.at else at
    if how == MISSILE:
        total = base - (2 * apart(at, foe.at) > state.units[unit].own.range)
        score = worth(how, total) * value + 0.3 * place.score(at) + 0.2
        return Option(c.UnitAct(unit, to=to, attack=c.Strike(foe.id, how)), score)
    total = base + leader_there(state, unit, at)
    plain, charge = worth(how, total) * value, None
    if may_charge(state, unit, clear_to(state, unit, at, cost)):
        charging = worth(how, total + (not firm)) * value - TIRING
        charge = charging >= plain
        plain = max(plain, charging)
    crowd = sum(1 for one in state.field.ground.around(at) if one in place.foes) - 1
    tired = 0.2 * (state.units[unit].fatigue == EXHAUSTED)
    score = plain - EXPOSED * crowd - tired + (COVER if place.ground.terrain(at).cover else 0.0)
    return Option(c.UnitAct(unit, to=to, attack=c.Strike(foe.id, how), charge=charge), score)


def leader_there(state: State, unit: str, at: str) -> int:
    """1 where a fit leader would be with it on a hex."""
    start = state.token(unit).at
    if led_from(state, unit, at):
        return 1
    here = state.field.characters(start)
    if at == start or not any(fit_leader(state, one.id) for one in here):
        return 0
    return int(any(fit_leader(state, one) for one in companions(state, unit, at)))


def clear_to(state: State, unit: str, at: str, cost: int) -> int:
    """How many hexes of its way there cost one point."""
    start, going = state.token(unit).at, going_on(state, unit)
    more = going.clear if going else 0
    if at == start:
        return more
    if cost == apart(start, at):
        return cost + more
    way = route(state.field.ground, mover_of(state, unit, cost), start, at)
    return (clear_steps(state, unit, way) if way else 0) + more


@lru_cache(maxsize=64)
def _worth_of_kind(kind: str) -> float:
    return TROOPS[kind].points / 3 if kind in TROOPS else 1.2


def value_of(state: State, unit: str) -> float:
    """How much an enemy is worth, foot being 1."""
    return _worth_of_kind(state.units[unit].own.kind) + 0.5 * (unit in state.leaders)

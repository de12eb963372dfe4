"""Options of units and casters for the computer player: moves, attacks and spells, each with its worth."""

from __future__ import annotations

from itertools import repeat
from math import inf
from typing import NamedTuple

from rules.hexbattle.field import Token
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.combat.engagement import range_of, reaches, shot_of, why_not_melee
from rules.thucidide_fantasy.battle.combat.melee import fires
from rules.thucidide_fantasy.battle.factors import (
    MELEE,
    RIPOSTE,
    SHOT,
    AimedBlow,
    bare_throw,
    heroes_with,
    more_dice,
    throw_at,
)
from rules.thucidide_fantasy.battle.marching_orders import binds, why_not_end, why_not_stay
from rules.thucidide_fantasy.battle.paces import SLOWNESS, all_to_enemies, pace_of, reach_of, to_enemies
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import (
    backed,
    enemies,
    flies,
    foe_hexes,
    foes,
    foes_beside,
    gaps,
    is_hero,
    supported,
    under,
)
from rules.thucidide_fantasy.battle.spells.aiming import named, why_not_aim
from rules.thucidide_fantasy.battle.spells.spell_effects import known_spells
from rules.thucidide_fantasy.battle.throws import Throw, mean_losses
from rules.thucidide_fantasy.grimoire import BLOWS, DICE, FLAGS, HEALING, SPELL_SHOT, TRAIT
from rules.thucidide_fantasy.spec import ARTILLERY, CHAIN, ELEMENT, FREE_HEX, HEX

# Values of attacks and places for the computer player: expected losses, less those from ripostes.

FLAG_WORTH, KILL_WORTH, RIPOSTE_FEAR, DRIVES_OFF = 0.15, 1.2, 0.6, 0.6


def stands_left(state: FantasyState, piece: str) -> int:
    return state.units[piece].stands if piece in state.units else state.people[piece].left


def worth_of(state: FantasyState, made: Throw) -> float:
    """The expected losses of a throw, with a bonus for flags and for destroying the target."""
    stands = stands_left(state, made.at)
    mean = mean_losses(made.dice, made.hits, made.confirms, stands)
    found = mean + FLAG_WORTH * made.dice * len(made.flags) / 6 * 2
    return found + KILL_WORTH * mean / stands if stands else found


def melee_worth(state: FantasyState, piece: str, foe: Token, source: str, *, assault: bool) -> float:
    """The value of a melee from a hex, less the value of the enemy's riposte."""
    if foe.character and not is_hero(state, foe.id):
        return DRIVES_OFF
    heroes = tuple(heroes_with(state, piece)) if piece in state.units else ()
    made, _lines = throw_at(state, AimedBlow(piece, foe.id, MELEE, source, foe.at, assault, heroes), "attack")
    found = worth_of(state, made)
    if backed(state, foe.id) or (flies(state, piece) and not flies(state, foe.id)):
        back, _lines = throw_at(state, AimedBlow(foe.id, piece, RIPOSTE, foe.at, source), "riposte")
        found -= RIPOSTE_FEAR * worth_of(state, back)
    return found


def shot_worth(state: FantasyState, piece: str, foe: Token) -> float:
    """The value of a shot at an enemy."""
    made, _lines = throw_at(state, shot_of(state, piece, foe), SHOT, fire=fires(state, piece))
    return worth_of(state, made)


def nearest(state: FantasyState, at: str, side: int) -> int:
    """The distance from a hex to the nearest threatening enemy."""
    return gaps(state, side).get(at, 0)


# Spells of the computer player: what a caster would cast on whom, and how good that is.

RAISING = {"dust-warriors": 1, "animate-dead": 1, "army-of-the-dead": 4}
HEXES = (HEX, FREE_HEX, ELEMENT, CHAIN)
LEAST = 0.25


class Wish(NamedTuple):
    """A spell with its targets and its estimated value."""

    spell: str
    targets: tuple[str, ...]
    score: float


def wish_of(state: FantasyState, caster: str) -> Wish | None:
    """The best spell of a caster now; None if none is worth casting."""
    best: Wish | None = None
    for slug in known_spells(state, caster):
        if state.options.spells[slug].on in HEXES and slug not in RAISING:
            continue  # among spells on hexes, only summoning is considered
        for targets in named(state, caster, slug):
            score = spell_worth(state, caster, slug, targets)
            if score <= LEAST or (best is not None and score <= best.score):
                continue
            if why_not_aim(state, caster, slug, targets) is None:
                best = Wish(slug, targets, score)
    return best


def spell_worth(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> float:
    """The estimated value of a spell on these targets; 0 if it is useless."""
    spell = state.options.spells[slug]
    effect, side = spell.effect or slug, state.side_of(caster)
    first = targets[0] if targets else ""
    if slug in RAISING:
        return 1.5 * RAISING[slug] - 0.1 * nearest(state, first, side)
    if first not in state.field.tokens:
        return 0.0
    token = state.token(first)
    foe = token.side != side
    if effect == SPELL_SHOT:
        if not foe:
            return 0.0
        made = bare_throw(state, "spell", caster, first, spell.shot, ranged=True, fire=spell.fire, letters=False)
        return spell.times * worth_of(state, made)
    if effect == BLOWS:
        return 0.35 * spell.dice * (foes_beside(state, token.at, token.side) > 0) if foe else 0.0
    if effect == HEALING:
        own = state.units.get(first)
        mean = spell.dice * (2 if spell.advantages else 1) / 6
        return 1.2 * min(mean, own.start - own.stands) if own and not foe else 0.0
    return _of_a_while(state, effect, first, foe)


def _of_a_while(state: FantasyState, effect: str, piece: str, foe: bool) -> float:
    """The value of a temporary effect on a unit; 0 if it isn't near the enemy."""
    token = state.token(piece)
    near = any(apart(token.at, other.at) <= 2 for other in foes(state, token.side))
    if not near or under(state, piece, effect):
        return 0.0
    if effect == SLOWNESS:
        return 0.6 if foe else 0.0
    if effect in (TRAIT, DICE, FLAGS):
        return 0.0 if foe else 0.5
    return 0.0


# Moves of the computer player: where a unit goes, considering its attacks from there.

NEARER, EXPOSED, SHELTERED, SUPPORT = 0.12, 0.08, 0.1, 0.15
KEEPS_OFF = 0.5
NOWHERE = 60
SPELL_RANGE = 3
SHELTERS = frozenset({"wood", "houses"})


class Plan(NamedTuple):
    """A destination and its estimated value."""

    at: str
    score: float


def plan_of(state: FantasyState, unit: str) -> Plan:
    """The best hex for an activated unit: the one with the best attack, or else nearer to the enemy."""
    token, pace = state.token(unit), pace_of(state, unit)
    found = reach_of(state, unit)
    allowed = found
    if binds(state, unit):
        allowed = {at: cost for at, cost in found.items() if why_not_end(state, unit, at, cost) is None}
    if why_not_stay(state, unit) is not None:
        allowed.pop(token.at, None)
    best = Plan(token.at, -inf if len(allowed) > 1 else 0.0)
    for at, score in _attacks(state, unit, token, allowed, pace.fighting):
        if score > best.score:
            best = Plan(at, score)
    if best.score > 0:
        return best
    return _approach(state, unit, token, allowed)


def _attacks(
    state: FantasyState, unit: str, token: Token, allowed: dict[str, int], fighting: int
) -> list[tuple[str, float]]:
    """The hexes from which the unit could attack this turn, each with the value of its best attack."""
    found: list[tuple[str, float]] = []
    near = {at: cost for at, cost in allowed.items() if cost <= fighting}  # in reading order, which a set wouldn't keep
    around = state.field.ground.around
    for foe in enemies(state, token.side):
        if apart(foe.at, token.at) > fighting + 1:
            continue
        places = [at for at in around(foe.at) if at in near]
        if not places or why_not_melee(state, unit, foe, places[0]) is not None:
            continue
        assaults = apart(token.at, foe.at) > 1
        score = melee_worth(state, unit, foe, places[0], assault=assaults)
        for at in places:
            found.append((at, score - EXPOSED * (foes_beside(state, at, token.side) - 1)))
    found += _shots(state, unit, token, near)
    return found


def _shots(state: FantasyState, unit: str, token: Token, near: dict[str, int]) -> list[tuple[str, float]]:
    far = range_of(state, unit)
    if not far:
        return []
    gun = state.units[unit].own.kind == ARTILLERY
    touched = state.field.ground.beside(foe_hexes(state, token.side))
    places = [at for at in near if at not in touched and (not gun or at == token.at)]
    farthest = far + pace_of(state, unit).fighting
    found = []
    for foe in foes(state, token.side):
        if apart(foe.at, token.at) > farthest or (foe.character and state.unit_at(foe.at)):
            continue
        within = state.field.ground.within(foe.at, far)
        fits = [at for at in places if at in within and reaches(state, unit, far, at, foe)]
        fits = [at for at in fits if state.field.ground.sees(at, foe.at)]
        if fits:
            score = shot_worth(state, unit, foe)
            found += [(at, score + 0.02 * apart(at, foe.at)) for at in fits]
    return found


def _approach(state: FantasyState, unit: str, token: Token, allowed: dict[str, int]) -> Plan:
    """The best hex for approaching the enemy without being isolated among them."""
    best = Plan(token.at, -float(NOWHERE))
    shoots, gaps_ = range_of(state, unit) > 0, all_to_enemies(state, unit)
    for at in allowed:
        gap = min(gaps_.get(at, NOWHERE), NOWHERE)
        score = -NEARER * gap
        if gap <= 1:
            score -= KEEPS_OFF * (2 if shoots else 1)
        if state.field.ground.terrain(at).slug in SHELTERS:
            score += SHELTERED * (gap < 3)
        if at == token.at:
            score -= 0.01
        if score > best.score:
            best = Plan(at, score)
    return best


def promise(state: FantasyState, unit: str) -> float:
    """A rough estimate of how useful it is to activate a unit: by its targets, or else its distance to the enemy."""
    token, own = state.token(unit), state.units[unit].own
    pace = pace_of(state, unit)
    far = range_of(state, unit)
    best, more = 0.0, more_dice(own)
    gap = min(to_enemies(state, unit, token.at), NOWHERE)
    for foe in foes(state, token.side) if far or gap <= pace.fighting + 1 else ():
        away = apart(token.at, foe.at)
        if gap <= pace.fighting + 1 and away <= pace.fighting + 1:
            dice = own.assault if away > 1 else own.melee
            best = max(best, dice + more + 0.3 * supported(state, unit))
        elif far and away <= far + pace.fighting:
            best = max(best, own.shot + more + 0.5)
    return 1.0 + best if best > 0 else 0.9 - 0.03 * gap + 0.01 * own.assault


def follows(state: FantasyState, person: str) -> str:
    """The hex where a leader is near the front but not beside the enemy."""
    token = state.token(person)
    units = [state.at(unit) for unit in state.units_of(token.side)]
    if not units:
        return token.at
    found, near = reach_of(state, person), gaps(state, token.side)

    def worth(at: str) -> float:
        gap = near.get(at, 0)
        spread = sum(map(apart, units, repeat(at))) / len(units)
        return -spread - (3.0 if gap <= 1 else 1.0 if gap == 2 else 0.0) + 0.05 * (at == token.at)

    return max(found, key=worth)


def stalks(state: FantasyState, caster: str) -> str:
    """The hex from which a caster's spells reach the enemy, with a unit if possible."""
    token = state.token(caster)
    near = gaps(state, token.side)

    def worth(at: str) -> float:
        gap = near.get(at, 0)
        away = -3.0 if gap <= 1 else -abs(gap - SPELL_RANGE)
        return away + 0.4 * bool(state.unit_at(at) and gap >= 2) + 0.05 * (at == token.at)

    return max(reach_of(state, caster), key=worth)

"""Queries on the state of a battle: enemies, sight, neighbours, support, and effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rules.core.frozen_copy import remembered
from rules.hexbattle.common import ALL
from rules.hexbattle.field import Field, Token
from rules.hexbattle.ground import BattleGround, Timer, apart, by_hex, overlays
from rules.hexbattle.seeing import own_side
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.spec import COUNT, INFANTRY, UNDEAD, BorneTrait

FLYER, HOUSES = "flyer", "houses"
SUPPORTERS = 2
LIT, DIVINE_BELL, PARALYSED, DOUBLE_FLAGS, NO_FLAGS = "lit", "divine-bell", "angry", "double-flags", "no-flags"
"""Effects that aren't spells: fire, and results of gods."""
GROVE, SHACKLES, DARKNESS, ALLIED_NATURE = "grove", "shackles", "darkness", "allied-nature"
GROVES_KEPT = 8


# Effects


@remembered
def effects(state: FantasyState) -> Mapping[str, tuple[Timer, ...]]:
    """The effects on each unit, character and hex."""
    return by_hex(state.field.timers) if state.field.timers else {}


def under(state: FantasyState, what: str, effect: str) -> Timer | None:
    """The effect with this slug on a unit, character or hex; None if there is none."""
    if not state.field.timers:
        return None
    return next((timer for timer in effects(state).get(what, ()) if timer.effect == effect), None)


@remembered
def gifts(state: FantasyState, piece: str) -> frozenset[str]:
    """The traits that spells give a unit or character."""
    spells = state.options.spells
    running = (spells.get(timer.effect) for timer in effects(state).get(piece, ()))
    return frozenset(spell.trait for spell in running if spell and spell.trait)


def bears(state: FantasyState, piece: str, trait: str) -> bool:
    """Whether a unit or character has a trait, of its own or from a spell."""
    traits = (state.units if piece in state.units else state.people)[piece].own.traits
    if traits and trait in slugs_of(traits):
        return True
    return bool(state.field.timers) and trait in gifts(state, piece)


@lru_cache(maxsize=1 << 10)
def slugs_of(traits: tuple[BorneTrait, ...]) -> frozenset[str]:
    return frozenset(one.trait for one in traits)


# Ground


def terrain_at(state: FantasyState, at: str) -> str:
    """The slug of the painted terrain on a hex.

    Temporary mire and fire don't remove what stands there (HX-2.4), and a grove only looks like a wood: it neither
    shelters nor burns.
    """
    return state.field.ground.painted[at].slug


def ground_known(state: FantasyState, side: int) -> BattleGround:
    """The ground as a side knows it: its own groves aren't woods to it (TF-6.3, HX-5.4)."""
    ground, tokens, timers = state.field.ground, state.field.tokens, state.field.timers
    if not timers:
        return ground
    kept = [timer for timer in timers if timer.effect != GROVE or not _is_of(timer, tokens, side)]
    if len(kept) == len(timers):
        return ground
    laid = overlays(kept)
    return ground.kept("known", frozenset(laid.items()), lambda: ground.laid(laid), GROVES_KEPT)


def _is_of(timer: Timer, tokens: Mapping[str, Token], side: int) -> bool:
    return any(unit in tokens and tokens[unit].side == side for unit in timer.on)


# Kinds of units and characters


def flies_itself(state: FantasyState, piece: str) -> bool:
    """Whether a unit or character flies by itself; those carried by a flyer don't (T-47)."""
    own = (state.units if piece in state.units else state.people)[piece].own
    return bool(own.traits) and FLYER in slugs_of(own.traits)


def flies(state: FantasyState, piece: str) -> bool:
    """Whether the piece flies: a flying unit, a hero flying alone, or a character with a flying unit (T-47)."""
    unit = piece if piece in state.units else state.with_unit_of(piece) if state.at(piece) else ""
    traits = state.units[unit].own.traits if unit else state.people[piece].own.traits
    return bool(traits) and FLYER in slugs_of(traits)


def is_undead(state: FantasyState, piece: str) -> bool:
    unit = state.units.get(piece)
    return unit is not None and bool(unit.own.traits) and UNDEAD in slugs_of(unit.own.traits)


def is_hero(state: FantasyState, piece: str) -> bool:
    """Whether a character counts as a hero, also if they have another role (T-48)."""
    return piece in state.people and state.people[piece].own.hero


def alone(state: FantasyState, person: str) -> bool:
    """Whether a character is with no unit."""
    return not state.with_unit_of(person)


def threatens(state: FantasyState, piece: str) -> bool:
    """Whether the piece threatens enemies: a unit or a hero; other characters don't (T-48)."""
    return piece in state.units or is_hero(state, piece)


def in_grove(state: FantasyState, piece: str) -> bool:
    token = state.field.tokens[piece]
    return token.hidden


# Sides


def who_sees(state: FantasyState, what: str) -> tuple[bool, ...]:
    """Visibility of events that concern a unit or hex, one bool per side; in a grove only the unit's own side sees them
    (T-70).
    """
    token = state.field.tokens.get(what)
    return own_side(token) if token is not None and what in hidden_from(state, 1 - token.side) else ALL


def unseen_in(field: Field, side: int) -> frozenset[str]:
    """The enemies in groves, with the characters beside them; only their own side sees them (T-16, T-70)."""
    hidden = {token.at for token in field.tokens.values() if token.hidden and token.standing and token.side != side}
    if not hidden:
        return frozenset()
    return frozenset(token.id for token in field.tokens.values() if token.side != side and token.at in hidden)


@remembered
def hidden_from(state: FantasyState, side: int) -> frozenset[str]:
    """The enemies a side doesn't see now."""
    return unseen_in(state.field, side)


@remembered
def enemies(state: FantasyState, side: int) -> tuple[Token, ...]:
    """The visible enemies of a side on the map, characters included."""
    hidden = hidden_from(state, side)
    return tuple(
        token for token in state.field.tokens.values()
        if token.side != side and token.standing and token.id not in hidden
    )  # fmt: skip


@remembered
def foes(state: FantasyState, side: int) -> tuple[Token, ...]:
    """The visible enemies of a side that threaten: units and heroes (T-48)."""
    return tuple(token for token in enemies(state, side) if threatens(state, token.id))


@remembered
def gaps(state: FantasyState, side: int) -> Mapping[str, int]:
    """The straight-line distance from every hex to the nearest threatening enemy."""
    ground, places = state.field.ground, frozenset(token.at for token in foes(state, side))
    return ground.kept("gaps", places, lambda: _spread(ground, places), 32)


def _spread(ground: BattleGround, places: frozenset[str]) -> Mapping[str, int]:
    found, ring, far = dict.fromkeys(places, 0), places, 0
    while ring:
        far += 1
        ring = ground.beside(ring) - found.keys()
        found.update(dict.fromkeys(ring, far))
    return found


@remembered
def foe_hexes(state: FantasyState, side: int) -> Mapping[str, tuple[str, ...]]:
    """The threatening enemies of a side by hex."""
    found: dict[str, tuple[str, ...]] = {}
    for token in foes(state, side):
        found[token.at] = (*found.get(token.at, ()), token.id)
    return found


def foes_beside(state: FantasyState, at: str, side: int) -> int:
    """The number of threatening enemies of a side next to a hex."""
    places = foe_hexes(state, side)
    return sum(len(places[near]) for near in state.field.ground.around(at) if near in places)


def foe_beside(state: FantasyState, piece: str) -> bool:
    """Whether an enemy is beside a unit or character, which matters for casting and fleeing (T-8, T-48).

    Flyers count as beside units on the ground unless a house rule says otherwise (T-21).
    """
    token = state.token(piece)
    places = foe_hexes(state, token.side)
    found = [foe for near in state.field.ground.around(token.at) for foe in places.get(near, ())]
    if state.options.flyers_beside == COUNT:
        return bool(found)
    own = flies(state, piece)
    return any(flies(state, foe) == own for foe in found)


# Support (TF-1.10)


@remembered
def supported(state: FantasyState, piece: str) -> bool:
    """Whether a unit is next to two friendly ones at its height; phantoms and units in groves don't count (T-15,
    T-70).
    """
    token = state.token(piece)
    own, high = 0, flies(state, piece)
    for near in state.field.ground.around(token.at):
        unit = state.unit_at(near)
        if not unit or unit == piece:
            continue
        other = state.field.tokens[unit]
        if other.side == token.side and not other.hidden and not state.units[unit].false:
            own += flies(state, unit) == high
    return own >= SUPPORTERS


def holds_house(state: FantasyState, piece: str) -> bool:
    """Whether infantry stands in houses, which counts as support when it is attacked (T-95)."""
    if piece not in state.units or state.units[piece].own.kind != INFANTRY or flies(state, piece):
        return False
    return terrain_at(state, state.at(piece)) == HOUSES


def backed(state: FantasyState, piece: str) -> bool:
    """Whether a unit counts as supported when it is attacked."""
    return supported(state, piece) or holds_house(state, piece)


# Auras (TF-3)


def aura_near(state: FantasyState, at: str, side: int, trait: str, far: int, *, but: str = "") -> bool:
    """Whether a unit or character of a side with this aura is within `far` hexes. `but`: the bearer to leave out, since
    an aura doesn't affect its bearer.
    """
    return any(token.id != but and apart(token.at, at) <= far for token in bearers(state, side, trait))


@remembered
def bearers(state: FantasyState, side: int, trait: str) -> tuple[Token, ...]:
    """The units and characters of a side on the map with this trait."""
    tokens = state.field.tokens
    found: Iterator[str] = (*state.units, *state.people)  # type: ignore[assignment]
    own = (tokens[piece] for piece in found if piece in tokens and tokens[piece].side == side)
    hidden = hidden_from(state, 1 - side)
    return tuple(token for token in own if token.standing and token.id not in hidden and bears(state, token.id, trait))


# Masters


def is_led(state: FantasyState, unit: str) -> bool:
    """Whether a unit is undead bound to a master; turned undead have none (TF-5.3)."""
    return is_undead(state, unit) and not state.units[unit].turner


def within_leash(state: FantasyState, unit: str, at: str, leash: int) -> bool:
    """Whether an undead unit on this hex is within `leash` hexes of its master, who must be on the map."""
    master = state.units[unit].master
    token = state.field.tokens.get(master)
    return token is not None and token.standing and apart(token.at, at) <= leash

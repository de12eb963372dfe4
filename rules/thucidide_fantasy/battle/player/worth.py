"""Values of attacks and places for the computer player: expected losses, less those from ripostes."""

from __future__ import annotations

from rules.hexbattle.tokens import Token
from rules.thucidide_fantasy.battle.combat.engagement import shot_of
from rules.thucidide_fantasy.battle.combat.melee import fires
from rules.thucidide_fantasy.battle.factors import MELEE, RIPOSTE, SHOT, AimedBlow, heroes_with, throw_at
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import backed, flies, gaps, is_hero
from rules.thucidide_fantasy.battle.throws import Throw, mean_losses

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

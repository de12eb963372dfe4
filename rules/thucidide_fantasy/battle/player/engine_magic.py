"""Spells of the computer player: what a caster would cast on whom, and how good that is."""

from __future__ import annotations

from typing import NamedTuple

from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.factors import bare_throw
from rules.thucidide_fantasy.battle.paces import SLOWNESS
from rules.thucidide_fantasy.battle.player.worth import nearest, worth_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import foes, foes_beside, under
from rules.thucidide_fantasy.battle.spells.aiming import named, why_not_aim
from rules.thucidide_fantasy.battle.spells.casting import known_spells
from rules.thucidide_fantasy.grimoire import BLOWS, DICE, FLAGS, HEALING, SHOT, TRAIT
from rules.thucidide_fantasy.spec import CHAIN, ELEMENT, FREE_HEX, HEX

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
            continue  # of spells on hexes, only summoning is considered
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
    if effect == SHOT:
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

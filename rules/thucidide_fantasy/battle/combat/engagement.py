"""Engagement rules: permitted targets of melee and shooting, fanatics that must attack, and the reasons for a refusal
(TF-1.8, 1.11, 1.15, 2.5, T-29).
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.text import Said, _
from rules.hexbattle.field import Token
from rules.hexbattle.ground import apart, hex_of
from rules.hexbattle.moving import steps_of
from rules.hexes.geometry import edge
from rules.hexes.paths import sees
from rules.thucidide_fantasy.battle.combat.retreat import has_temper, is_fanatic
from rules.thucidide_fantasy.battle.factors import SHOT, AimedBlow, heroes_with
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, footing_ground
from rules.thucidide_fantasy.battle.record.state import FIGHTING_PHASE, FantasyState
from rules.thucidide_fantasy.battle.situation import (
    DARKNESS,
    DIVINE_BELL,
    bears,
    enemies,
    flies,
    is_hero,
    threatens,
    under,
)
from rules.thucidide_fantasy.spec import ARTILLERY, FLEEING

# Engagement rules: who may start a melee or shoot at whom, and why not (TF-1.8, 1.11, 1.15, 2.5).

UP_MOST, DOWN_MOST = 2, 3
FINE_WEAPONS = "fine-weapons"
NOT_YOURS = _("It isn’t this unit’s turn.")
NOT_NOW = _("You can only fight in the combat phase.")
NOT_ACTIVATED = _("This unit isn’t activated this turn.")
HAS_FOUGHT = _("This unit has already fought this turn.")
MOVED_FAR = _("This unit moved too far to fight this turn.")
CARRIES = _("Units that carried or were carried don’t fight this turn.")
ONLY_TURNED = _("This unit is turned against its own side and only attacks in the spell phase.")
IS_FLEEING = _("A fleeing unit can’t start a melee.")
NO_FIGHTER = _("This character can’t fight.")
ON_FLYER = _("Ground units can’t start a melee with a flyer.")
TOO_FAR = _("The target isn’t next to the unit.")
WALLED = _("A wall stands between them.")
UNDER_BELL = _("A god’s bell protects this hex.")
HERO_FIRST = _("A lone hero has to fight an adjacent hero first.")
NO_SHOT = _("This unit can’t shoot.")
OUT_OF_RANGE = _("The target is out of range.")
NO_SIGHT = _("The target is out of sight.")
TOO_NEAR = _("Adjacent units on the same level can’t shoot at each other.")
GUN_MOVED = _("Artillery that moved this turn can’t shoot.")
WITH_A_UNIT = _("Attack the unit this character is with.")
ONLY_CONTACT = _("Can’t shoot this character: only contact drives them off.")


def why_not_open(state: FantasyState, piece: str) -> Said | None:
    """Why a unit or character can't start any combat now; None if it can."""
    token, doing = state.token(piece), state.doing(piece)
    if state.phase != FIGHTING_PHASE:
        return NOT_NOW
    if token.side != state.side or not token.standing:
        return NOT_YOURS
    if piece in state.units and state.units[piece].turner:
        return ONLY_TURNED
    if piece in state.people and not (is_hero(state, piece) and state.with_unit_of(piece) == ""):
        return NO_FIGHTER
    if not doing.activated:
        return NOT_ACTIVATED
    if doing.fought:
        return HAS_FOUGHT
    if doing.far:
        return MOVED_FAR
    if doing.carried:
        return CARRIES
    return UNDER_BELL if under(state, token.at, DIVINE_BELL) else None


# Melee


def why_not_melee(state: FantasyState, piece: str, target: Token, source: str) -> Said | None:
    """Why a unit or character on `source` can't attack this enemy in melee, whoever's turn it is; None if it can."""
    if piece in state.units and has_temper(state, piece, FLEEING) and not is_fanatic(state, piece):
        return IS_FLEEING
    return why_no_contact(state, piece, target, source) or _hero_first(state, piece, target, source)


def why_no_contact(state: FantasyState, piece: str, target: Token, source: str) -> Said | None:
    """Why a melee isn't possible from a hex because of distance, height, walls or bells; None if it is."""
    if apart(source, target.at) != 1:
        return TOO_FAR
    if target.character and state.unit_at(target.at):
        return WITH_A_UNIT
    high = flies(state, piece)
    if not high and flies(state, target.id):
        return ON_FLYER
    if under(state, target.at, DIVINE_BELL):
        return UNDER_BELL
    return WALLED if not high and is_walled(state, source, target.at) else None


def is_walled(state: FantasyState, one: str, other: str) -> bool:
    """Whether a wall stands between two hexes (T-69)."""
    edges = state.field.ground.land.edges
    return bool(edges) and edges.get(edge(hex_of(one), hex_of(other))) == "wall"


def _hero_first(state: FantasyState, piece: str, target: Token, source: str) -> Said | None:
    """A lone hero beside an enemy hero, or beside a unit with one, can't attack anyone else (T-27)."""
    if piece in state.units or has_hero(state, target.id):
        return None
    others = (foe for foe in enemies(state, state.side_of(piece)) if apart(foe.at, source) == 1)
    rivals = (foe for foe in others if foe.id != target.id and has_hero(state, foe.id))
    found = next((foe for foe in rivals if why_no_contact(state, piece, foe, source) is None), None)
    return HERO_FIRST if found else None


def has_hero(state: FantasyState, piece: str) -> bool:
    """Whether the piece is a hero, or a unit with a hero."""
    return is_hero(state, piece) or bool(heroes_with(state, piece))


def melee_targets(state: FantasyState, piece: str, source: str) -> Iterator[Token]:
    """The enemies a unit or character on `source` could attack in melee."""
    for foe in enemies(state, state.side_of(piece)):
        if apart(foe.at, source) == 1 and why_not_melee(state, piece, foe, source) is None:
            yield foe


# Shots


def range_of(state: FantasyState, piece: str) -> int:
    """The range of its shots in hexes, 0 if it has none (TF-1.14, TF-3)."""
    own = state.units[piece].own if piece in state.units else state.people[piece].own
    return own.range + bears(state, piece, FINE_WEAPONS) if own.shot else 0


def reaches(state: FantasyState, piece: str, far: int, source: str, target: Token) -> bool:
    """Whether a range reaches an enemy from a hex, with the effects of hills and flight (TF-1.5, 2.5, T-38)."""
    own, other = flies(state, piece), flies(state, target.id)
    if other and not own:
        far = min(far - 1, UP_MOST)
    elif own and not other:
        far = min(far, DOWN_MOST)
    elif not own:
        up = state.field.ground.height(target.at) - state.field.ground.height(source)
        far = min(far, UP_MOST) if up > 0 else min(far, DOWN_MOST) if up < 0 else far
    return 1 <= apart(source, target.at) <= far


def in_sight(state: FantasyState, source: str, place: str, high: tuple[bool, bool]) -> bool:
    """Whether the line of sight between two hexes is free; darkness hides everything but adjacent hexes (TF-6.3)."""
    ground = state.field.ground
    dark = frozenset(at for timer in state.field.timers if timer.effect == DARKNESS for at in timer.on)
    if not dark:
        return ground.sees(source, place, flying=high)
    if source in dark or place in dark:
        return apart(source, place) <= 1
    nights = frozenset(map(hex_of, dark))
    return sees(ground.field, hex_of(source), hex_of(place), flying=high, blocks=nights.__contains__)


def why_not_shoot(state: FantasyState, piece: str, target: Token, source: str) -> Said | None:
    """Why a unit or character on `source` can't shoot at this enemy, apart from whose turn it is; None if it can."""
    far = range_of(state, piece)
    if not far:
        return NO_SHOT
    if piece in state.units and state.units[piece].own.kind == ARTILLERY and state.doing(piece).stirred:
        return GUN_MOVED
    if target.character and state.unit_at(target.at):
        return WITH_A_UNIT
    if not threatens(state, target.id):
        return ONLY_CONTACT
    own, other = flies(state, piece), flies(state, target.id)
    if apart(source, target.at) == 1 and own == other:
        return TOO_NEAR
    if not reaches(state, piece, far, source, target):
        return OUT_OF_RANGE
    if under(state, target.at, DIVINE_BELL):
        return UNDER_BELL
    return None if in_sight(state, source, target.at, (own, other)) else NO_SIGHT


def shot_targets(state: FantasyState, piece: str, source: str) -> Iterator[Token]:
    """The enemies a unit or character on `source` could shoot at."""
    far = range_of(state, piece)
    if not far:
        return
    for foe in enemies(state, state.side_of(piece)):
        if apart(foe.at, source) <= far and why_not_shoot(state, piece, foe, source) is None:
            yield foe


def shooting_heroes(state: FantasyState, unit: str, target: Token) -> tuple[str, ...]:
    """The heroes with a unit who shoot too, because the target is in their own range (T-58)."""
    at = state.at(unit)
    found = heroes_with(state, unit)
    return tuple(one for one in found if (far := range_of(state, one)) and reaches(state, unit, far, at, target))


def shot_of(state: FantasyState, piece: str, target: Token) -> AimedBlow:
    """The shot at a target, with the heroes who join it."""
    return AimedBlow(piece, target.id, SHOT, state.at(piece), target.at, heroes=shooting_heroes(state, piece, target))


# Entering a hex


def may_enter(state: FantasyState, piece: str, source: str, at: str) -> bool:
    """Whether the ground lets a unit or character move from a hex to its neighbour."""
    if flies(state, piece):
        return True
    ground = footing_ground(state, state.side_of(piece))
    return steps_of(ground, FREE_FOOT).price(ground.numbers[source], ground.numbers[at]) != 0


# Fanatics in combat: which units must attack before the phase ends, and how (T-29).


def must_fight(state: FantasyState, unit: str) -> bool:
    """Whether a unit must attack: an activated fanatic that can attack somebody."""
    doing, token = state.doing(unit), state.token(unit)
    if state.phase != FIGHTING_PHASE or not doing.activated or doing.fought or not token.standing:
        return False
    if not is_fanatic(state, unit) or why_not_open(state, unit) is not None:
        return False
    return next(melee_targets(state, unit, token.at), None) is not None or can_shoot(state, unit)


def can_shoot(state: FantasyState, unit: str) -> bool:
    return next(shot_targets(state, unit, state.at(unit)), None) is not None


def prefers_blade(state: FantasyState, unit: str) -> bool:
    """Whether a forced attack must be a melee (T-29)."""
    return next(melee_targets(state, unit, state.at(unit)), None) is not None

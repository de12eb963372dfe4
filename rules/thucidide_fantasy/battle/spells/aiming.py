"""Targets of spells (TF-6.3, T-98): which are valid, within the spell's range, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations

from rules.core.text import Said, _
from rules.hexbattle.common import DESTROYED
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.paces import is_passable
from rules.thucidide_fantasy.battle.record.fold import CRUMBLED
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import (
    DIVINE_BELL,
    alone,
    effects,
    flies_itself,
    hidden_from,
    is_hero,
    is_undead,
    terrain_at,
    under,
    within_leash,
)
from rules.thucidide_fantasy.battle.undead import prey_of
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.spec import (
    CHAIN,
    ELEMENT,
    ENEMY,
    ENEMY_OR_HEX,
    ENEMY_UNDEAD,
    FREE_HEX,
    FRIEND,
    GRAVE,
    HEX,
    NOTHING,
    UNDEAD,
    UNIT,
    UNIT_OR_HEX,
    SpellFigures,
)

CHAIN_LENGTH, ELEMENT_MOST = 4, 7
PHANTOM, ANIMATE, TURN, APPEAL, FAREWELL = "phantom-troop", "animate-dead", "turn", "divine-appeal", "farewell"
WOOD = "wood"
NO_ELEMENT = frozenset({"open", "road", "bridge"})
TOO_FAR = _("The target is too far from the caster.")
WRONG = _("This isn’t a valid target for this spell.")
NOT_EMPTY = _("The hex isn’t empty. Choose another.")
UNDER_BELL = _("A god’s bell protects this hex.")
NO_GRAVE = _("No unit that could return was destroyed on this hex.")
NO_CHAIN = _("Choose four empty hexes, each next to the one before.")
NO_PATCH = _("Choose up to 7 adjacent hexes of the same terrain, other than open ground or roads.")
NO_TYPE = _("Choose a unit type of this army that doesn’t shoot and isn’t undead.")
NO_EFFECT = _("Choose a spell that is active there.")
NO_PREY = _("These undead have no target in reach.")
NO_ROOM = _("No free hex is left for this unit.")


def spell_of(state: FantasyState, slug: str) -> SpellFigures:
    return state.options.spells[slug]


def why_not_aim(state: FantasyState, caster: str, slug: str, targets: Sequence[str]) -> Said | None:
    """Why these aren't valid targets of a caster's spell; None if they are."""
    spell = spell_of(state, slug)
    if spell.on == NOTHING:
        return WRONG if targets else None
    if not targets:
        return WRONG
    return CHECKS[spell.on](state, caster, slug, tuple(targets))


# Units, characters and hexes


def _far(state: FantasyState, caster: str, slug: str, at: str) -> bool:
    return apart(state.at(caster), at) > spell_of(state, slug).range


def _known(state: FantasyState, caster: str, piece: str) -> bool:
    """Whether a target is on the map and visible to the caster's side."""
    token = state.field.tokens.get(piece)
    return token is not None and token.standing and piece not in hidden_from(state, state.side_of(caster))


def _piece(state: FantasyState, caster: str, slug: str, piece: str) -> Said | None:
    if not _known(state, caster, piece):
        return WRONG
    at = state.at(piece)
    if under(state, at, DIVINE_BELL):
        return UNDER_BELL
    return TOO_FAR if _far(state, caster, slug, at) else None


def _friend(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    piece, spell = targets[0], spell_of(state, slug)
    if not _known(state, caster, piece) or state.side_of(piece) != state.side_of(caster) or len(targets) > 1:
        return WRONG
    if piece in state.people and not spell.character:
        return WRONG
    return _piece(state, caster, slug, piece)


def _enemy(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    piece, spell = targets[0], spell_of(state, slug)
    if not _known(state, caster, piece) or state.side_of(piece) == state.side_of(caster) or len(targets) > 1:
        return WRONG
    if piece in state.people and not (spell.character and (is_hero(state, piece) or alone(state, piece))):
        return WRONG
    return _piece(state, caster, slug, piece)


def _unit(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    piece = targets[0]
    if piece not in state.units or len(targets) > 1:
        return WRONG
    if slug == FAREWELL and not home_hex(state, piece, state.side_of(caster)):
        return NO_ROOM
    return _piece(state, caster, slug, piece)


def _hex(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    if targets[0] not in state.field.ground or len(targets) > 1:
        return WRONG
    if under(state, targets[0], DIVINE_BELL):
        return UNDER_BELL
    return TOO_FAR if _far(state, caster, slug, targets[0]) else None


def _enemy_or_hex(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    check = _hex if targets[0] in state.field.ground else _enemy
    return check(state, caster, slug, targets)


def looks_empty(state: FantasyState, at: str, side: int, *, high: bool = False) -> bool:
    """Whether a hex looks empty to a side and could bear one of its units, on foot or (`high`) in flight (T-12)."""
    return _nobody_seen(state, at, side) and is_passable(state, side, at, high)


def _nobody_seen(state: FantasyState, at: str, side: int) -> bool:
    hidden = hidden_from(state, side)
    return all(token.id in hidden for token in state.field.at(at))


def _free_hex(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    if why := _hex(state, caster, slug, targets[:1]):
        return why
    high = False
    if slug == PHANTOM:
        like = phantom_types(state, caster).get(targets[1]) if len(targets) == 2 else None
        if like is None:
            return NO_TYPE
        high = flies_itself(state, like)
    elif len(targets) > 1:
        return WRONG
    return None if looks_empty(state, targets[0], state.side_of(caster), high=high) else NOT_EMPTY


def phantom_types(state: FantasyState, caster: str) -> Mapping[str, str]:
    """The possible types of a phantom, each with a unit of it (T-31): the caster's army's, no shooters, no undead."""
    army = state.token(caster).army
    own = (unit for unit in state.units if state.field.tokens[unit].army == army and not state.units[unit].summoned)
    figures = ((unit, state.units[unit].own) for unit in own)
    return {one.type: unit for unit, one in figures if not one.shot and not one.has(UNDEAD)}


def _chain(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    if len(set(targets)) != CHAIN_LENGTH or len(targets) != CHAIN_LENGTH:
        return NO_CHAIN
    for place, at in enumerate(targets):
        if why := _free_hex(state, caster, slug, (at,)):
            return why
        if place and apart(at, targets[place - 1]) != 1:
            return NO_CHAIN
    return None


def _grave(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    if why := _free_hex(state, caster, slug, targets[:1]):
        return why
    if len(targets) != 2 or (targets[0], targets[1]) not in tuple(graves(state)):
        return NO_GRAVE
    return None


def graves(state: FantasyState) -> Iterator[tuple[str, str]]:
    """Hexes with a destroyed unit that could return, each unit once (T-11)."""
    for grave in state.field.graves:
        token = state.field.tokens.get(grave.unit)
        lost = token is not None and token.gone in (DESTROYED, CRUMBLED)
        if lost and grave.unit in state.units and grave.unit not in state.used_graves:
            yield grave.at, grave.unit


def _element(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    """Check a connected patch of one terrain with at least one hex in range (T-16, T-76)."""
    ground = state.field.ground
    if not 1 <= len(targets) <= ELEMENT_MOST or any(at not in ground for at in targets):
        return NO_PATCH
    kinds = {element_at(state, at) for at in targets}
    if len(kinds) != 1 or kinds & NO_ELEMENT or not _joined(state, targets):
        return NO_PATCH
    return None if any(not _far(state, caster, slug, at) for at in targets) else TOO_FAR


def element_at(state: FantasyState, at: str) -> str:
    """The terrain of a hex as an element: a grove is a wood (T-16), a burning hex keeps its terrain."""
    return WOOD if state.field.ground.overlays.get(at) == WOOD else terrain_at(state, at)


def _joined(state: FantasyState, hexes: tuple[str, ...]) -> bool:
    left, waiting = set(hexes[1:]), [hexes[0]]
    while waiting:
        near = left & set(state.field.ground.around(waiting.pop()))
        left -= near
        waiting += near
    return not left and len(set(hexes)) == len(hexes)


def _running(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    """Check the targets of a counterspell: a unit, character or hex, and a spell active there."""
    if len(targets) != 2:
        return NO_EFFECT
    what, effect = targets
    why = _hex(state, caster, slug, (what,)) if what in state.field.ground else _piece(state, caster, slug, what)
    return why or (None if effect in running(state, what) else NO_EFFECT)


def running(state: FantasyState, what: str) -> tuple[str, ...]:
    """The spells active on a unit, character or hex."""
    found = [timer.effect for timer in effects(state).get(what, ()) if timer.effect in state.options.spells]
    return (*found, *((TURN,) if what in state.units and state.units[what].turner else ()))


def _enemy_undead(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Said | None:
    unit = targets[0]
    if why := _enemy(state, caster, slug, targets[:1]):
        return why
    if not is_undead(state, unit):
        return WRONG
    prey = prey_of(state, unit, state.side_of(caster))
    if len(targets) > 1:
        return None if len(targets) == 2 and targets[1] in prey else WRONG
    return None


# The destination of farewell (T-75)


def home_hex(state: FantasyState, unit: str, caster_side: int) -> str:
    """The hex where farewell sends a unit; "" if there is none.

    The nearest hex of its base line that can bear it and looks free to the caster's side; for undead, the hex within
    the leash nearest to the base line.
    """
    token, ground, high = state.token(unit), state.field.ground, flies_itself(state, unit)
    free = [at for at in ground.labels if is_passable(state, token.side, at, high)]
    free = [at for at in free if _nobody_seen(state, at, caster_side)]
    if is_undead(state, unit):
        near = [at for at in free if within_leash(state, unit, at, LEASH)]
        return min(near, key=lambda at: (ground.from_home(token.side, at), apart(token.at, at)), default="")
    line = [at for at in free if not ground.from_home(token.side, at)]
    return min(line, key=lambda at: apart(token.at, at), default="")


type _Check = Callable[[FantasyState, str, str, tuple[str, ...]], Said | None]
CHECKS: Mapping[str, _Check] = {
    FRIEND: _friend, ENEMY: _enemy, UNIT: _unit, HEX: _hex, UNIT_OR_HEX: _running, ENEMY_OR_HEX: _enemy_or_hex,
    ELEMENT: _element, FREE_HEX: _free_hex, CHAIN: _chain, GRAVE: _grave, ENEMY_UNDEAD: _enemy_undead,
}  # fmt: skip


# Enumeration of targets


def choices(state: FantasyState, caster: str, slug: str) -> Iterator[tuple[str, ...]]:
    """The valid sets of targets of a spell. Of sets of several hexes only one through each hex in range is given."""
    for targets in named(state, caster, slug):
        if why_not_aim(state, caster, slug, targets) is None:
            yield targets


def named(state: FantasyState, caster: str, slug: str) -> Iterator[tuple[str, ...]]:
    """Sets of targets in range to be checked, valid or not (see `choices`)."""
    spell, at = spell_of(state, slug), state.at(caster)
    if spell.on == NOTHING:
        yield ()
    hexes = state.field.ground.within(at, spell.range)
    pieces = [token.id for token in state.field.tokens.values() if token.at in hexes and token.standing]
    if spell.on in (FRIEND, ENEMY, UNIT, ENEMY_OR_HEX):
        yield from ((piece,) for piece in pieces)
    if spell.on == ENEMY_UNDEAD:
        for piece in pieces:
            if is_undead(state, piece):
                preys = prey_of(state, piece, state.side_of(caster))
                yield from ((piece, prey) for prey in preys)
                if not preys:
                    yield (piece,)
    if spell.on in (HEX, ENEMY_OR_HEX):
        yield from ((at,) for at in sorted(hexes))
    if spell.on == FREE_HEX:
        kinds = phantom_types(state, caster) if slug == PHANTOM else {}
        yield from ((at, kind) for at in sorted(hexes) for kind in kinds) if kinds else ((at,) for at in sorted(hexes))
    if spell.on == GRAVE:
        yield from graves(state)
    if spell.on == UNIT_OR_HEX:
        yield from ((what, effect) for what in (*pieces, *sorted(hexes)) for effect in running(state, what))
    if spell.on == ELEMENT:
        yield from (filled_up(state, caster, slug, (at,)) for at in sorted(hexes))
    if spell.on == CHAIN:
        yield from dict.fromkeys(filled_up(state, caster, slug, (at,)) for at in beside_chosen(state, caster, slug, ()))


SEVERAL = (ELEMENT, CHAIN)
"""Kinds of targets that consist of several hexes."""


def beside_chosen(state: FantasyState, caster: str, slug: str, chosen: Sequence[str]) -> list[str]:
    """The hexes that can be added to those chosen, for a spell on several hexes."""
    if spell_of(state, slug).on == CHAIN:
        return _links(state, caster, slug, chosen)
    return _patches(state, caster, slug, chosen)


def _patches(state: FantasyState, caster: str, slug: str, chosen: Sequence[str]) -> list[str]:
    """Hexes for a patch: the first one in range, then adjacent hexes of the same terrain (T-76)."""
    ground = state.field.ground
    if not chosen:
        near = ground.within(state.at(caster), spell_of(state, slug).range)
        return sorted(at for at in near if element_at(state, at) not in NO_ELEMENT)
    if len(chosen) >= ELEMENT_MOST:
        return []
    kind = element_at(state, chosen[0])
    around = {near for at in chosen for near in ground.around(at)} - set(chosen)
    return sorted(at for at in around if element_at(state, at) == kind)


def _links(state: FantasyState, caster: str, slug: str, chosen: Sequence[str]) -> list[str]:
    """Empty hexes in range that still form a chain with those chosen."""
    if len(chosen) >= CHAIN_LENGTH:
        return []
    near = state.field.ground.within(state.at(caster), spell_of(state, slug).range) - set(chosen)
    fits = (at for at in sorted(near) if in_a_row((*chosen, at)))
    return [at for at in fits if _free_hex(state, caster, slug, (at,)) is None]


def in_a_row(hexes: Sequence[str]) -> tuple[str, ...]:
    """The hexes in an order in which consecutive ones are adjacent; () if there is none."""
    orders = permutations(hexes[:CHAIN_LENGTH])
    return next((order for order in orders if all(apart(one, two) == 1 for one, two in pairwise(order))), ())


def filled_up(state: FantasyState, caster: str, slug: str, chosen: Sequence[str]) -> tuple[str, ...]:
    """The chosen hexes with as many added as the spell takes, nearest first; unchanged if nothing fits.

    Used to complete a player's choice, and by the computer player.
    """
    more = beside_chosen(state, caster, slug, chosen)
    if spell_of(state, slug).on == CHAIN:
        ways = (filled_up(state, caster, slug, in_a_row((*chosen, at))) for at in more)
        return next((way for way in ways if len(way) == CHAIN_LENGTH), tuple(chosen))
    if not more:
        return tuple(chosen)
    start = chosen[0] if chosen else state.at(caster)
    nearest = min(more, key=lambda at: apart(start, at))
    return filled_up(state, caster, slug, (*chosen, nearest))

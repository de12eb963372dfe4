"""Casting (TF-6.1, 6.2): announcing, lapses, and paying with cards or points."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import CASTING, MOVING, FantasyState
from rules.thucidide_fantasy.battle.run import Run, forbid
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, GROVE, PARALYSED, foe_beside, under
from rules.thucidide_fantasy.battle.spells.aiming import APPEAL, PHANTOM, spell_of, why_not_aim
from rules.thucidide_fantasy.battle.spells.spell_effects import begin_spell
from rules.thucidide_fantasy.spec import CARDS, NEVER

SECRET_SPELLS = (PHANTOM, GROVE)
NO_CASTER = _("This character can’t cast spells.")
NOT_NOW = _("Announce spells in the movement phase.")
NOT_IN_SPELLS = _("Cast spells in the spell phase.")
NOT_ACTIVATED = _("This caster isn’t activated this turn.")
HAS_LED = _("A leader who casts a spell can’t activate units.")
BESIDE = _("An enemy is next to the caster.")
HAS_MOVED = _("A caster who moved or fought this turn can’t cast a spell.")
NOT_ANNOUNCED = _("This caster announced no spell.")
HAS_CAST = _("This caster has already cast a spell or declined this turn.")
NO_CARD = _("This caster doesn’t have this spell.")
NO_POINTS = _("This spell costs {cost} points; the caster has {points}.")
NO_CONSENT = _("The other side doesn’t allow appeals to a god.")
HELD = _("A god keeps this character still.")


def casts(state: FantasyState, person: str) -> bool:
    """Whether a character can cast spells at all."""
    return person in state.people and state.people[person].own.casts


def why_not_announce(state: FantasyState, caster: str) -> Said | None:
    """Why a caster can't announce a spell now (T-90, T-91); None if they can."""
    if not casts(state, caster):
        return NO_CASTER
    if state.phase != MOVING:
        return NOT_NOW
    token, doing = state.token(caster), state.doing(caster)
    unit = state.with_unit_of(caster) if token.standing else ""
    if token.side != state.side or not token.standing:
        return NOT_ACTIVATED
    if not (doing.activated or (unit and state.doing(unit).activated)):
        return NOT_ACTIVATED
    if any(one.leader == caster for one in state.activations):
        return HAS_LED
    if doing.stirred or doing.done:
        return HAS_MOVED
    return _held(state, caster) or (BESIDE if foe_beside(state, caster) else None)


def _held(state: FantasyState, caster: str) -> Said | None:
    held = under(state, caster, PARALYSED) or under(state, state.at(caster), DIVINE_BELL)
    return HELD if held else None


def announce(run: Run, caster: str) -> None:
    """Announce a spell. Raises a refusal if it isn't possible."""
    demand(caster in run.state.people, NO_CASTER, field="/caster")
    forbid(why_not_announce(run.state, caster), "/caster")
    run.emit(e.SpellAnnounced(caster))


# Casting


def why_not_cast(state: FantasyState, caster: str) -> Said | None:
    """Why a caster can't cast now, whatever the spell; None if they can. An adjacent enemy prevents it (T-12)."""
    if not casts(state, caster):
        return NO_CASTER
    if state.phase != CASTING:
        return NOT_IN_SPELLS
    if why := _why_nothing_waits(state, caster):
        return why
    doing = state.doing(caster)
    if doing.stirred or doing.fought:
        return HAS_MOVED
    return _held(state, caster) or (BESIDE if foe_beside(state, caster) else None)


def _why_nothing_waits(state: FantasyState, caster: str) -> Said | None:
    """Why this caster has no announced spell to cast or decline now; None if they have."""
    token, doing = state.token(caster), state.doing(caster)
    if token.side != state.side or not token.standing or not doing.announced:
        return NOT_ANNOUNCED
    return HAS_CAST if doing.cast else None


def known_spells(state: FantasyState, caster: str) -> tuple[str, ...]:
    """The spells a caster can pay for now, without repetition."""
    person = state.people[caster]
    if state.options.supply == CARDS:
        known = [slug for slug in person.cards if slug in state.options.spells]
    else:
        known = [slug for slug, spell in state.options.spells.items() if spell.cost <= person.points]
    return tuple(slug for slug in dict.fromkeys(known) if why_forbidden(state, caster, slug) is None)


def why_forbidden(state: FantasyState, caster: str, slug: str) -> Said | None:
    """Why a spell is forbidden: appeals need the other side's consent (TF-7). None if it is allowed."""
    if slug != APPEAL:
        return None
    allowed = state.options.appeals != NEVER and state.consents[1 - state.side_of(caster)]
    return None if allowed else NO_CONSENT


def cast(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Pay for a spell and cast it. Raises a refusal if it isn't possible."""
    state = run.state
    demand(caster in state.people, NO_CASTER, field="/caster")
    forbid(why_not_cast(state, caster), "/caster")
    _check_paid(state, caster, slug)
    forbid(why_forbidden(state, caster, slug), "/spell")
    forbid(why_not_aim(state, caster, slug, targets), "/targets")
    run.emit(e.SpellCast(caster, slug, targets, is_secret(state, slug, targets)))
    begin_spell(run, caster, slug, targets)


def is_secret(state: FantasyState, slug: str, targets: tuple[str, ...]) -> bool:
    """Whether the enemy is told only that a spell was cast: phantoms, groves, and spells on units in a grove (T-31)."""
    tokens = state.field.tokens
    return slug in SECRET_SPELLS or any(tokens[one].hidden for one in targets if one in tokens)


def _check_paid(state: FantasyState, caster: str, slug: str) -> None:
    person = state.people[caster]
    if state.options.supply == CARDS:
        demand(slug in person.cards and slug in state.options.spells, NO_CARD, field="/spell")
        return
    demand(slug in state.options.spells, NO_CARD, field="/spell")
    cost = spell_of(state, slug).cost
    require(cost <= person.points, NO_POINTS, field="/spell", cost=cost, points=person.points)


def decline(run: Run, caster: str) -> None:
    """Cast no spell after announcing one. Raises a refusal if none is waiting."""
    state = run.state
    demand(casts(state, caster), NO_CASTER, field="/caster")
    require(state.phase == CASTING, NOT_IN_SPELLS)
    forbid(_why_nothing_waits(state, caster), "/caster")
    run.emit(e.SpellDeclined(caster))

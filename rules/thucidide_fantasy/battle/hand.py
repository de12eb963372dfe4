"""GM overrides of traits, cards, masters, effects and graves (TF-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import DESTROYED, EffectBegan
from rules.hexbattle.hand import check_turns, effect_in
from rules.hexbattle.timers import Timer
from rules.hexbattle.tokens import Token
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.record.borne_traits import usual_master
from rules.thucidide_fantasy.battle.record.commands import Override
from rules.thucidide_fantasy.battle.record.fold import CRUMBLED
from rules.thucidide_fantasy.battle.record.hand_fold import begun_now
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import GROVE, SHACKLES, effects, is_undead, who_sees
from rules.thucidide_fantasy.battle.spells.aiming import TURN
from rules.thucidide_fantasy.battle.spells.spell_effects import EFFECTS, MIRE, PHASES_OF, REPULSION, counter, lay
from rules.thucidide_fantasy.spec import CARDS, ENEMY, FRIEND, HEX, UNDEAD, UNIT, BorneTrait, SpellFigures

TRAIT, CARD, MASTER, GRAVE = "trait", "card", "master", "grave"
GIVE, TAKE = "+", "-"
ON_PIECES = (FRIEND, ENEMY, UNIT)
CHOOSE = _("Choose one of: {choices}.")
WHILE_ASKED = _("Answer the open question first.")
NOTHING_TO_TAKE = _("Nothing to remove.")
NO_MASTER = _("Undead need a master: this army has neither a commander nor a caster.")


def of_place(field: str) -> bool:
    """Whether this override field applies to hexes and sides too, not only to units and characters."""
    return bool(effect_in(field))


def check(state: FantasyState, command: Override) -> bool:
    """Validate an override of one of these fields; False for any other field.

    Raises a refusal if it isn't possible.
    """
    if effect_in(command.field):
        _check_effect(state, command)
        return True
    checked = CHECKS.get(command.field)
    if checked is not None:
        checked(state, command)
    return checked is not None


def follow(run: Run, command: Override) -> None:
    """Emit what follows from an override: the effect that begins, or what an ended one leaves."""
    effect, turns = effect_in(command.field), command.value
    what = side_or_piece(command.what)
    if isinstance(turns, int) and turns and effect and effect not in running_on(run.state, what):
        run.emit(EffectBegan(_begun(run.state, what, effect, turns), who_sees(run.state, what)))
    if not effect or turns:
        return
    for _more in tuple(running_on(run.state, what)):
        if effect in running_on(run.state, what):
            counter(run, "", "", (what, effect))


# Traits and cards


def signed(value: object, giving: Iterable[str], taking: Iterable[str]) -> None:
    """Guard: the value is "+" and something that can be given, or "-" and something that can be taken.

    Raises a refusal otherwise.
    """
    sign, slug = (value[:1], value[1:]) if isinstance(value, str) else ("", "")
    demand(sign in (GIVE, TAKE) and sign, _("Start with + to give or - to remove."), field="/value")
    known = tuple(dict.fromkeys(giving if sign == GIVE else taking))
    require(known, NOTHING_TO_TAKE if sign == TAKE else _("Nothing to give."), field="/value")
    demand(slug in known, CHOOSE, field="/value", choices=", ".join(sign + one for one in known))


def givable_traits(state: FantasyState, piece: str) -> list[str]:
    """The traits that can be given to a unit or character: not its own, not tempers, and fit for its kind."""
    known = {one.trait for one in traits_of(state, piece)}
    person = piece in state.people
    return [slug for slug, trait in TRAITS.items()
            if slug not in known and not trait.temper and not (person and trait.of_units)]  # fmt: skip


def traits_of(state: FantasyState, piece: str) -> tuple[BorneTrait, ...]:
    """The traits of its own, without those from spells."""
    return (state.units if piece in state.units else state.people)[piece].own.traits


def _check_trait(state: FantasyState, command: Override) -> None:
    piece = command.what
    signed(command.value, givable_traits(state, piece), (one.trait for one in traits_of(state, piece)))
    if command.value == GIVE + UNDEAD:
        require(usual_master(state, piece), NO_MASTER, field="/value")


def _check_card(state: FantasyState, command: Override) -> None:
    person = state.people.get(command.what)
    demand(person is not None, _("Choose a caster."), field="/what")
    assert person is not None
    require(person.own.casts, _("This character can’t cast spells."), field="/what")
    require(state.options.supply == CARDS, _("Spells cost points in this battle: set the points left."), field="/field")
    signed(command.value, state.options.spells, person.cards)


def _check_master(state: FantasyState, command: Override) -> None:
    unit = command.what
    require(unit in state.units and is_undead(state, unit), _("Only undead units have a master."), field="/what")
    masters = masters_of(state, unit)
    demand(command.value in ("", *masters), CHOOSE, field="/value", choices=", ".join(masters))


def masters_of(state: FantasyState, unit: str) -> tuple[str, ...]:
    """The characters who can be the master of a unit: all on the map of its army's original side.

    Undead may be left without a master; they crumble at the end of their side's turn (T-92).
    """
    own = state.field.armies[state.token(unit).army]
    return tuple(one for one in state.people_of(own))


# Effects


def side_or_piece(what: str) -> str:
    """The target of an effect; a side, given by its number, becomes "side:<number>"."""
    return f"side:{what}" if what in ("0", "1") else what


def running_on(state: FantasyState, what: str) -> tuple[str, ...]:
    """The effects on a unit, character, hex or side. Undead that are turned have the effect "turn"."""
    turned = what in state.units and state.units[what].turner
    return (*(timer.effect for timer in effects(state).get(what, ()) if what in timer.on), *((TURN,) if turned else ()))


def beginnable(state: FantasyState, what: str) -> tuple[str, ...]:
    """The spells that the GM can start on a unit, character or hex: those that last and need no caster."""
    token = state.field.tokens.get(what)
    if token is None and what not in state.field.ground:
        return ()
    if token is not None and not token.standing:
        return ()
    known = set(running_on(state, what))
    spells = {slug: spell for slug, spell in state.options.spells.items() if slug not in known and _lasts(slug, spell)}
    if token is None:
        return tuple(slug for slug, spell in spells.items() if spell.on == HEX)
    person = what in state.people
    return tuple(slug for slug, spell in spells.items() if spell.on in ON_PIECES and (spell.character or not person))


def _lasts(slug: str, spell: SpellFigures) -> bool:
    """Whether a spell stays on its target for some turns, whoever cast it."""
    effect = spell.effect or slug
    return spell.lasts in PHASES_OF and EFFECTS.get(effect, lay) is lay and effect != REPULSION


def _begun(state: FantasyState, what: str, effect: str, turns: int) -> Timer:
    """An effect without a caster.

    Its turns count in the spell phases of one side: the target's for a boon, the enemy's for a bane, and for a hex
    those of the side whose turn it is.
    """
    spell = state.options.spells[effect]
    side = state.side
    if what in state.field.tokens:
        side = state.side_of(what) if spell.on != ENEMY else 1 - state.side_of(what)
    lays = ((what, MIRE),) if effect == SHACKLES else ()
    timer = Timer(effect, (what,), "", side, CASTING, turns, lays)
    return timer._replace(left=turns + begun_now(state, timer))


def _check_effect(state: FantasyState, command: Override) -> None:
    what, effect = side_or_piece(command.what), effect_in(command.field)
    known = what in state.field.tokens or what in state.field.ground or what != command.what
    demand(known, _("Choose a unit, a character, a hex or a side of this battle."), field="/what")
    begin = beginnable(state, what) if command.value != 0 else ()
    check_turns((*running_on(state, what), *begin), command.field, command.value)
    lasts = effect != GROVE or command.value == 0
    require(lasts, _("A grove doesn’t count turns: enter 0 to end it."), field="/value")
    require(command.value or effect != TURN or state.fight is None, WHILE_ASKED)


# Graves


def has_fallen(token: Token) -> bool:
    """Whether a unit was destroyed or crumbled, so that it can have a grave."""
    return token.gone in (DESTROYED, CRUMBLED)


def has_grave(state: FantasyState, unit: str) -> bool:
    """Whether a fallen unit has a grave from which it can still rise."""
    return any(grave.unit == unit for grave in state.field.graves) and unit not in state.used_graves


def _check_grave(state: FantasyState, command: Override) -> None:
    unit, value = command.what, command.value
    fell = unit in state.units and has_fallen(state.field.tokens[unit])
    require(fell, _("This unit wasn’t destroyed, so it has no grave."), field="/what")
    if value in ("", None):
        require(has_grave(state, unit), _("This unit has no grave. Enter the hex of one."), field="/value")
        return
    state.field.ground.require_hex(value, field="/value")


CHECKS: Mapping[str, Callable[[FantasyState, Any], None]] = {
    TRAIT: _check_trait, CARD: _check_card, MASTER: _check_master, GRAVE: _check_grave,
}  # fmt: skip

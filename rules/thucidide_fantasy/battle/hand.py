"""Hand of the GM on what somebody bears, holds and suffers (TF-9): traits, cards, masters, effects, graves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import DESTROYED
from rules.hexbattle.hand import check_turns, effect_in
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.record.borne_traits import usual_master
from rules.thucidide_fantasy.battle.record.commands import Override
from rules.thucidide_fantasy.battle.record.fold import CRUMBLED
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import GROVE, effects, is_undead
from rules.thucidide_fantasy.battle.spells.aiming import TURN
from rules.thucidide_fantasy.battle.spells.spell_effects import counter
from rules.thucidide_fantasy.spec import CARDS, UNDEAD, BorneTrait

TRAIT, CARD, MASTER, GRAVE = "trait", "card", "master", "grave"
GIVE, TAKE = "+", "-"
CHOOSE = _("Choose one of: {choices}.")
WHILE_ASKED = _("Answer the open question first.")
NO_MASTER = _("Undead need a master: this army has neither a commander nor a caster.")


def of_place(field: str) -> bool:
    """Whether this field may be set of a hex or a side, too."""
    return bool(effect_in(field))


def check(state: FantasyState, command: Override) -> bool:
    """Raises a refusal for what can't be so; False where the field is none of these."""
    if effect_in(command.field):
        _check_effect(state, command)
        return True
    checked = CHECKS.get(command.field)
    if checked is not None:
        checked(state, command)
    return checked is not None


def follow(run: Run, command: Override) -> None:
    """What an effect that is ended leaves behind: a unit turned back, a grove that hides nobody."""
    effect = effect_in(command.field)
    if not effect or command.value:
        return
    what = side_or_piece(command.what)
    for _more in tuple(running_on(run.state, what)):
        if effect in running_on(run.state, what):
            counter(run, "", "", (what, effect))


# Traits and cards


def signed(value: object, giving: Iterable[str], taking: Iterable[str]) -> None:
    """Raises `InvalidInput` for what is neither "+" and something that can be given nor "-" and something that can be
    taken.
    """
    sign, slug = (value[:1], value[1:]) if isinstance(value, str) else ("", "")
    demand(sign in (GIVE, TAKE) and sign, _("Start with + to give or - to remove."), field="/value")
    known = tuple(dict.fromkeys(giving if sign == GIVE else taking))
    require(known, _("Nothing to remove.") if sign == TAKE else _("Nothing to give."),
            field="/value")  # fmt: skip
    demand(slug in known, CHOOSE, field="/value", choices=", ".join(sign + one for one in known))


def givable_traits(state: FantasyState, piece: str) -> list[str]:
    """Traits that somebody may be given: a trait counts once, some are of units alone, a temper is set apart."""
    known = {one.trait for one in traits_of(state, piece)}
    person = piece in state.people
    return [slug for slug, trait in TRAITS.items()
            if slug not in known and not trait.temper and not (person and trait.of_units)]  # fmt: skip


def traits_of(state: FantasyState, piece: str) -> tuple[BorneTrait, ...]:
    """Traits of its own, without those of spells."""
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
    demand(command.value in masters, CHOOSE, field="/value", choices=", ".join(masters))


def masters_of(state: FantasyState, unit: str) -> tuple[str, ...]:
    """The characters who can be the master of a unit: of its side, by its army, and on the map."""
    own = state.field.armies[state.token(unit).army]
    return tuple(one for one in state.people_of(own))


# Effects


def side_or_piece(what: str) -> str:
    """What an effect lies on: a side is named by its number."""
    return f"side:{what}" if what in ("0", "1") else what


def running_on(state: FantasyState, what: str) -> tuple[str, ...]:
    """The effects on a unit, character, hex or side, undead that are turned among them."""
    turned = what in state.units and state.units[what].turner
    return (*(timer.effect for timer in effects(state).get(what, ()) if what in timer.on), *((TURN,) if turned else ()))


def _check_effect(state: FantasyState, command: Override) -> None:
    what, effect = side_or_piece(command.what), effect_in(command.field)
    known = what in state.field.tokens or what in state.field.ground or what != command.what
    demand(known, _("Choose a unit, a character, a hex or a side of this battle."), field="/what")
    check_turns(running_on(state, what), command.field, command.value)
    lasts = effect != GROVE or command.value == 0
    require(lasts, _("A grove doesn’t count turns: enter 0 to end it."), field="/value")
    require(command.value or effect != TURN or state.fight is None, WHILE_ASKED)


# Graves


def _check_grave(state: FantasyState, command: Override) -> None:
    unit, value = command.what, command.value
    fell = unit in state.units and state.field.tokens[unit].gone in (DESTROYED, CRUMBLED)
    require(fell, _("This unit wasn’t destroyed, so it has no grave."), field="/what")
    if value in ("", None):
        there = any(grave.unit == unit for grave in state.field.graves) and unit not in state.used_graves
        require(there, _("This unit has no grave. Enter the hex of one."), field="/value")
        return
    state.field.ground.require_hex(value, field="/value")


CHECKS: Mapping[str, Callable[[FantasyState, Any], None]] = {
    TRAIT: _check_trait, CARD: _check_card, MASTER: _check_master, GRAVE: _check_grave,
}  # fmt: skip

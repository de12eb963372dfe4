"""GM interventions in a battle (TF-9): reinforcements, appeals to gods, and states, traits, cards, masters, effects and
graves set by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import DESTROYED, EffectBegan
from rules.hexbattle.ending import check_turns, demand_whole, effect_in
from rules.hexbattle.field import Token
from rules.hexbattle.ground import Timer
from rules.hexbattle.seeing import own_side
from rules.thucidide_fantasy.arsenal import TEMPERS, TRAITS
from rules.thucidide_fantasy.battle.combat.retreat import fall, is_free
from rules.thucidide_fantasy.battle.combat.steps import REPORT, REROLL
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import REASON_MOST, Override
from rules.thucidide_fantasy.battle.record.entering import entering
from rules.thucidide_fantasy.battle.record.fold import CRUMBLED
from rules.thucidide_fantasy.battle.record.hand_fold import OF_ROLES, begun_now, put, usual_master
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState
from rules.thucidide_fantasy.battle.run import Run, expose_phantoms, leave_grove
from rules.thucidide_fantasy.battle.situation import GROVE, SHACKLES, effects, is_undead, who_sees
from rules.thucidide_fantasy.battle.spells.aiming import TURN
from rules.thucidide_fantasy.battle.spells.appeals import appeal as appeal_to_god
from rules.thucidide_fantasy.battle.spells.spell_effects import EFFECTS, MIRE, PHASES_OF, REPULSION, counter, lay
from rules.thucidide_fantasy.contingent import POINTS_MOST
from rules.thucidide_fantasy.spec import CARDS, ENEMY, FRIEND, HEX, UNDEAD, UNIT, BorneTrait, SpellFigures
from rules.thucidide_fantasy.starter import LEVELS, RANKS

# GM overrides of traits, cards, masters, effects and graves (TF-9).

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
    """Emit the consequences of an override: the effect that begins, or the state after an ended one."""
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
        require(has_grave(state, unit), _("This unit has no grave. Enter a hex to set one."), field="/value")
        return
    state.field.ground.require_hex(value, field="/value")


CHECKS: Mapping[str, Callable[[FantasyState, Any], None]] = {
    TRAIT: _check_trait, CARD: _check_card, MASTER: _check_master, GRAVE: _check_grave,
}  # fmt: skip


# GM interventions in a battle (TF-9): reinforcements, appeals to gods, and states set by hand.

DICE_MOST, STANDS_MOST, MOVE_MOST, COUNTERS_MOST = 12, 12, 12, 99
OF_FIGURES = {
    "weight": (1, 7), "move": (0, MOVE_MOST), "calm": (0, MOVE_MOST), "assault": (0, DICE_MOST),
    "melee": (0, DICE_MOST), "shot": (0, DICE_MOST), "range": (0, DICE_MOST), "dice": (-2, 4),
}  # fmt: skip
CHOICES_OF_ROLES: Mapping[str, tuple[str, ...]] = {"rank": ("", *RANKS), "level": tuple(LEVELS)}
LIMITS_OF_ROLES = {"resistance": (0, STANDS_MOST), "points": (0, POINTS_MOST)}
FLAGS = ("activated", "fought", "done", "announced")
IN_A_THROW = _("{unit}: pending roll. Answer it first, or undo it.")
SECRET = frozenset({*OF_ROLES, CARD})
"""Override fields that only the target's own side is told of."""


def piece(state: FantasyState, unit: str) -> str:
    """The id of a unit or character of the battle. Raises `InvalidInput` for any other."""
    demand(unit in state.units or unit in state.people, _("This unit isn’t in the battle."), field="/unit")
    return unit


def appeal(run: Run, command: c.AppealByGm) -> None:
    """Start an appeal to a god that the scenario provides for. No consent is needed."""
    person = command.character
    demand(person in run.state.people, _("Choose a character."), field="/character")
    require(run.state.standing(person), _("This character isn’t on the map. Choose another."), field="/character")
    appeal_to_god(run, person)


def reinforce(run: Run, command: c.Reinforce) -> None:
    """Add an army to a side; it waits in the reserve (T-97)."""
    state = run.state
    demand(command.side in (0, 1), _("Must be side 0 or 1."), field="/side")
    require(command.army.id not in state.field.armies, _("This army is already in the battle."), field="/army")
    run.emit(e.ArmyJoined(entering(command.army._replace(side=command.side), state.opening.salt)))


# Overrides


def override(run: Run, command: c.Override) -> None:
    """Set a state of a unit, character or side, or an effect, also on a hex. Raises a refusal if it isn't possible."""
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Enter a text of {least} to {most} characters."), field="/reason", **told)
    state, what = run.state, command.what
    value: Any = command.value
    if command.field == "counters":
        demand(what in ("0", "1"), _("Must be side 0 or 1."), field="/what")
        demand_whole(value, (0, COUNTERS_MOST), "/value")
    elif not of_place(command.field):
        demand(what in state.field.tokens, _("Choose a unit or character of this battle."), field="/what")
        gone = state.token(what).gone and command.field != GRAVE
        require(not gone, _("The unit has left the battle."), field="/what")
    if command.field in ("at", GRAVE) and value:
        value = state.field.ground.require_hex(value, field="/value")
    if command.field != "counters" and not check(state, command):
        _check(state, command)
    if command.field == "at":
        _check_throw(state, what)
        leave_grove(run, what)
    run.emit(e.Overridden(what, command.field, value, command.reason.strip(), _seen(state, command, value)))
    follow(run, command)
    if command.field == "at":
        expose_phantoms(run)
    if command.field in ("stands", "left") and value == 0:
        fall(run, what)


def _seen(state: FantasyState, command: c.Override, value: Any) -> tuple[bool, ...]:
    """By side, who is told of an override.

    Cards and roles are told only to their own side; what happens in a grove only to those who see in. A unit that is
    moved is told to those who see it before or after.
    """
    what = command.what
    token = state.field.tokens.get(what)
    if token is not None and command.field in SECRET:
        return own_side(token)
    before = who_sees(state, what)
    if command.field != "at":
        return before
    after = who_sees(put(state, what, value), what)
    return tuple(one or other for one, other in zip(before, after, strict=True))


def _check_throw(state: FantasyState, piece: str) -> None:
    """Guard: the attacker and target of a throw that waits for an answer can't be moved.

    Other questions are asked again instead.
    """
    fight = state.fight
    if fight is None or fight.asks not in (REPORT, REROLL):
        return
    involved = {one for todo in fight.todo for one in (todo.unit, todo.foe)}
    require(piece not in involved, IN_A_THROW, field="/what", unit=state.name(piece))


def _check(state: FantasyState, command: c.Override) -> None:
    what, name, value = command.what, command.field, command.value
    if name == "at":
        at = state.field.ground.require_hex(value, field="/value")
        side = state.side_of(what)
        own = all(other.side == side for other in state.field.at(at))
        free = own if what in state.people else is_free(state, what, at)
        require(free, _("{hex} is occupied."), field="/value", hex=at)
    elif name in FLAGS:
        demand(isinstance(value, bool), _("Use true or false."), field="/value")
        casts = what in state.people and state.people[what].own.casts
        demand(casts or not value or name != "announced", _("Choose a caster."), field="/what")
    elif name == "stands" and what in state.units:
        _check_left(state, value, state.units[what].start)
    elif name == "left" and what in state.people:
        _check_left(state, value, state.people[what].start)
    elif what in state.people and name in OF_ROLES:
        _check_role(state, what, name, value)
    else:
        check_figure(state, what, name, value, "/value")


def _check_left(state: FantasyState, value: object, most: int) -> None:
    """Guard for setting stands or resistance: at 0 characters may have to flee, so no question may be open."""
    demand_whole(value, (0, most), "/value")
    require(value or state.fight is None, WHILE_ASKED)


def _check_role(state: FantasyState, person: str, name: str, value: object) -> None:
    """Guard: a character can have this value of a role (rank, level, spell points). Raises a refusal otherwise."""
    own = state.people[person].own
    require(name != "points" or own.casts, _("This character can’t cast spells."), field="/field")
    require(
        name != "level" or own.rank, _("This character doesn’t lead troops: give them a rank first."), field="/field"
    )
    check_person(state, person, name, value, "/value")


def check_person(state: FantasyState, what: str, name: str, value: object, at: str) -> None:
    """Guard: a character can have this value. Raises `InvalidInput` otherwise."""
    if name in CHOICES_OF_ROLES:
        known = CHOICES_OF_ROLES[name]
        demand(value in known or (name == "rank" and value is None), _("Choose one of: {choices}."), field=at,
               choices=", ".join(filter(None, known)))  # fmt: skip
    elif name in LIMITS_OF_ROLES:
        demand_whole(value, LIMITS_OF_ROLES[name], at)
    else:
        check_figure(state, what, name, value, at)


def check_figure(state: FantasyState, what: str, name: str, value: object, at: str) -> None:
    """Guard: a unit or character can have this value. Raises `InvalidInput` otherwise."""
    own = state.units[what].own if what in state.units else state.people[what].own
    known = name in OF_FIGURES and name in own._fields
    if name == "temper" and what in state.units:
        demand(value in ("", *TEMPERS), _("Choose one of: {choices}."), field=at, choices=", ".join(TEMPERS))
        return
    demand(known, _("Unknown field “{name}”. Remove it."), field=at.rpartition("/")[0] + "/field", name=name)
    demand_whole(value, OF_FIGURES[name], at)

"""GM interventions in a battle (TF-9): reinforcements, appeals to gods, and states set by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.hand import demand_whole
from rules.hexbattle.seeing import own_side
from rules.thucidide_fantasy.arsenal import TEMPERS
from rules.thucidide_fantasy.battle import hand
from rules.thucidide_fantasy.battle.combat.losses import fall
from rules.thucidide_fantasy.battle.combat.retreat import is_free
from rules.thucidide_fantasy.battle.combat.stops import REPORT, REROLL
from rules.thucidide_fantasy.battle.contact import leave_grove
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import REASON_MOST
from rules.thucidide_fantasy.battle.record.entering import entering
from rules.thucidide_fantasy.battle.record.hand_fold import put
from rules.thucidide_fantasy.battle.record.roles import OF_ROLES
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import who_sees
from rules.thucidide_fantasy.battle.spells.appeals import appeal as appeal_to_god
from rules.thucidide_fantasy.contingent import POINTS_MOST
from rules.thucidide_fantasy.starter import LEVELS, RANKS

DICE_MOST, STANDS_MOST, MOVE_MOST, COUNTERS_MOST = 12, 12, 12, 99
OF_FIGURES = {
    "weight": (1, 7), "move": (0, MOVE_MOST), "calm": (0, MOVE_MOST), "assault": (0, DICE_MOST),
    "melee": (0, DICE_MOST), "shot": (0, DICE_MOST), "range": (0, DICE_MOST), "dice": (-2, 4),
}  # fmt: skip
CHOICES_OF_ROLES: Mapping[str, tuple[str, ...]] = {"rank": ("", *RANKS), "level": tuple(LEVELS)}
LIMITS_OF_ROLES = {"resistance": (0, STANDS_MOST), "points": (0, POINTS_MOST)}
FLAGS = ("activated", "fought", "done", "announced")
IN_A_THROW = _("{unit} is part of a throw that waits: answer it first, or undo it.")
SECRET = frozenset({*OF_ROLES, hand.CARD})
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
    demand(command.side in (0, 1), _("Give side 0 or 1."), field="/side")
    require(command.army.id not in state.field.armies, _("This army is already in the battle."), field="/army")
    run.emit(e.ArmyJoined(entering(command.army._replace(side=command.side), state.opening.salt)))


# Overrides


def override(run: Run, command: c.Override) -> None:
    """Set a state of a unit, character or side, or an effect, also on a hex. Raises a refusal if it isn't possible."""
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Give a text of {least} to {most} characters."), field="/reason", **told)
    state, what = run.state, command.what
    value: Any = command.value
    if command.field == "counters":
        demand(what in ("0", "1"), _("Give side 0 or 1."), field="/what")
        demand_whole(value, (0, COUNTERS_MOST), "/value")
    elif not hand.of_place(command.field):
        demand(what in state.field.tokens, _("Choose a unit or character of this battle."), field="/what")
        gone = state.token(what).gone and command.field != hand.GRAVE
        require(not gone, _("The unit has left the battle."), field="/what")
    if command.field in ("at", hand.GRAVE) and value:
        value = state.field.ground.require_hex(value, field="/value")
    if command.field != "counters" and not hand.check(state, command):
        _check(state, command)
    if command.field == "at":
        _check_throw(state, what)
        leave_grove(run, what)
    run.emit(e.Overridden(what, command.field, value, command.reason.strip(), _seen(state, command, value)))
    hand.follow(run, command)
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
    require(value or state.fight is None, hand.WHILE_ASKED)


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

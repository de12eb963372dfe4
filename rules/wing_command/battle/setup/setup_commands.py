"""Setup of wing command beside that of every hex battle: options, army leaders, figures, orders, postures."""

from __future__ import annotations

from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import Placed
from rules.hexbattle.field import SIDES
from rules.hexbattle.hand import demand_whole
from rules.hexbattle.seeing import own_side
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.setup.line_up import line_up
from rules.wing_command.battle.standing import may_set_up
from rules.wing_command.spec import CLOSE_FLIGHT, GM, GROUND, HIGH_FLIGHT, INFILTRATING, RETREAT, TABLE
from rules.wing_command.starter import ABILITIES, ARTS, CLASSES, LEVEL_MOST, PENTACLE_MOST, PROFILES
from rules.wing_command.wing import FIGURE_MOST, MOVE_MOST

COMBATS = (TABLE, GM)
OPTIONS = ("combat", "orders_to_characters", "turn_limit", "break_share")
LIMITS = (6, 20)
SHARES = (10, 100)
NUMBERS = {
    "move": (1, MOVE_MOST), "melee": (0, FIGURE_MOST), "shot": (0, FIGURE_MOST), "range": (0, FIGURE_MOST),
    "guard": (0, FIGURE_MOST), "level": (0, LEVEL_MOST), "pentacle": (0, PENTACLE_MOST),
}  # fmt: skip
FLAGS = ("large", "fly", "infiltrate")


def decide(run: Run, command: Any) -> bool:
    """Decides a command of setup; False where it is none of these."""
    match command:
        case c.SetOption():
            _before(run.state)
            _option(run, command)
        case c.NameArmyLeader(unit):
            _before(run.state)
            _name_leader(run, unit)
        case c.EditUnit():
            _before(run.state)
            _edit(run, command)
        case c.SetOrder():
            _before(run.state)
            _set_order(run, command)
        case c.SetPosture():
            _before(run.state)
            _set_posture(run, command)
        case c.LineUp(wings):
            _before(run.state)
            _line_up(run, wings)
        case _:
            return False
    return True


def _before(state: HostState) -> None:
    require(not state.field.started, _("The battle has begun already."))


def _option(run: Run, command: c.SetOption) -> None:
    demand(command.name in OPTIONS, _("Choose one of: {choices}."), field="/name", choices=", ".join(OPTIONS))
    check_option(command.name, command.value, "/value")
    run.emit(e.OptionSet(command.name, command.value))  # type: ignore[arg-type]  # it was just checked


def check_option(name: str, value: object, at: str) -> None:
    """Raises `InvalidInput` for what this option can't be."""
    if name == "combat":
        demand(value in COMBATS, _("Choose one of: {choices}."), field=at, choices=", ".join(COMBATS))
    elif name == "orders_to_characters":
        demand(isinstance(value, bool), _("Answer yes or no."), field=at)
    else:
        demand_whole(value, LIMITS if name == "turn_limit" else SHARES, at)


def _name_leader(run: Run, unit: str) -> None:
    own = run.state.units.get(unit)
    demand(own is not None and own.character, _("Choose a character."), field="/unit")
    run.emit(e.ArmyLeaderNamed(unit, run.state.side_of(unit)))


def _edit(run: Run, command: c.EditUnit) -> None:
    own = run.state.units.get(command.unit)
    demand(own is not None, _("This unit isn't in the battle."), field="/unit")
    assert own is not None
    demand(command.fields, _("Give at least one figure."), field="/fields")
    for name, value in command.fields.items():
        check_figure(name, value, character=own.character, at=f"/fields/{name}")
    fields: dict[str, Any] = dict(command.fields)
    run.emit(e.UnitEdited(command.unit, own.own._replace(**fields)))


def check_figure(name: str, value: object, *, character: bool, at: str, named: str = "") -> None:
    """Raises `InvalidInput` for a figure a unit can't have. `named`: where its name stands, if not with its value."""
    if name in NUMBERS:
        demand_whole(value, NUMBERS[name], at)
        return
    if name in FLAGS:
        demand(isinstance(value, bool), _("Answer yes or no."), field=at)
        return
    choices: dict[str, tuple[str, ...]] = {"profile": tuple(PROFILES) if character else CLASSES}
    if character:
        choices |= {"ability": tuple(ABILITIES), "art": ("", *ARTS)}
    demand(name in choices, _("“{name}” is not a field here."), field=named or at, name=name)
    told = ", ".join(choices[name])
    demand(value in choices[name], _("Choose one of: {choices}."), field=at, choices=told)


def _set_order(run: Run, command: c.SetOrder) -> None:
    wing = run.state.wings.get(command.wing)
    demand(wing is not None, _("This wing isn't in the battle."), field="/wing")
    assert wing is not None
    require(wing.side not in run.state.field.ready, _("Your side is ready. Take that back to change orders."))
    seen = tuple(side == wing.side for side in SIDES)
    run.emit(e.OrderSet(wing.id, command.order, seen))


def _set_posture(run: Run, command: c.SetPosture) -> None:
    own = run.state.units.get(command.unit)
    demand(own is not None, _("This unit isn't in the battle."), field="/unit")
    assert own is not None
    allowed = [GROUND, *([INFILTRATING] if own.own.infiltrate else [])]
    allowed += [CLOSE_FLIGHT, HIGH_FLIGHT] if own.own.fly else []
    require(command.posture in allowed, _("The unit can't take this posture."), field="/posture")
    token = run.state.token(command.unit)
    require(token.side not in run.state.field.ready, _("Your side is ready. Take that back to place units."))
    if token.at:
        stands = may_set_up(run.state, run.state.field, token, token.at, command.posture)
        require(stands, _("{unit} can't stand on {hex}."), field="/posture", unit=token.name, hex=token.at)
    run.emit(e.PostureTaken(command.unit, command.posture, own_side(token)))


def _line_up(run: Run, wings: tuple[str, ...]) -> None:
    state = run.state
    demand(wings, _("Name at least one wing."), field="/wings")
    for place, wing in enumerate(wings):
        demand(wing in state.wings, _("This wing isn't in the battle."), field=f"/wings/{place}")
        ready = state.wings[wing].side in state.field.ready
        require(not ready, _("Your side is ready. Take that back to place units."))
    waiting = [unit for wing in wings for unit in state.wings[wing].members if state.token(unit).waiting]
    require(waiting, _("Every unit of these wings is placed already."))
    found = [Placed(unit, at) for unit, at in line_up(state, wings)]
    require(found, _("The zone has no room for these units. Make it larger, or take another map."))
    run.emit(*found)


def check_start(state: HostState) -> None:
    """A battle doesn't begin while all wings of a side have the order to retreat (W-31)."""
    for side in SIDES:
        wings = state.wings_of(side)
        told = _("All wings of {side} have the order to retreat. Give another order first.")
        require(any(wing.order != RETREAT for wing in wings), told, side=state.opening.sides[side])

"""Setup commands of wing command: options, army leaders, figures, orders, postures, lining up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import Placed, SideReady
from rules.hexbattle.ending import demand_whole
from rules.hexbattle.field import SIDES, Field
from rules.hexbattle.seeing import own_side
from rules.hexbattle.setup import Frontage, Wanted
from rules.wing_command.battle.movement import may_set_up
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.run import Run
from rules.wing_command.figures import set_figures
from rules.wing_command.spec import CLOSE_FLIGHT, GM, GROUND, HIGH_FLIGHT, INFILTRATING, RETREAT, TABLE, ZONE_ROWS
from rules.wing_command.starter import ABILITIES, ARTS, CLASSES, LEVEL_MOST, PENTACLE_MOST, PROFILES
from rules.wing_command.wing import FIGURE_MOST, MOVE_MOST

HEXES_A_TROOP = 2
"""Hexes of front per troop, if there is room."""
FRONT, BEHIND, BACK = 0, 1, 2


def line_up(state: HostState, wings: Collection[str]) -> Iterator[tuple[str, str]]:
    """A hex for every waiting unit of these wings; those without room are left out."""
    for side in dict.fromkeys(state.wings[wing].side for wing in wings):
        front, field = Frontage(state.field, side, ZONE_ROWS), state.field
        for wing, middle in _middles(state, front, state.wings_of(side)):
            if wing.id not in wings:
                continue
            for wanted in _wanted(state, wing, middle):
                at = _place(state, field, front, wanted)
                if at:
                    field = field.put(wanted.unit, at=at)
                    yield wanted.unit, at


def _place(state: HostState, field: Field, front: Frontage, wanted: Wanted) -> str:
    """The best free hex: an empty one if possible, but for a character who isn't a caster, one with a troop of their
    wing.
    """
    token, own = field.tokens[wanted.unit], state.units[wanted.unit]
    free = [at for at in front.hexes if may_set_up(state, field, token, at, own.posture)]
    if not own.character or _casts(state, wanted.unit):
        return front.nearest(wanted, [at for at in free if not field.at(at)] or free)
    troops = [at for at in free if any(_with(state, one.id, own.wing) for one in field.at(at))]
    fewest = min((len(field.characters(at)) for at in troops), default=0)
    return front.nearest(wanted, [at for at in troops if len(field.characters(at)) == fewest] or free)


def _with(state: HostState, unit: str, wing: str) -> bool:
    own = state.units[unit]
    return own.wing == wing and not own.character


def _middles(state: HostState, front: Frontage, wings: Sequence[Wing]) -> Iterator[tuple[Wing, float]]:
    """Each wing with the middle of its part of the front, whose width depends on its number of troops."""
    row: list[Wing] = []
    for place, wing in enumerate(wings):  # the first in the middle, the next on its left, the next on its right
        row = [wing, *row] if place % 2 else [*row, wing]
    widths = [max(1, len(_troops(state, wing, shoot=False))) for wing in row]
    a_troop = min(HEXES_A_TROOP, (front.right - front.left + 1) / sum(widths))
    at = (front.left + front.right - a_troop * sum(widths)) / 2
    for wing, width in zip(row, widths, strict=True):
        yield wing, at + a_troop * width / 2
        at += a_troop * width


def _wanted(state: HostState, wing: Wing, middle: float) -> Iterator[Wanted]:
    """The waiting units of a wing with their wanted places: troops first, then characters, its leader before others."""
    fighters, shooters = _troops(state, wing, shoot=False), _troops(state, wing, shoot=True)
    characters = [unit for unit in wing.members if state.units[unit].character]
    casters = [unit for unit in characters if _casts(state, unit)]
    others = sorted((unit for unit in characters if unit not in casters), key=lambda one: one != wing.leader)
    rows = ((fighters, FRONT), (shooters, BEHIND if fighters else FRONT), (casters, BACK))
    found = [Wanted(unit, along, behind) for units, behind in rows for unit, along in _spread(units, middle)]
    found += [Wanted(unit, middle, FRONT) for unit in others]
    return (wanted for wanted in found if state.token(wanted.unit).waiting)


def _spread(units: Sequence[str], middle: float) -> Iterator[tuple[str, float]]:
    return ((unit, middle + place - (len(units) - 1) / 2) for place, unit in enumerate(units))


def _troops(state: HostState, wing: Wing, *, shoot: bool) -> list[str]:
    units = state.units
    return [one for one in wing.members if not units[one].character and bool(units[one].own.shot) is shoot]


def _casts(state: HostState, unit: str) -> bool:
    own = state.units[unit]
    return bool(own.character and own.own.art)


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
    """Execute a setup command; False if it isn't one. Raises a refusal if it isn't possible."""
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
    """Guard: an option can have this value. Raises `InvalidInput` otherwise."""
    if name == "combat":
        demand(value in COMBATS, _("Choose one of: {choices}."), field=at, choices=", ".join(COMBATS))
    elif name == "orders_to_characters":
        demand(isinstance(value, bool), _("Use true or false."), field=at)
    else:
        demand_whole(value, LIMITS if name == "turn_limit" else SHARES, at)


def _name_leader(run: Run, unit: str) -> None:
    own = run.state.units.get(unit)
    demand(own is not None and own.character, _("Choose a character."), field="/unit")
    run.emit(e.ArmyLeaderNamed(unit, run.state.side_of(unit)))


def _edit(run: Run, command: c.EditUnit) -> None:
    own = run.state.units.get(command.unit)
    demand(own is not None, _("This unit isn’t in the battle."), field="/unit")
    assert own is not None
    demand(command.fields, _("Enter at least one figure."), field="/fields")
    for name, value in command.fields.items():
        check_figure(name, value, character=own.character, at=f"/fields/{name}")
    fields: dict[str, Any] = dict(command.fields)
    run.emit(e.UnitEdited(command.unit, set_figures(own.own, fields)))
    if own.posture not in opening_postures(run.state, command.unit):
        _to_the_ground(run, command.unit)


def _to_the_ground(run: Run, unit: str) -> None:
    """End a posture that a unit can't take anymore. Where it can't stand on the ground, it returns to the reserve."""
    token = run.state.token(unit)
    run.emit(e.PostureTaken(unit, GROUND, own_side(token)))
    if not token.at or may_set_up(run.state, run.state.field, token, token.at, GROUND):
        return
    run.emit(Placed(unit, ""))
    if token.side in run.state.field.ready:
        run.emit(SideReady(token.side, False))


def opening_postures(state: HostState, unit: str) -> tuple[str, ...]:
    """The postures a unit may begin in (WC-9.9, W-23)."""
    own = state.units[unit].own
    infiltrates, flies = (INFILTRATING,) if own.infiltrate else (), (CLOSE_FLIGHT, HIGH_FLIGHT) if own.fly else ()
    return (GROUND, *infiltrates, *flies)


def check_figure(name: str, value: object, *, character: bool, at: str, named: str = "") -> None:
    """Guard: a unit can have this figure. Raises `InvalidInput` otherwise.

    `named`: the pointer to the figure's name, if it isn't `at`.
    """
    if name in NUMBERS:
        demand_whole(value, NUMBERS[name], at)
        return
    if name in FLAGS:
        demand(isinstance(value, bool), _("Use true or false."), field=at)
        return
    choices: dict[str, tuple[str, ...]] = {"profile": tuple(PROFILES) if character else CLASSES}
    if character:
        choices |= {"ability": tuple(ABILITIES), "art": ("", *ARTS)}
    demand(name in choices, _("Unknown field “{name}”. Remove it."), field=named or at, name=name)
    told = ", ".join(choices[name])
    demand(value in choices[name], _("Choose one of: {choices}."), field=at, choices=told)


def _set_order(run: Run, command: c.SetOrder) -> None:
    wing = run.state.wings.get(command.wing)
    demand(wing is not None, _("This wing isn’t in the battle."), field="/wing")
    assert wing is not None
    why = _("Your side is ready. To change orders, choose “Place units again” first.")
    require(wing.side not in run.state.field.ready, why)
    seen = tuple(side == wing.side for side in SIDES)
    run.emit(e.OrderSet(wing.id, command.order, seen))


def _set_posture(run: Run, command: c.SetPosture) -> None:
    own = run.state.units.get(command.unit)
    demand(own is not None, _("This unit isn’t in the battle."), field="/unit")
    assert own is not None
    require(
        command.posture in opening_postures(run.state, command.unit),
        _("The unit can’t take this posture."),
        field="/posture",
    )
    token = run.state.token(command.unit)
    require(token.side not in run.state.field.ready, _("Your side is ready. Choose “Place units again” first."))
    if token.at:
        stands = may_set_up(run.state, run.state.field, token, token.at, command.posture)
        require(stands, _("{unit} can’t stand on {hex}."), field="/posture", unit=token.name, hex=token.at)
    run.emit(e.PostureTaken(command.unit, command.posture, own_side(token)))


def _line_up(run: Run, wings: tuple[str, ...]) -> None:
    state = run.state
    demand(wings, _("Choose at least one wing."), field="/wings")
    for place, wing in enumerate(wings):
        demand(wing in state.wings, _("This wing isn’t in the battle."), field=f"/wings/{place}")
        ready = state.wings[wing].side in state.field.ready
        require(not ready, _("Your side is ready. Choose “Place units again” first."))
    waiting = [unit for wing in wings for unit in state.wings[wing].members if state.token(unit).waiting]
    require(waiting, _("All units of these wings are already placed."))
    found = [Placed(unit, at) for unit, at in line_up(state, wings)]
    require(found, _("The zone has no room for these units. Make it larger, or choose another map."))
    run.emit(*found)


def check_start(state: HostState) -> None:
    """Guard: a battle can't begin while all wings of a side have the order to retreat (W-31)."""
    for side in SIDES:
        wings = state.wings_of(side)
        told = _("All wings of {side} have the order to retreat. Give another order first.")
        require(any(wing.order != RETREAT for wing in wings), told, side=state.opening.sides[side])

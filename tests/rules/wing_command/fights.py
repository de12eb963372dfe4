"""Battles of wing command to try things on: maps, wings, hosts, and a way to play them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.adjustments import LastingAdjustment
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.ground import label
from rules.hexbattle.setup import Place, SetReady, Start
from rules.hexes.battlefields import STARTERS
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import blank, document
from rules.hexes.terrain import MapKind
from rules.wing_command.battle.law import WingBattles
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ACTION, BattleOpening, HostState, Unit
from rules.wing_command.figures import wing_of
from rules.wing_command.spec import BattleOptions, WingSpec
from rules.wing_command.wing import CROWN, HORDE, SampleWing, WingCharacter, WingCommander, WingSheet, WingTroop

LAW = WingBattles()
SALT = "salt"
MOST_COMMANDS = 3000


def open_ground(columns: int = 16, rows: int = 14, terrain: Iterable[str] = ()) -> dict[str, Any]:
    """A map of bare ground, or with these rows."""
    rows_of = tuple(terrain)
    columns = len(rows_of[0]) if rows_of else columns
    base = document(blank("Field", MapKind.BATTLE, columns, len(rows_of) or rows))
    return base | ({"terrain": list(rows_of)} if rows_of else {})


def starter(slug: str) -> dict[str, Any]:
    return document(STARTERS[slug])


def host(sample: tuple[SampleWing, ...], side: int, **changes: Any) -> tuple[WingSpec, ...]:
    """A sample host on a side. `changes`: of every wing's document; `abilities`: of its commanders."""
    abilities = changes.pop("abilities", None)
    melee = changes.pop("melee", 0)
    found = []
    for number, wing in enumerate(sample):
        sheet = wing.sheet._replace(**changes)
        sheet = sheet._replace(troops=tuple(troop._replace(melee=melee) for troop in sheet.troops))
        commander = wing.commander._replace(ability=abilities) if abilities else wing.commander
        id_ = f"{'ab'[side]}{number}"
        found.append(wing_of(id_, f"{wing.name}", side, sheet, commander=(f"c-{id_}", f"Chief {id_}", commander)))
    return tuple(found)


def crown(side: int, **changes: Any) -> tuple[WingSpec, ...]:
    return host(CROWN, side, **changes)


def horde(side: int, **changes: Any) -> tuple[WingSpec, ...]:
    return host(HORDE, side, **changes)


def opening(
    *wings: WingSpec, map_: dict[str, Any] | None = None, options: BattleOptions | None = None, salt: str = SALT
) -> BattleOpening:
    found = BattleOpening(map_ or open_ground(), ("South", "North"), wings, salt, options=options or BattleOptions())
    return LAW.check(found)


class Loaded:
    """Dice that fall as they are told, by name; what is not told falls by a seed."""

    def __init__(self, seed: str = "", **faces: Iterable[int]):
        self.random = Random(seed)
        self.faces = {name: list(values) for name, values in faces.items()}
        self.rolled: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        told = self.faces.get(name)
        value = told.pop(0) if told else self.random.randint(1, die)
        self.rolled.append(Roll(army, name, die, value))
        return self.rolled[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def do(
    state: HostState, command: Any, dice: Any = None, viewer: Viewer = OMNISCIENT
) -> tuple[HostState, tuple[Any, ...]]:
    """The state after a command, and its events."""
    events = LAW.decide(state, command, dice or Loaded(), viewer)
    return LAW.fold(state, events), events


def side_viewer(state: HostState, side: int) -> Viewer:
    return Viewer(armies=frozenset(wing.id for wing in state.wings_of(side)))


def deployed(state: HostState) -> HostState:
    """Each wing in a block of its zone, the troops in front, its commander with the first."""
    field = state.field
    for side in (0, 1):
        wings = state.wings_of(side)
        zone = field.ground.zone(side, LAW.zone_rows)
        rows = sorted({field.ground.from_home(side, at) for at in zone}, reverse=True)
        columns = field.ground.columns
        for number, wing in enumerate(wings):
            width = columns // len(wings)
            first = number * width + max(0, (width - 4) // 2)
            troops = [unit for unit in wing.members if not state.units[unit].character]
            spots = [at for row in rows for at in _row(state, side, row, first, width) if at in zone]
            for unit, at in zip(troops, spots, strict=False):
                state, _events = do(state, Place(unit, at))
            for unit in wing.members:
                if state.units[unit].character:
                    state, _events = do(state, Place(unit, state.token(troops[0]).at))
    return state


def _row(state: HostState, side: int, far: int, first: int, width: int) -> list[str]:
    ground = state.field.ground
    row = ground.rows - 1 - far if side == 0 else far
    wide = [label(Hex(column - row // 2, row)) for column in range(first, min(first + width, ground.columns))]
    return wide[:4]


def begun(*wings: WingSpec, **more: Any) -> HostState:
    """A battle that has begun, deployed."""
    state = deployed(LAW.open(opening(*wings, **more)))
    for side in (0, 1):
        state, _events = do(state, SetReady(side))
    state, _events = do(state, Start())
    return state


class Table:
    """A battle in the middle of a phase, units where they are told by name, and short words to try things on it."""

    def __init__(
        self, *wings: WingSpec, places: dict[str, str], phase: str = ACTION, side: int = 0, wing: str = "a",
        order: str = "", **more: Any,
    ):  # fmt: skip
        state = LAW.open(opening(*wings, **more))
        self.ids = {str(token.name): unit for unit, token in state.field.tokens.items()}
        field = state.field
        for name, unit in self.ids.items():
            field = field.put(unit, at=places.get(name, ""))
        active = wing if phase == ACTION else ""
        self.state = state.but(field=replace(field, started=True), phase=phase, side=side, first=side, wing=active)
        if order:
            self.wing("a", order=order)

    def unit(self, name: str) -> Unit:
        return self.state.units[self.ids[name]]

    def at(self, name: str) -> str:
        return self.state.token(self.ids[name]).at

    def gone(self, name: str) -> str:
        return self.state.token(self.ids[name]).gone

    def set(self, name: str, **fields: Any) -> Table:
        hidden = {"hidden": fields["posture"] == "infiltrating"} if "posture" in fields else {}
        self.state = self.state.but(field=self.state.field.put(self.ids[name], **hidden))
        self.state = self.state.with_unit(self.ids[name], **fields)
        return self

    def put(self, name: str, at: str) -> Table:
        self.state = self.state.but(field=self.state.field.put(self.ids[name], at=at))
        return self

    def wing(self, id_: str, **fields: Any) -> Table:
        self.state = self.state.with_wing(id_, **fields)
        return self

    def engage(self, one: str, other: str) -> Table:
        self.set(one, foes=self.unit(one).foes | {self.ids[other]})
        return self.set(other, foes=self.unit(other).foes | {self.ids[one]})

    def do(self, command: Any, viewer: Viewer = OMNISCIENT, /, **faces: Iterable[int]) -> list[str]:
        """Does it with these dice; answers the kinds of its events."""
        self.dice = Loaded("", **faces)
        self.state, self.events = do(self.state, command, self.dice, viewer)
        return [type(event).__name__ for event in self.events]

    def event(self, kind: type) -> Any:
        return next(event for event in self.events if isinstance(event, kind))

    def act(self, name: str, to: str = "", target: str = "", how: str = "melee", **more: Any) -> c.UnitAct:
        """The command of an act, by names. `stay`: names."""
        more["stay"] = tuple(self.ids[one] for one in more.get("stay", ()))
        attack = c.Strike(self.ids[target], how) if target else None
        return c.UnitAct(self.ids[name], to=to, attack=attack, **more)

    def refused(self, command: Any, words: str, viewer: Viewer = OMNISCIENT) -> None:
        """The command is refused in these words, and nothing happens."""
        with pytest.raises(Refusal, match=words):
            LAW.decide(self.state, command, Loaded(), viewer)

    def legal(self, *picks: str, viewer: Viewer = OMNISCIENT) -> Any:
        """What is legal, of names, hexes and acts that are picked."""
        selection = tuple(self.ids.get(pick, pick) for pick in picks)
        return LAW.legal(LAW.seen(self.state, viewer), viewer, selection)


def army(
    id_: str, side: int, *troops: str | WingTroop, characters: Iterable[WingCharacter] = (), order: str = "attack",
    morale: int = 8, chief: str = "", given: Sequence[LastingAdjustment] = (), **commander: Any,
) -> WingSpec:  # fmt: skip
    """A small wing. A troop is its type, or the type and a name after a colon."""
    read = [troop if isinstance(troop, WingTroop) else WingTroop(*troop.split(":")) for troop in troops]
    sheet = WingSheet(tuple(read), tuple(characters), order, morale)
    own = WingCommander(**{"ability": "B", **commander})
    led = (f"c-{id_}", chief or f"Chief {id_}", own)
    return wing_of(id_, f"Wing {id_}", side, sheet, commander=led, given=given)


Chooser = Callable[[HostState, Viewer, Random], Any]


def played(
    state: HostState,
    seed: str,
    *,
    choosers: tuple[Chooser, Chooser] = (next_command, next_command),
    most: int = MOST_COMMANDS,
) -> tuple[HostState, list[Any], list[Any]]:
    """A battle played to its end by two players; its commands and events."""
    random, dice = Random(seed), Loaded(seed)
    commands: list[Any] = []
    events: list[Any] = []
    viewers = (side_viewer(state, 0), side_viewer(state, 1))
    while not state.field.ended and len(commands) < most:
        side = state.side
        seen = LAW.seen(state, viewers[side])
        command = choosers[side](seen, viewers[side], random)
        assert command is not None, (state.phase, side)
        done = LAW.decide(state, command, dice, viewers[side])
        state = LAW.fold(state, done)
        commands.append(command)
        events += done
    return state, commands, events

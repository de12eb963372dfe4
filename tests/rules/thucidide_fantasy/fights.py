"""Battles of thucidide-fantasy to try things on: maps, contingents, and a way to play them."""

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
from rules.thucidide_fantasy.battle.law import FantasyBattles
from rules.thucidide_fantasy.battle.player import next_command
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FIGHTING_PHASE, BattleOpening, FantasyState
from rules.thucidide_fantasy.contingent import (
    DARK_HOST,
    REALM,
    ContingentCharacter,
    ContingentCommander,
    ContingentSheet,
    ContingentUnit,
    SampleHost,
)
from rules.thucidide_fantasy.figures import contingent_of
from rules.thucidide_fantasy.spec import BattleOptions, ContingentSpec

LAW = FantasyBattles()
SALT = "salt"
MOST_COMMANDS = 3000
FACES = {"g": 1, "b": 2, "r": 3, "f": 4, "l": 5, "a": 6}
"""Green, blue, red, flag, letter, advantage."""


def open_ground(columns: int = 13, rows: int = 11, terrain: Iterable[str] = ()) -> dict[str, Any]:
    """A map of bare ground, or with these rows."""
    rows_of = tuple(terrain)
    columns = len(rows_of[0]) if rows_of else columns
    base = document(blank("Field", MapKind.BATTLE, columns, len(rows_of) or rows))
    return base | ({"terrain": list(rows_of)} if rows_of else {})


def starter(slug: str) -> dict[str, Any]:
    return document(STARTERS[slug])


def host(
    sample: SampleHost, side: int, *, experience: str = "", casters: bool = True, id_: str = "", **commander: Any
) -> ContingentSpec:
    """A sample host on a side. `experience`: of all its units."""
    id_ = id_ or "ab"[side]
    units = tuple(unit._replace(experience=experience) for unit in sample.sheet.units)
    sheet = sample.sheet._replace(units=units, characters=sample.sheet.characters if casters else ())
    chief = sample.commander._replace(**commander)
    return contingent_of(id_, str(sample.name), side, sheet, commander=(f"c-{id_}", f"Chief {id_}", chief))


def realm(side: int, **changes: Any) -> ContingentSpec:
    return host(REALM, side, **changes)


def dark_host(side: int, **changes: Any) -> ContingentSpec:
    return host(DARK_HOST, side, **changes)


def opening(
    *armies: ContingentSpec, map_: dict[str, Any] | None = None, options: BattleOptions | None = None, salt: str = SALT
) -> BattleOpening:
    found = BattleOpening(map_ or open_ground(), ("South", "North"), armies, salt, options=options or BattleOptions())
    return LAW.check(found)


class Loaded:
    """Dice that fall as they are told, by name; what is not told falls by a seed."""

    def __init__(self, seed: str = "", **faces: Iterable[int] | str):
        self.random = Random(seed)
        self.faces = {name: [FACES.get(one, one) for one in values] for name, values in faces.items()}
        self.rolled: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        told = self.faces.get(name)
        value: Any = told.pop(0) if told else self.random.randint(1, die)
        self.rolled.append(Roll(army, name, die, value))
        return self.rolled[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...

    @property
    def left(self) -> dict[str, list[Any]]:
        return {name: values for name, values in self.faces.items() if values}


def do(
    state: FantasyState, command: Any, dice: Any = None, viewer: Viewer = OMNISCIENT
) -> tuple[FantasyState, tuple[Any, ...]]:
    """The state after a command, and its events."""
    events = LAW.decide(state, command, dice or Loaded(), viewer)
    return LAW.fold(state, events), events


def side_viewer(state: FantasyState, side: int) -> Viewer:
    return Viewer(armies=frozenset(army for army, own in state.field.armies.items() if own == side))


def deployed(state: FantasyState) -> FantasyState:
    """Each side's units in the front row of its zone, then the second; characters with the units in the middle."""
    field = state.field
    for side in (0, 1):
        zone = field.ground.zone(side, LAW.zone_rows)
        rows = sorted({field.ground.from_home(side, at) for at in zone}, reverse=True)
        units = [unit for unit in state.units if state.side_of(unit) == side]
        wide = -(-len(units) // len(rows)) if len(units) > field.ground.columns else len(units)
        spots = [at for row in rows for at in _row(state, side, row, wide) if at in zone]
        for unit, at in zip(units, spots, strict=False):
            state, _events = do(state, Place(unit, at))
        middle = units[len(units) // 2]
        for person in state.people:
            if state.side_of(person) == side:
                state, _events = do(state, Place(person, state.at(middle)))
    return state


def _row(state: FantasyState, side: int, far: int, wide: int) -> list[str]:
    ground = state.field.ground
    row = ground.rows - 1 - far if side == 0 else far
    first = max(0, (ground.columns - wide) // 2)
    return [label(Hex(column - row // 2, row)) for column in range(first, min(first + wide, ground.columns))]


def begun(*armies: ContingentSpec, lot: tuple[int, int] = (6, 1), **more: Any) -> FantasyState:
    """A battle that has begun, deployed; the first side has the lot."""
    state = deployed(LAW.open(opening(*armies, **more)))
    for side in (0, 1):
        state, _events = do(state, SetReady(side))
    state, _events = do(state, Start(), Loaded(lot=lot))
    return state


def army(
    id_: str, side: int, *units: str | ContingentUnit, people: Iterable[ContingentCharacter] = (), chief: str = "",
    leads: bool = True, adjustments: Sequence[LastingAdjustment] = (), **commander: Any,
) -> ContingentSpec:  # fmt: skip
    """A small contingent. A unit is its type, or the type and a name after a colon."""
    read = [unit if isinstance(unit, ContingentUnit) else ContingentUnit(*unit.split(":")) for unit in units]
    sheet = ContingentSheet(tuple(read), tuple(people))
    own = (f"c-{id_}", chief or f"Chief {id_}", ContingentCommander(**commander)) if leads else None
    return contingent_of(id_, f"Army {id_}", side, sheet, commander=own, adjustments=adjustments)


class Table:
    """A battle in the middle of a phase, units where they are told by name, and short words to try things on it."""

    def __init__(
        self, *armies: ContingentSpec, places: dict[str, str], phase: str = FIGHTING_PHASE, side: int = 0,
        victory: int = 99, active: bool = True, **more: Any,
    ):  # fmt: skip
        state = LAW.open(opening(*armies, **more))
        self.ids = {str(token.name): unit for unit, token in state.field.tokens.items()}
        field = state.field
        for name, unit in self.ids.items():
            field = field.put(unit, at=places.get(name, ""))
        self.state = state.but(
            field=replace(field, started=True), phase=phase, side=side, first=0, victory=(victory, victory),
            share=3, allowed=1,
        )  # fmt: skip
        if active and phase != COMMANDING:
            for piece in (*state.units, *state.people):
                if self.state.side_of(piece) == side:
                    self.state = self.state.with_doing(piece, activated=True)

    def id(self, name: str) -> str:
        return self.ids.get(name, name)

    def unit(self, name: str) -> Any:
        return self.state.units[self.ids[name]]

    def person(self, name: str) -> Any:
        return self.state.people[self.ids[name]]

    def at(self, name: str) -> str:
        return self.state.at(self.ids[name])

    def gone(self, name: str) -> str:
        return self.state.token(self.ids[name]).gone

    def set(self, name: str, **fields: Any) -> Table:
        """Other figures or states of a unit, a character, or what it did."""
        piece = self.ids[name]
        kind = self.state.units if piece in self.state.units else self.state.people
        own = kind[piece]
        for field, value in fields.items():
            if field in own.doing._fields:
                own = own._replace(doing=own.doing._replace(**{field: value}))
            elif field in own._fields:
                own = own._replace(**{field: value})
            else:
                own = own._replace(own=own.own._replace(**{field: value}))
        change = self.state.with_unit if kind is self.state.units else self.state.with_person
        self.state = change(piece, **own._asdict())
        return self

    def put(self, name: str, at: str) -> Table:
        self.state = self.state.but(field=self.state.field.put(self.ids[name], at=at))
        return self

    def now(self, **fields: Any) -> Table:
        self.state = self.state.but(**fields)
        return self

    def do(self, command: Any, viewer: Viewer = OMNISCIENT, /, **faces: Iterable[int] | str) -> list[str]:
        """Does it with these dice; answers the kinds of its events. Every die told has to be thrown."""
        self.dice = Loaded("", **faces)
        self.state, self.events = do(self.state, command, self.dice, viewer)
        assert self.dice.left == {}
        for unit, token in self.state.field.tokens.items():
            self.ids.setdefault(token.name, unit)
        return [type(event).__name__ for event in self.events]

    def event(self, kind: type) -> Any:
        return next(event for event in self.events if isinstance(event, kind))

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def attack(self, unit: str, target: str, **faces: Any) -> list[str]:
        return self.do(c.OpenMelee(self.ids[unit], self.ids[target]), **faces)

    def shoot(self, unit: str, target: str, **faces: Any) -> list[str]:
        return self.do(c.OpenShot(self.ids[unit], self.ids[target]), **faces)

    def move(self, unit: str, to: str = "", **more: Any) -> list[str]:
        return self.do(self.moving(unit, to, **more))

    def moving(self, unit: str, to: str = "", **more: Any) -> c.MovePiece:
        more["stay"] = tuple(self.ids[one] for one in more.get("stay", ()))
        return c.MovePiece(self.ids[unit], to=to, **more)

    def activate(self, leader: str | None, *units: str, people: Iterable[str] = ()) -> c.ActivateUnits:
        chief = self.ids[leader] if leader else None
        return c.ActivateUnits(chief, tuple(map(self.id, units)), tuple(map(self.id, people)))

    def cast(self, caster: str, spell: str, /, *targets: str, **faces: Any) -> list[str]:
        return self.do(self.casting(caster, spell, *targets), **faces)

    def casting(self, caster: str, spell: str, *targets: str) -> c.CastSpell:
        return c.CastSpell(self.ids[caster], spell, tuple(map(self.id, targets)))

    def end(self, phases: int = 1) -> list[str]:
        kinds: list[str] = []
        for _phase in range(phases):
            kinds += self.do(c.EndPhase())
        return kinds

    def refused(self, command: Any, words: str, viewer: Viewer = OMNISCIENT) -> None:
        """The command is refused in these words, and nothing happens."""
        with pytest.raises(Refusal, match=words):
            LAW.decide(self.state, command, Loaded(), viewer)

    def legal(self, *picks: str, viewer: Viewer = OMNISCIENT) -> Any:
        """What is legal, of names, hexes and acts that are picked."""
        return LAW.legal(LAW.seen(self.state, viewer), viewer, tuple(map(self.id, picks)))


Chooser = Callable[[FantasyState, Viewer, Random], Any]


def whose(state: FantasyState) -> int:
    """The side that has to do something."""
    return state.fight.side if state.fight and state.fight.side >= 0 else state.side


def played(
    state: FantasyState,
    seed: str,
    *,
    choosers: tuple[Chooser, Chooser] = (next_command, next_command),
    most: int = MOST_COMMANDS,
) -> tuple[FantasyState, list[Any], list[Any]]:
    """A battle played to its end by two players; its commands and events."""
    random, dice = Random(seed), Loaded(seed)
    commands: list[Any] = []
    events: list[Any] = []
    viewers = (side_viewer(state, 0), side_viewer(state, 1))
    while not state.field.ended and len(commands) < most:
        side = whose(state)
        seen = LAW.seen(state, viewers[side])
        command = choosers[side](seen, viewers[side], random)
        assert command is not None, (state.phase, side, state.fight)
        done = LAW.decide(state, command, dice, viewers[side])
        state = LAW.fold(state, done)
        commands.append(command)
        events += done
    return state, commands, events

"""State of a battle: the field, the units and characters, whose turn it is, and what it waits for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.dice import Roll
from rules.core.frozen_copy import changed, remembered
from rules.core.text import UnitName
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Field, Token
from rules.thucidide_fantasy.battle.throws import Throw
from rules.thucidide_fantasy.spec import BattleOptions, CharacterFigures, ContingentSpec, UnitFigures

LIST, DEPLOYMENT = "list", "deployment"
DREAMS = (LIST, DEPLOYMENT)
"""What a dream can show a side of its enemy before the battle (TF-7)."""
COMMANDING, MOVING, FIGHTING_PHASE, CASTING = "command", "movement", "combat", "spells"
PHASES = (COMMANDING, MOVING, FIGHTING_PHASE, CASTING)
REMEMBERED_BY = frozenset({"field", "units", "people", "options"})
"""The members of a state that its cached values depend on (`remembered`)."""


class RaisedType(NamedTuple):
    """Name and figures of a type of unit that spells raise."""

    name: UnitName
    figures: UnitFigures


class BattleOpening(NamedTuple):
    """Opening of a battle.

    `generals`: by side, the army whose commander is the general; "" for the first that has one (T-84). `salt`: for
    making ids (H-8). `raised`: types of units that spells raise, by slug. `asked`: options that differ from the
    campaign's. `called`: the names of summoned units in a battle of a former version, by the English one.
    """

    map: Mapping[str, Any]
    sides: tuple[str, ...]
    contingents: tuple[ContingentSpec, ...]
    salt: str
    generals: tuple[str, ...] = ("", "")
    options: BattleOptions = BattleOptions()
    raised: Mapping[str, RaisedType] = {}
    asked: Mapping[str, object] = {}
    called: Mapping[str, str] = {}


class Doing(NamedTuple):
    """What a unit or character has done in the current player turn.

    `start`: its hex before it moved. `free`: activated for free. `far`: it moved too far to fight. `stirred`: it moved,
    was carried or retreated. `bonus`: extra hexes of a forced march. `woodsman`: number of difficult hexes that count
    as open. `done`: its move is over. `cast`: it cast or declined.
    """

    activated: bool = False
    free: bool = False
    leader: str = ""
    start: str = ""
    done: bool = False
    far: bool = False
    stirred: bool = False
    shifted: bool = False
    fought: bool = False
    pursued: bool = False
    announced: bool = False
    cast: bool = False
    carried: bool = False
    bonus: int = 0
    woodsman: int = 0


IDLE = Doing()


class Unit(NamedTuple):
    """Figures and state of a unit; its place is in its token.

    `stands`: left. `start`: at the start. `master`: id of an undead unit's master. `summoned`: it came by a spell or
    god and doesn't count. `false`: a phantom. `turner`: id of the caster who turned it, so that it attacks its own side
    (904); `turns_left`: until it is dust.
    """

    own: UnitFigures
    stands: int
    start: int
    master: str = ""
    summoned: bool = False
    false: bool = False
    turner: str = ""
    turns_left: int = 0
    returned: bool = False
    key: str = ""
    doing: Doing = IDLE


class Person(NamedTuple):
    """Figures and state of a character.

    `left`: resistance left. `start`: at the start. `rank`: as which they lead now, "" for none. `cards`: spells left,
    by slug. `points`: spell points left.
    """

    own: CharacterFigures
    left: int
    start: int
    rank: str = ""
    commander: bool = False
    key: str = ""
    cards: tuple[str, ...] = ()
    points: int = 0
    chosen: bool = False
    doing: Doing = IDLE


class Activation(NamedTuple):
    """An activation: its leader ("" for none) and the units."""

    leader: str
    units: tuple[str, ...]


class Reroll(NamedTuple):
    """A right to reroll a die (TF-7). `until`: spell phases of this side until it ends."""

    side: int
    until: int


class Todo(NamedTuple):
    """A step of a combat, spell or god's answer still to do.

    `stage` names it; the other members are its data. `who`: heroes that fought a duel. `before`: the dice whose losses
    are confirmed. `step`: the stage of confirmation. `asked`: the sides asked about a reroll, as bits. `again`: the
    index of the die that was rerolled.
    """

    stage: str
    unit: str = ""
    foe: str = ""
    hexes: tuple[str, ...] = ()
    number: int = 0
    what: str = ""
    who: tuple[str, ...] = ()
    throw: Throw | None = None
    rolls: tuple[Roll, ...] = ()
    before: tuple[Roll, ...] = ()
    flag: bool = False
    step: int = 0
    asked: int = 0
    again: int = -1


class Fight(NamedTuple):
    """A combat, spell or god's answer that waits (T-34). `asks`: the kind of answer, about `todo[0]`. `side`: who
    answers, -1 for the GM. `options`: hexes or units to choose from.
    """

    attacker: str
    target: str
    asks: str
    side: int
    todo: tuple[Todo, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class FantasyState:
    """Complete state of a battle.

    `side`: whose player turn it is. `first`: who began. `turn`: number, counted for both sides together. `share`: units
    per activation this turn. `allowed`: number of activations. `activations`: those made. `order`: the manoeuvre order
    of this turn. By side: `counters`; `victory`, the enemy units to destroy; `generals`; `consents`, whether it allows
    the enemy's appeals; `sealed`, whether a fog hides its setup; `dreams`, what it sees of the enemy until the start
    (TF-7); `fallen`, its units that count as destroyed. `joined`: reinforcements.
    """

    opening: BattleOpening
    field: Field
    units: Mapping[str, Unit]
    people: Mapping[str, Person]
    options: BattleOptions
    generals: tuple[str, ...] = ("", "")
    counters: tuple[int, ...] = (0, 0)
    victory: tuple[int, ...] = (0, 0)
    consents: tuple[bool, ...] = (False, False)
    sealed: tuple[bool, ...] = (False, False)
    dreams: tuple[tuple[str, ...], ...] = ((), ())
    turn: int = 1
    first: int = 0
    side: int = 0
    phase: str = COMMANDING
    share: int = 3
    allowed: int = 1
    activations: tuple[Activation, ...] = ()
    order: str = ""
    fallen: tuple[frozenset[str], ...] = (frozenset(), frozenset())
    used_graves: frozenset[str] = frozenset()
    rerolls: tuple[Reroll, ...] = ()
    fight: Fight | None = None
    last: tuple[str, str] | None = None
    joined: tuple[ContingentSpec, ...] = ()

    # Queries

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Cache of values derived from this state (`remembered`), shared with states of equal places, figures, effects
        and options.

        Cached values must not depend on the stands left or on `Doing`.
        """
        return {}

    def token(self, piece: str) -> Token:
        return self.field.tokens[piece]

    def side_of(self, piece: str) -> int:
        return self.field.tokens[piece].side

    def at(self, piece: str) -> str:
        return self.field.tokens[piece].at

    def name(self, piece: str) -> UnitName:
        return self.field.tokens[piece].name

    def told_name(self, piece: str) -> UnitName:
        """Its name for the reader of this state, with its army's if they know two of that name."""
        return name_of(self.field, piece)

    def name_in_side(self, piece: str) -> UnitName:
        """The name of a unit in a text whose context makes its side clear."""
        return name_of(self.field, piece, in_side=True)

    def doing(self, piece: str) -> Doing:
        return self.units[piece].doing if piece in self.units else self.people[piece].doing

    def standing(self, piece: str) -> bool:
        token = self.field.tokens.get(piece)
        return token is not None and token.standing

    def units_of(self, side: int) -> tuple[str, ...]:
        """A side's units on the map, in the order of its armies."""
        return _units_of(self, side)

    def people_of(self, side: int) -> tuple[str, ...]:
        return _people_of(self, side)

    def people_at(self, at: str) -> tuple[str, ...]:
        """The characters on a hex, in the order of T-66."""
        here = [token.id for token in self.field.at(at) if token.id in self.people]
        return tuple(here) if len(here) < 2 else tuple(one for one in self.people if one in here)

    def unit_at(self, at: str) -> str:
        """The unit on a hex, "" for none."""
        for token in self.field.at(at):
            if token.id in self.units:
                return token.id
        return ""

    def with_unit_of(self, person: str) -> str:
        """The unit a character is with, "" if alone."""
        return self.unit_at(self.at(person))

    # Modified copies, used to fold events

    def but(self, **fields: Any) -> FantasyState:
        copy = changed(self, **fields)
        if not REMEMBERED_BY.isdisjoint(fields):
            copy.__dict__.pop("memo", None)
        return copy

    def keeping(self, **fields: Any) -> FantasyState:
        """A copy with members changed that no cached value depends on; the cache is kept."""
        return changed(self, **fields)

    def with_unit(self, unit: str, **fields: Any) -> FantasyState:
        return self.but(units={**self.units, unit: self.units[unit]._replace(**fields)})

    def with_person(self, person: str, **fields: Any) -> FantasyState:
        return self.but(people={**self.people, person: self.people[person]._replace(**fields)})

    def with_stands(self, unit: str, left: int) -> FantasyState:
        own = self.units[unit]._replace(stands=max(0, left))
        return self.keeping(units={**self.units, unit: own})

    def with_doing(self, piece: str, **fields: Any) -> FantasyState:
        if piece in self.units:
            unit = self.units[piece]
            own = unit._replace(doing=unit.doing._replace(**fields))
            return self.keeping(units={**self.units, piece: own})
        if piece in self.people:
            person = self.people[piece]
            who = person._replace(doing=person.doing._replace(**fields))
            return self.keeping(people={**self.people, piece: who})
        return self


@remembered
def _units_of(state: FantasyState, side: int) -> tuple[str, ...]:
    tokens = state.field.tokens
    return tuple(one for one in state.units if one in tokens and tokens[one].side == side and tokens[one].standing)


@remembered
def _people_of(state: FantasyState, side: int) -> tuple[str, ...]:
    tokens = state.field.tokens
    return tuple(one for one in state.people if one in tokens and tokens[one].side == side and tokens[one].standing)


def by_side(values: tuple[Any, ...], side: int, value: Any) -> tuple[Any, ...]:
    """A copy of the values with one side's changed."""
    return tuple(value if number == side else own for number, own in enumerate(values))

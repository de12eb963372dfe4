"""State of a battle: the field, units and characters with what became of them, whose turn it is, what waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.dice import Roll
from rules.core.frozen_copy import changed, remembered
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Field
from rules.hexbattle.tokens import Token
from rules.thucidide_fantasy.battle.throws import Throw
from rules.thucidide_fantasy.spec import BattleOptions, CharacterFigures, ContingentSpec, UnitFigures

LIST, DEPLOYMENT = "list", "deployment"
DREAMS = (LIST, DEPLOYMENT)
"""What of its enemy a side may dream of before the battle (TF-7)."""
COMMANDING, MOVING, FIGHTING_PHASE, CASTING = "command", "movement", "combat", "spells"
PHASES = (COMMANDING, MOVING, FIGHTING_PHASE, CASTING)
REMEMBERED_BY = frozenset({"field", "units", "people", "options"})
"""The members of a state by which what is remembered of it goes (`remembered`)."""


class RaisedType(NamedTuple):
    """What a spell raises: its name and figures."""

    name: str
    figures: UnitFigures


class BattleOpening(NamedTuple):
    """How a battle begins. `generals`: by side the army whose commander is the general, "" for the first that has one
    (T-84). `salt`: of the ids (H-8). `raised`: name and figures of the types that spells raise.
    `asked`: options that differ from the campaign's.
    """

    map: Mapping[str, Any]
    sides: tuple[str, ...]
    contingents: tuple[ContingentSpec, ...]
    salt: str
    generals: tuple[str, ...] = ("", "")
    options: BattleOptions = BattleOptions()
    raised: Mapping[str, RaisedType] = {}
    asked: Mapping[str, object] = {}


class Doing(NamedTuple):
    """What a unit or character did in its player's turn. `start`: the hex it stood on as the turn began to move it.

    `free`: activated as one of the two free characters. `far`: it moved as far as who doesn't fight. `stirred`: it
    moved, was carried or retreated. `bonus`: hexes more by a forced march. `woodsman`: difficult hexes as open.
    `done`: its move is over. `cast`: it cast or declined.
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
    """A unit's figures and state; where it stands is its token's. `stands`: left; `start`: at the start.

    `master`: id of the undead's. `summoned`: it came by a spell or a god and counts for nothing. `false`: a phantom.
    `turned`: it attacks its own side until it crumbles (904); `turner`: whose spell it is.
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
    """A character's figures and state. `left`: resistance left. `rank`: how it leads now ("" for nobody).

    `cards`: left, by slug; `points`: left. `first`: the character of the army who commands it.
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
    """Units that a leader activated; "" where none leads."""

    leader: str
    units: tuple[str, ...]


class Reroll(NamedTuple):
    """A die that may be thrown again (TF-7), until this side's spell phase ends."""

    side: int
    until: int


class Todo(NamedTuple):
    """A step of a combat, spell or god's answer that is still to be done. `stage` says which; the rest is what it
    needs. `who`: heroes that fought each other first. `before`: the dice whose losses are confirmed, `step` by step.
    `asked`: the sides that were asked about a reroll, as bits; `again`: the die that was thrown again.
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
    """A combat, spell or god's answer that waits (T-34). `asks`: what it waits for, about `todo[0]`. `side`: who
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
    """`side`: whose player turn it is; `first`: who began. `turn`: of both sides. `share`: units an activation may
    hold this turn; `allowed`: how many activations. `activations`: those made. `order`: the manoeuvre order given this
    turn. `counters`: by side. `victory`: by side, how many enemy units it must destroy. `generals`: by side.
    `consents`: by side, whether it allows its enemy's appeals. `sealed`: by side, whether its places stay
    hidden until the start; `dreams`: by side, what of its enemy it is shown until then (TF-7). `fallen`: by side, its
    own units that count as destroyed, each once. `joined`: armies that came later.
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

    # Reading

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was worked out from this state (`remembered`): it goes by where everybody stands, by figures, effects
        and options. How many stands are left and what is done in a turn (`Doing`) nothing in it may read. Another state
        begins anew where one of these may differ.
        """
        return {}

    def token(self, piece: str) -> Token:
        return self.field.tokens[piece]

    def side_of(self, piece: str) -> int:
        return self.field.tokens[piece].side

    def at(self, piece: str) -> str:
        return self.field.tokens[piece].at

    def name(self, piece: str) -> str:
        return self.field.tokens[piece].name

    def told_name(self, piece: str) -> str:
        """Its name for the reader of this state, with its army's where they know two of that name."""
        return str(name_of(self.field, piece))

    def name_in_side(self, piece: str) -> str:
        """The same where it is plain which side it is of."""
        return str(name_of(self.field, piece, in_side=True))

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
        """The characters of a hex, in the order of T-66."""
        here = [token.id for token in self.field.at(at) if token.id in self.people]
        return tuple(here) if len(here) < 2 else tuple(one for one in self.people if one in here)

    def unit_at(self, at: str) -> str:
        """The unit on a hex, "" for none."""
        for token in self.field.at(at):
            if token.id in self.units:
                return token.id
        return ""

    def with_unit_of(self, person: str) -> str:
        """The unit a character is with, "" for one alone."""
        return self.unit_at(self.at(person))

    # Other states, for whoever folds events

    def but(self, **fields: Any) -> FantasyState:
        copy = changed(self, **fields)
        if not REMEMBERED_BY.isdisjoint(fields):
            copy.__dict__.pop("memo", None)
        return copy

    def keeping(self, **fields: Any) -> FantasyState:
        """With other fields that change nothing by which what is remembered goes."""
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
    """The values with that of one side changed."""
    return tuple(value if number == side else own for number, own in enumerate(values))

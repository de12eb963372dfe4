"""State of a battle: the field, units and their states, wings, the phase, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.frozen_copy import changed
from rules.core.text import UnitName
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Field, Token
from rules.wing_command.spec import (
    CHAOTIC,
    CLOSE_FLIGHT,
    GROUND,
    HIGH_FLIGHT,
    INFILTRATING,
    RETREAT,
    BattleOptions,
    UnitFigures,
    WingSpec,
)

FIT, SHAKEN, ROUTED = 0, 1, 2
FRESH, WINDED, EXHAUSTED = 0, 1, 2
INITIATIVE, COMMAND, ACTION, ROUT = "initiative", "command", "action", "rout"
PHASES = (INITIATIVE, COMMAND, ACTION, ROUT)
END = "end"
"""The phase at whose end effects end; no commands are given in it."""
LEFT_NOTHING = -1


class BattleOpening(NamedTuple):
    """Opening of a battle.

    `wings`: in the order of each side's armies. `army_leaders`: by side, the army whose commander leads the whole side,
    "" for the best ability (C-1). `salt`: for making ids (H-8). `asked`: options chosen for this battle only, until
    they are checked.
    """

    map: Mapping[str, Any]
    sides: tuple[str, ...]
    wings: tuple[WingSpec, ...]
    salt: str
    army_leaders: tuple[str, ...] = ("", "")
    options: BattleOptions = BattleOptions()
    asked: Mapping[str, object] = {}


class Unit(NamedTuple):
    """Figures and states of a unit; its place is in its token.

    `foes`: enemies it has fought in melee since it last moved away. `special`: it has a special order. `freed`: it
    received one this turn (W-55). `activated`: it has acted in the command phase. `moved`: it moved. `stirred`: it
    moved or fought. `acted`: its action is over. `tested`: it has tested to rally. `charged`: a charging troop carried
    it this turn. `spell`: the prepared one.
    """

    wing: str
    own: UnitFigures
    character: bool
    commander: bool = False
    key: str = ""
    morale: int = FIT
    fatigue: int = FRESH
    posture: str = GROUND
    foes: frozenset[str] = frozenset()
    special: bool = False
    freed: bool = False
    activated: bool = False
    moved: bool = False
    stirred: bool = False
    acted: bool = False
    tested: bool = False
    charged: bool = False
    spell: str = ""

    @property
    def routed(self) -> bool:
        return self.morale == ROUTED

    @property
    def high(self) -> bool:
        return self.posture == HIGH_FLIGHT

    @property
    def flying(self) -> bool:
        return self.posture in (CLOSE_FLIGHT, HIGH_FLIGHT)

    @property
    def infiltrating(self) -> bool:
        return self.posture == INFILTRATING

    @property
    def chaotic(self) -> bool:
        return self.own.profile == CHAOTIC

    @property
    def must_land(self) -> bool:
        return self.high and self.fatigue == EXHAUSTED


class Wing(NamedTuple):
    """A wing. `members`: its units in the order of W-61. `leader`: "" for none. `troops`: number at the start."""

    id: str
    name: str
    side: int
    members: tuple[str, ...]
    order: str
    morale: int
    leader: str = ""
    shaken: int = 0
    broken: bool = False
    done: bool = False
    troops: int = 0

    @property
    def retreats(self) -> bool:
        return self.order == RETREAT


class Distribution(NamedTuple):
    """A character who is giving special orders, and their points left."""

    character: str
    points: int


class Aiming(NamedTuple):
    """A caster whose spell succeeded and who must choose its target (W-28)."""

    character: str
    spell: str


class Going(NamedTuple):
    """A unit whose action isn't over, or the last one that acted: what it may still do (H-9, W-48).

    `left`: points for continuing after it met a hidden enemy, −1 if it can't. `beside`: enemies beside it before it
    moved. `clear`: hexes entered for 1 point each. `effort`: it has made its second effort. `out`: it was infiltrating
    before this action. `done`: it can only fight a duel now.
    """

    unit: str
    left: int = LEFT_NOTHING
    beside: tuple[str, ...] = ()
    clear: int = 0
    effort: bool = False
    out: bool = False
    done: bool = True


class Clash(NamedTuple):
    """An attack, duel or firebolt whose result isn't known yet.

    `how`: "melee" or "missile". `follow`: whether to follow into the hex left. `stay`: characters who then don't go
    along.
    """

    attacker: str
    target: str
    how: str
    duel: bool = False
    charged: bool = False
    out: bool = False
    follow: bool = True
    bolt: bool = False
    stay: tuple[str, ...] = ()


@dataclass(frozen=True)
class HostState:
    """Complete state of a battle.

    `side`: whose turn it is in the command and action phases. `first`: the side with the initiative. `wing`: the acting
    one. `passed`: sides that have passed in this command phase. `leaders`: the army leader of each side, "" for none.
    `blow`: an attack that waits for the GM's report. `last`: start and end hex of the last action that everybody saw.
    """

    opening: BattleOpening
    field: Field
    units: Mapping[str, Unit]
    wings: Mapping[str, Wing]
    leaders: tuple[str, ...]
    options: BattleOptions
    turn: int = 1
    phase: str = INITIATIVE
    first: int = 0
    side: int = 0
    wing: str = ""
    passed: frozenset[int] = frozenset()
    distribution: Distribution | None = None
    aiming: Aiming | None = None
    going: Going | None = None
    blow: Clash | None = None
    last: tuple[str, str] | None = None

    # Queries

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the cache; another process builds it again."""
        return {name: value for name, value in self.__dict__.items() if name != "memo"}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Cache of values derived from this state (`remembered`); every new state starts with an empty one."""
        return {}

    def token(self, unit: str) -> Token:
        return self.field.tokens[unit]

    def told_name(self, unit: str) -> UnitName:
        """Its name for the reader of this state, with its army's if they know two of that name."""
        return name_of(self.field, unit)

    def name_in_side(self, unit: str) -> UnitName:
        """The name of a unit in a text whose context makes its side clear."""
        return name_of(self.field, unit, in_side=True)

    def side_of(self, unit: str) -> int:
        return self.field.tokens[unit].side

    def wing_of(self, unit: str) -> Wing:
        return self.wings[self.units[unit].wing]

    def wings_of(self, side: int) -> tuple[Wing, ...]:
        return tuple(wing for wing in self.wings.values() if wing.side == side)

    @property
    def sides_in_order(self) -> tuple[int, int]:
        """The sides, the one with the initiative first (W-61)."""
        return (self.first, 1 - self.first)

    @property
    def wings_in_order(self) -> tuple[Wing, ...]:
        return tuple(wing for side in self.sides_in_order for wing in self.wings_of(side))

    def members(self, wing: Wing) -> Iterator[str]:
        """Units of a wing still in the battle, on the map or in the reserve."""
        tokens = self.field.tokens
        return (unit for unit in wing.members if unit in tokens and not tokens[unit].gone)

    def standing(self, wing: Wing) -> Iterator[str]:
        tokens = self.field.tokens
        return (unit for unit in wing.members if unit in tokens and tokens[unit].standing)

    def is_leader(self, unit: str) -> bool:
        """Whether a unit leads a wing."""
        return any(wing.leader == unit for wing in self.wings.values())

    def led_by(self, unit: str) -> Wing | None:
        return next((wing for wing in self.wings.values() if wing.leader == unit), None)

    def is_army_leader(self, unit: str) -> bool:
        return unit in self.leaders

    # Modified copies, used to fold events

    def but(self, **fields: Any) -> HostState:
        copy = changed(self, **fields)
        copy.__dict__.pop("memo", None)
        return copy

    def with_unit(self, unit: str, **fields: Any) -> HostState:
        if unit not in self.units:
            return self
        return self.but(units={**self.units, unit: self.units[unit]._replace(**fields)})

    def with_wing(self, wing: str, **fields: Any) -> HostState:
        return self.but(wings={**self.wings, wing: self.wings[wing]._replace(**fields)})

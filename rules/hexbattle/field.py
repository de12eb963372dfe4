"""Field of a hex battle: ground, units, what each side has met, timers and graves. A law's state contains one.

A `HexField` (`rules.hexes.field`) is a map; this is a map with a battle on it. Fields are frozen; events produce new
ones (`common.after`). `freeze` stores a field without the map, `thaw` restores it from the battle's opening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rules.battle_law import AFTERMATH, CLOSED, RUNNING, SETUP
from rules.core.frozen_copy import changed
from rules.hexbattle import timers as timing
from rules.hexbattle.ground import BattleGround, MapDocument, changes_between
from rules.hexbattle.timers import Timer
from rules.hexbattle.tokens import Token

SIDES = (0, 1)
WORKED_OUT = ("memo", "standing", "bearers")
"""Names of the properties derived from the units and cached on the field."""


class Grave(NamedTuple):
    """A hex where a unit fell."""

    at: str
    unit: str
    seen: tuple[bool, ...] = (True, True)
    """By side, whether it saw the unit fall."""


class Stumbled(NamedTuple):
    """A unit was stopped by an enemy its side didn't see, and must finish its move before any other unit acts (H-9).

    `left`: its remaining movement points. `walked`: the hexes it has entered in this action. `seen`: by side, who is
    told.
    """

    unit: str
    left: int
    walked: int
    seen: tuple[bool, ...]


class Ended(NamedTuple):
    """The battle is over. `winner`: a side, or None for a draw. `reason`: the law's slug, or the GM's own words."""

    winner: int | None
    reason: str = ""
    by_gm: bool = False


@dataclass(frozen=True)
class Field:
    """The whole field of a battle, or the part of it a reader may know.

    `armies`: the side of each army, by id. `met`: by side, the enemy units whose names it knows (H-7). `ready`: sides
    whose units are all placed. `stumbled`: the unit that must finish its move next. `ended`: how the battle ended.
    `closed`: its aftermath is confirmed. `names`: in a reader's field, the names of units they have met but don't see
    now; empty in the whole field. `army_names`: the name of each army, used to tell units of the same name apart
    (`distinct_army_names`).
    """

    ground: BattleGround
    armies: Mapping[str, int]
    tokens: Mapping[str, Token]
    met: tuple[frozenset[str], ...] = (frozenset(), frozenset())
    timers: tuple[Timer, ...] = ()
    graves: tuple[Grave, ...] = ()
    ready: frozenset[int] = frozenset()
    started: bool = False
    stumbled: Stumbled | None = None
    ended: Ended | None = None
    closed: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    army_names: Mapping[str, str] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the derived values; another process derives them again."""
        return {name: value for name, value in self.__dict__.items() if name not in WORKED_OUT}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Cache of values derived from the units (`remembered`); it starts empty whenever a unit changes."""
        return {}

    @cached_property
    def standing(self) -> Mapping[str, tuple[Token, ...]]:
        """The units on each hex, troops before characters; empty hexes are left out."""
        found: dict[str, tuple[Token, ...]] = {}
        for token in self.tokens.values():
            if token.standing:
                here = found.get(token.at, ())
                found[token.at] = (*here, token) if token.character else (token, *here)
        return found

    @cached_property
    def bearers(self) -> Mapping[str, frozenset[str]]:
        """For each unit name the reader knows, the armies with units of that name."""
        found: dict[str, set[str]] = {}
        for unit, name in self.names.items():
            found.setdefault(name, set()).add(unit.rpartition(":")[0])
        for token in self.tokens.values():
            found.setdefault(token.name, set()).add(token.army)
        return {name: frozenset(armies) for name, armies in found.items()}

    def at(self, hex_: str) -> tuple[Token, ...]:
        """The units on a hex, troops first."""
        return self.standing.get(hex_, ())

    def troop(self, hex_: str) -> Token | None:
        return next((token for token in self.at(hex_) if not token.character), None)

    def characters(self, hex_: str) -> tuple[Token, ...]:
        return tuple(token for token in self.at(hex_) if token.character)

    def stack(self, unit: str) -> tuple[Token, ...]:
        """The units on the same hex as this unit, itself included."""
        return self.at(self.tokens[unit].at)

    @property
    def status(self) -> str:
        """The stage of the battle: setup, running, aftermath or closed."""
        if self.ended:
            return CLOSED if self.closed else AFTERMATH
        return RUNNING if self.started else SETUP

    def troops(self, army: str) -> tuple[int, int]:
        """How many of an army's troops are left, and how many it had. Summoned and false units don't count."""
        own = [token for token in self.tokens.values() if token.army == army and token.counted and not token.character]
        return sum(not token.gone for token in own), len(own)

    def of_side(self, side: int) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens.values() if token.side == side)

    def enemies(self, side: int, *, unseen: frozenset[str] = frozenset()) -> tuple[Token, ...]:
        """The enemies of a side that stand on the map, without those in `unseen`."""
        return tuple(
            token for token in self.tokens.values() if token.side != side and token.standing and token.id not in unseen
        )

    def hexes(self, tokens: Iterable[Token]) -> frozenset[str]:
        return frozenset(token.at for token in tokens)

    def beside(self, hex_: str, tokens: Iterable[Token]) -> tuple[Token, ...]:
        """The given units that stand next to a hex."""
        near = frozenset(self.ground.around(hex_)) if hex_ else frozenset()
        return tuple(token for token in tokens if token.at in near)

    # Modified copies, used to fold events

    def put(self, unit: str, **changes: Any) -> Field:
        """A copy with some values of one unit changed."""
        return self.but(tokens={**self.tokens, unit: self.tokens[unit]._replace(**changes)})

    def but(self, **fields: Any) -> Field:
        """A copy with these attributes changed. Changing `tokens` clears the derived values."""
        copy = changed(self, **fields)
        if "tokens" in fields:
            for name in WORKED_OUT:
                copy.__dict__.pop(name, None)
        return copy

    def knowing(self, unit: str, sides: Iterable[int]) -> Field:
        """A copy in which these sides have met a unit."""
        own = self.tokens[unit].side
        new = {side for side in sides if side != own and unit not in self.met[side]}
        if not new:
            return self
        return self.but(met=tuple(known | {unit} if side in new else known for side, known in enumerate(self.met)))

    def timed(self, timers: Iterable[Timer]) -> Field:
        """A copy with these timers and the terrain overlays they cause."""
        kept = tuple(timers)
        return self.but(timers=kept, ground=self.ground.laid(timing.overlays(kept)))


class FrozenField(NamedTuple):
    """The stored form of a field: what differs from the opening. It never contains the map itself."""

    map: Mapping[str, object]
    tokens: Mapping[str, Token]
    met: tuple[tuple[str, ...], ...]
    timers: tuple[Timer, ...]
    graves: tuple[Grave, ...]
    ready: tuple[int, ...]
    started: bool
    stumbled: Stumbled | None
    ended: Ended | None
    closed: bool


def opened(
    document: MapDocument,
    armies: Mapping[str, int],
    tokens: Iterable[Token],
    army_names: Mapping[str, str] | None = None,
) -> Field:
    """The field at the opening of a battle, from its map's document and its units."""
    units = {token.id: token for token in tokens}
    return Field(BattleGround(document), dict(armies), units, army_names=army_names or {})


def distinct_army_names(armies: Iterable[tuple[str, str, int]], sides: Sequence[str]) -> dict[str, str]:
    """The display name of each army (id, name, side), with its side's where both sides have an army of that name."""
    found = list(armies)
    shared = Counter(name for name, _side in {(name, side) for _id, name, side in found})
    return {id_: f"{name}, {sides[side]}" if shared[name] > 1 else name for id_, name, side in found}


def freeze(opening: Field, now: Field) -> FrozenField:
    """The stored form of a field: its differences from the opening's field (`opened`)."""
    return FrozenField(
        changes_between(opening.ground.document, now.ground.document),
        {key: token for key, token in now.tokens.items() if opening.tokens.get(key) != token},
        tuple(tuple(sorted(known)) for known in now.met),
        now.timers,
        now.graves,
        tuple(sorted(now.ready)),
        now.started,
        now.stumbled,
        now.ended,
        now.closed,
    )


def thaw(opening: Field, frozen: FrozenField) -> Field:
    """The field restored from its stored form."""
    tokens = {**opening.tokens, **frozen.tokens}
    armies = {**opening.armies, **{token.army: token.side for token in frozen.tokens.values()}}
    now = Field(
        opening.ground.changed(frozen.map) if frozen.map else opening.ground,
        armies,
        tokens,
        tuple(map(frozenset, frozen.met)),
        graves=frozen.graves,
        ready=frozenset(frozen.ready),
        started=frozen.started,
        stumbled=frozen.stumbled,
        ended=frozen.ended,
        closed=frozen.closed,
        army_names=opening.army_names,
    )
    return now.timed(frozen.timers)

"""Field of a hex battle: units with their places and ids, ground, what each side has met, timers and graves. A law's
state contains one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rules.battle_law import AFTERMATH, CLOSED, RUNNING, SETUP
from rules.core.frozen_copy import changed
from rules.core.text import Term, UnitName, extend_name
from rules.core.viewers import Viewer
from rules.hexbattle import ground as timing
from rules.hexbattle.ground import BattleGround, MapDocument, Timer, changes_between

# Units of a hex battle: troops and characters, their places and their ids.
#
# A unit's figures, states and spells belong to its law, which stores them by the unit's id.


class Token(NamedTuple):
    """A unit on the map, in the reserve (`at` is "") or gone from the battle (`gone` is the law's slug of how)."""

    id: str
    army: str
    side: int
    name: UnitName
    at: str = ""
    gone: str = ""
    character: bool = False
    """Whether it is a character, who shares a hex with a troop of their side and with other characters."""
    hidden: bool = False
    """Whether it is hidden: enemies see it only from nearby (`seeing.unseen`)."""
    owner: str = ""
    """Id of the user who commands it besides the army's commander; "" for nobody."""
    counted: bool = True
    """Whether it counts in the losses; summoned and false units don't."""

    @property
    def standing(self) -> bool:
        """Whether it is on the map."""
        return bool(self.at) and not self.gone

    @property
    def waiting(self) -> bool:
        """Whether it is in the reserve."""
        return not self.at and not self.gone


NUMBERED = Term("{name} {number}")


def numbered(names: Sequence[UnitName]) -> tuple[UnitName, ...]:
    """The names, with a number appended to those that occur more than once, in order.

    >>> numbered(["Foot", "Riders", "Foot"])
    ('Foot 1', 'Riders', 'Foot 2')
    """
    totals, seen = Counter(map(str, names)), Counter[str]()
    found: list[UnitName] = []
    for name in names:
        seen[str(name)] += 1
        many = totals[str(name)] > 1
        found.append(extend_name(NUMBERED, name, number=seen[str(name)]) if many else name)
    return tuple(found)


def commands(viewer: Viewer, token: Token) -> bool:
    """Whether this viewer commands the unit: as the GM, as the commander of its army, or as its owner."""
    return viewer.commands(token.army) or (bool(token.owner) and token.owner == viewer.user)


def unit_id(army: str, salt: str, ordinal: int) -> str:
    """An id that reveals neither order nor number of an army's units (H-8): the army's id and six hex digits."""
    digest = hashlib.sha256(f"{salt}:{army}:{ordinal}".encode()).hexdigest()
    return f"{army}:{digest[:6]}"


def unit_ids(army: str, salt: str, count: int, first: int = 0) -> tuple[str, ...]:
    """Ids for `count` units of an army, after the first `first`. All differ; colliding digests are skipped."""
    found: dict[str, None] = {}
    ordinal = 0
    while len(found) < first + count:
        found.setdefault(unit_id(army, salt, ordinal))
        ordinal += 1
    return tuple(found)[first:]


def raised(
    army: str, side: int, salt: str, names: Sequence[UnitName], hidden: Callable[[UnitName], bool] = lambda name: False
) -> tuple[Token, ...]:
    """The units of a new army, all in the reserve. `hidden`: whether a unit of this name is hidden."""
    ids = unit_ids(army, salt, len(names))
    return tuple(Token(id_, army, side, name, hidden=hidden(name)) for id_, name in zip(ids, names, strict=True))


def by_name(tokens: Iterable[Token]) -> list[Token]:
    """The units sorted by side, army and name, numbers by value ("Foot 2" before "Foot 10"), never by id (H-11)."""
    return sorted(tokens, key=lambda token: (token.side, token.army, counting(str(token.name)), token.at))


def counting(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that compares numbers in names by value."""
    parts: list[tuple[int, str]] = []
    word = ""
    for letter in name.casefold():
        if word and letter.isdigit() != word[-1].isdigit():
            parts.append(_part(word))
            word = ""
        word += letter
    return tuple([*parts, _part(word)] if word else parts)


def _part(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdecimal() else (-1, word)


# Field of a hex battle: ground, units, what each side has met, timers and graves. A law's state contains one.
#
# A `HexField` (`rules.hexes.field`) is a map; this is a map with a battle on it. Fields are frozen; events produce new
# ones (`common.after`). `freeze` stores a field without the map, `thaw` restores it from the battle's opening.

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
    names: Mapping[str, UnitName] = field(default_factory=dict)
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
        """The armies with units of each name (as `str`), by the names that the reader knows."""
        found: dict[str, set[str]] = {}
        for unit, name in self.names.items():
            found.setdefault(str(name), set()).add(unit.rpartition(":")[0])
        for token in self.tokens.values():
            found.setdefault(str(token.name), set()).add(token.army)
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

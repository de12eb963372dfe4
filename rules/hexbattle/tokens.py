"""Units of a hex battle: troops and characters, their places and their ids.

A unit's figures, states and spells belong to its law, which stores them by the unit's id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules.core.viewers import Viewer


class Token(NamedTuple):
    """A unit on the map, in the reserve (`at` is "") or gone from the battle (`gone` is the law's slug of how)."""

    id: str
    army: str
    side: int
    name: str
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


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number appended to those that occur more than once, in order.

    >>> numbered(["Foot", "Riders", "Foot"])
    ('Foot 1', 'Riders', 'Foot 2')
    """
    totals, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if totals[name] > 1 else name)
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
    army: str, side: int, salt: str, names: Sequence[str], hidden: Callable[[str], bool] = lambda name: False
) -> tuple[Token, ...]:
    """The units of a new army, all in the reserve. `hidden`: whether a unit of this name is hidden."""
    ids = unit_ids(army, salt, len(names))
    return tuple(Token(id_, army, side, name, hidden=hidden(name)) for id_, name in zip(ids, names, strict=True))


def by_name(tokens: Iterable[Token]) -> list[Token]:
    """The units sorted by side, army and name, numbers by value ("Foot 2" before "Foot 10"), never by id (H-11)."""
    return sorted(tokens, key=lambda token: (token.side, token.army, counting(token.name), token.at))


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

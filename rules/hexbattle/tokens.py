"""Units of a hex battle: troops and characters, where they stand, and their ids.

What a unit is worth (figures, states, spells) is its law's, kept beside by the unit's id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules.core.viewers import Viewer


class Token(NamedTuple):
    """A unit on the map, in the reserve (`at` is "") or gone from the battle (`gone` says how, in the law's slug)."""

    id: str
    army: str
    side: int
    name: str
    at: str = ""
    gone: str = ""
    character: bool = False
    """Characters share a hex with a troop of their side and with each other."""
    hidden: bool = False
    """It lies hidden: enemies see it only from near (`seeing.unseen`)."""
    owner: str = ""
    """User id of who commands it beside whoever commands its army; "" for nobody."""
    counted: bool = True
    """Whether it counts when losses are shared out: summoned and false units don't."""

    @property
    def standing(self) -> bool:
        """Whether it is on the map."""
        return bool(self.at) and not self.gone

    @property
    def waiting(self) -> bool:
        """Whether it is in the reserve."""
        return not self.at and not self.gone


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """The same names; those that several share with a number behind them, in their order.

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
    """Whether this viewer commands the unit: the GM, whoever commands its army, or its owner."""
    return viewer.commands(token.army) or (bool(token.owner) and token.owner == viewer.user)


def unit_id(army: str, salt: str, ordinal: int) -> str:
    """An id that tells neither order nor number of an army's units (H-8): the army's, and six hex digits."""
    digest = hashlib.sha256(f"{salt}:{army}:{ordinal}".encode()).hexdigest()
    return f"{army}:{digest[:6]}"


def unit_ids(army: str, salt: str, count: int, first: int = 0) -> tuple[str, ...]:
    """Ids for so many units of an army, all different: an ordinal whose digits are taken already is passed over."""
    found: dict[str, None] = {}
    ordinal = 0
    while len(found) < first + count:
        found.setdefault(unit_id(army, salt, ordinal))
        ordinal += 1
    return tuple(found)[first:]


def raised(
    army: str, side: int, salt: str, names: Sequence[str], hidden: Callable[[str], bool] = lambda name: False
) -> tuple[Token, ...]:
    """The units of an army, in the reserve. `hidden`: of a name, whether the unit lies hidden."""
    ids = unit_ids(army, salt, len(names))
    return tuple(Token(id_, army, side, name, hidden=hidden(name)) for id_, name in zip(ids, names, strict=True))


def by_name(tokens: Iterable[Token]) -> list[Token]:
    """Sorted by army, then name as people count ("Foot 2" before "Foot 10"), never by id (H-11)."""
    return sorted(tokens, key=lambda token: (token.side, token.army, counting(token.name), token.at))


def counting(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts names as people count."""
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

"""Leaves of a document: every place of it where a word or a number stands, one of each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

WORD = re.compile(r"[a-z][a-z0-9_-]{0,39}|[A-Z]{1,2}")
PLACE, IDS = re.compile(r"/\d+(?=/|$)"), re.compile(r"/[0-9a-f]{8}-[0-9a-f-]{27}")


class Leaf(NamedTuple):
    """Where it stands (`at`), in which container, and whether it is the name of a member there."""

    at: str
    within: Any
    key: Any
    is_name: bool = False

    def replaced(self, value: Any) -> Callable[[], None]:
        """Put another there; answers what puts the old one back."""
        if self.is_name:
            return self._renamed(value)
        old = self.within[self.key]
        self.within[self.key] = value
        return lambda: self.within.__setitem__(self.key, old)

    def _renamed(self, name: str) -> Callable[[], None]:
        before = dict(self.within)
        after = {name if key == self.key else key: value for key, value in before.items()}
        _refill(self.within, after)
        return lambda: _refill(self.within, before)


def _refill(kept: dict[str, Any], now: dict[str, Any]) -> None:
    kept.clear()
    kept.update(now)


def leaves(document: dict[str, Any]) -> list[Leaf]:
    """Those below the campaign and the tables: words and numbers, one for each way there but for places in lists."""
    found: dict[str, Leaf] = {}
    for name in ("campaign", "tables"):
        for leaf in _below(document[name], f"/{name}"):
            kind = IDS.sub("/*", PLACE.sub("/*", leaf.at))
            word = leaf.key if leaf.is_name else leaf.within[leaf.key]
            if is_word(word) or is_number(word):
                found.setdefault(f"{kind}{' (name)' if leaf.is_name else ''}", leaf)
    return list(found.values())


def _below(value: Any, at: str) -> Iterator[Leaf]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(inside):
        here = f"{at}/{key}"
        if isinstance(value, dict) and here.count("/") > 4:  # below that are columns and tables
            yield Leaf(here, value, key, is_name=True)
        if isinstance(item, dict | list):
            yield from _below(item, here)
        else:
            yield Leaf(here, value, key)


def is_word(value: Any) -> bool:
    """A slug, or what may be one."""
    return isinstance(value, str) and bool(WORD.fullmatch(value))


def is_number(value: Any) -> bool:
    return type(value) is int

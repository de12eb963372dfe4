"""Members of JSON that somebody sent: every one is asked for by name and kind, all others are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.clean_input import clean_text
from rules.core.errors import demand, pointer
from rules.core.shapes.value_kinds import LIST_MOST, NUMBER_MOST, SLUG_MOST, ArmyKind, FlagKind, SlugKind, WholeKind
from rules.core.text import _

ABSENT = object()


class Members:
    """The members of one JSON object. Each raises `InvalidInput` with its pointer when it does not fit."""

    def __init__(self, data: object, at: str = ""):
        demand(isinstance(data, Mapping), _("Give an object with named fields."), field=at)
        self._data: Mapping[str, Any] = data  # type: ignore[assignment]
        self._at = at
        self._asked: set[str] = set()

    @property
    def at(self) -> str:
        """Where the object stands."""
        return self._at

    def pointer(self, name: str) -> str:
        return pointer(self._at, name)

    def has(self, name: str) -> bool:
        return name in self._data

    def raw(self, name: str, default: Any = None) -> Any:
        self._asked.add(name)
        return self._data.get(name, default)

    def slug(self, name: str) -> str:
        """An id or slug that must be there. Whether it names something is for the rules to say."""
        return read_slug(self.raw(name), self.pointer(name))

    def slug_or(self, name: str, default: Any) -> Any:
        """The slug, or the default where it is missing or null."""
        return default if self.raw(name) is None else self.slug(name)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.raw(name)
        if default is not None and value in (None, ""):
            return default
        return clean_text(value, field=self.pointer(name), most=200)

    def flag(self, name: str) -> bool:
        return bool(FlagKind().read_document(self.raw(name, False), self.pointer(name)))

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.raw(name, default)
        return read_whole(value, low, high, self.pointer(name))

    def slug_or_whole(self, name: str, most: int) -> str | int | None:
        """A word, or a whole number of at most this size either way; None where nothing is given."""
        value, at = self.raw(name), self.pointer(name)
        if value is None:
            return None
        return read_slug(value, at) if isinstance(value, str) else read_whole(value, -most, most, at)

    def all_slugs(self) -> dict[str, str]:
        """Every member, where names are free and values are slugs."""
        return {
            read_slug(name, self._at): _answer(value, self.pointer(str(name))) for name, value in self._data.items()
        }

    def all_plain(self) -> dict[str, str | int | None]:
        """Every member, where names are free and values are words, whole numbers or null."""
        return {read_slug(name, self._at): _plain(value, self.pointer(str(name))) for name, value in self._data.items()}

    def army(self, name: str) -> str:
        return read_army(self.raw(name), self.pointer(name))

    def armies(self, name: str) -> tuple[str, ...]:
        return self.each(name, read_army)

    def each[Item](self, name: str, read: Callable[[object, str], Item]) -> tuple[Item, ...]:
        """A list, each item read by `read(item, pointer)`; missing or null is empty."""
        value = self.raw(name)
        at = self.pointer(name)
        if value is None:
            return ()
        demand(isinstance(value, list | tuple) and len(value) <= LIST_MOST, _("Give a list."), field=at)
        return tuple(read(item, f"{at}/{index}") for index, item in enumerate(value))

    def done(self) -> None:
        """Refuse members nobody asked for: a misspelt one must not be ignored."""
        for name in self._data:
            demand(
                name in self._asked,
                _("“{name}” is not a field here."),
                field=self.pointer(str(name)[:SLUG_MOST]),
                name=str(name)[:SLUG_MOST],
            )


def read_slug(value: object, at: str) -> str:
    return str(SlugKind().read_document(value, at))


def _answer(value: object, at: str) -> str:
    """A slug, or "" where the answer is: nothing."""
    return "" if value in ("", None) else read_slug(value, at)


def _plain(value: object, at: str) -> str | int | None:
    if isinstance(value, str):
        return read_slug(value, at)
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= NUMBER_MOST
    demand(whole or value is None, _("Give a word from the list, a whole number or null."), field=at)
    return value  # type: ignore[return-value]


def read_army(value: object, at: str) -> str:
    """An army's id in its one spelling; what a law calls otherwise as it is."""
    return str(ArmyKind().read_document(value, at))


def read_whole(value: object, low: int, high: int, at: str) -> int:
    return int(WholeKind(low, high).read_document(value, at))

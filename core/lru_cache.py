"""LRU cache shared by threads, by keys that never change their meaning."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class LRUCache[Key: Hashable, Value]:
    """The latest things of a kind, `most` of them; every thread may ask. `weight`: what one weighs, of which all
    together weigh at most `heaviest`.
    """

    def __init__(self, most: int, *, heaviest: int = 0, weight: Callable[[Value], int] = lambda _value: 0):
        self.most, self.heaviest, self._weight = most, heaviest, weight
        self._found: OrderedDict[Key, Value] = OrderedDict()
        self._weighs = 0
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        with self._lock:
            if key in self._found:
                self._weighs -= self._weight(self._found.pop(key))
            self._found[key] = value
            self._weighs += self._weight(value)
            while len(self._found) > self.most or self._weighs > self.heaviest:
                self._weighs -= self._weight(self._found.popitem(last=False)[1])
        return value

    def clear(self) -> None:
        with self._lock:
            self._found.clear()
            self._weighs = 0

    def copy(self) -> dict[Key, Value]:
        with self._lock:
            return dict(self._found)

    def update(self, found: dict[Key, Value]) -> None:
        for key, value in found.items():
            self.keep(key, value)

    def __len__(self) -> int:
        return len(self._found)

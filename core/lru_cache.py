"""LRU cache shared by threads, for keys whose value never changes."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

import cachetools


class LRUCache[Key: Hashable, Value]:
    """LRU cache of at most `most` values."""

    def __init__(self, most: int):
        self._found: cachetools.LRUCache[Key, Value] = cachetools.LRUCache(most)
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        with self._lock:
            self._found[key] = value
        return value

    def clear(self) -> None:
        with self._lock:
            self._found.clear()

    def __len__(self) -> int:
        return len(self._found)

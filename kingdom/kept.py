"""What this process keeps, by a key that names it for good."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock


class Kept[Key: Hashable, Value]:
    """The latest things of a kind, `most` of them; every thread may ask."""

    def __init__(self, most: int):
        self.most = most
        self._found: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            while len(self._found) > self.most:
                self._found.popitem(last=False)
        return value

    def clear(self) -> None:
        with self._lock:
            self._found.clear()

    def copy(self) -> dict[Key, Value]:
        with self._lock:
            return dict(self._found)

    def update(self, found: dict[Key, Value]) -> None:
        for key, value in found.items():
            self.keep(key, value)

    def __len__(self) -> int:
        return len(self._found)

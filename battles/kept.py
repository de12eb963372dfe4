"""What this process keeps of battles, by an id that names it for good."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from uuid import UUID


class Kept[Value]:
    """The latest things of a kind, `most` of them; every thread may ask."""

    def __init__(self, most: int):
        self.most = most
        self._found: OrderedDict[UUID, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: UUID) -> Value | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: UUID, value: Value) -> Value:
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            while len(self._found) > self.most:
                self._found.popitem(last=False)
        return value

    def clear(self) -> None:
        with self._lock:
            self._found.clear()

    def copy(self) -> dict[UUID, Value]:
        with self._lock:
            return dict(self._found)

    def update(self, found: dict[UUID, Value]) -> None:
        for key, value in found.items():
            self.keep(key, value)

    def __len__(self) -> int:
        return len(self._found)

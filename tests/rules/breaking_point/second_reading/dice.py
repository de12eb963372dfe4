"""B-1: the open-ended d10."""

from __future__ import annotations

from collections.abc import Callable

type Face = Callable[[str, str, int], int]
"""Owner, purpose, size of the die: its face."""


class Open(tuple[int, ...]):
    """The faces of one throw, in order."""

    @property
    def value(self) -> int:
        first, *more = self
        return first - sum(more) if first == 1 else first + sum(more)


def throw(face: Face, owner: str, name: str, *, plain: bool = False) -> Open:
    """A first 10 rolls on and adds, a first 1 rolls on and subtracts, while tens fall; five faces at most."""
    faces = [face(owner, name, 10)]
    if not plain and faces[0] in (1, 10):
        faces.append(face(owner, name, 10))
        while faces[-1] == 10 and len(faces) < 5:
            faces.append(face(owner, name, 10))
    return Open(faces)

"""Documents with one member changed: what a test tries at every place of a file."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

type Path = tuple[Any, ...]

GONE = object()
NUMBERS: tuple[Any, ...] = (-1, 0, 2**31 - 1, 2**63, 1e308, "5", True)
LONG = "x" * 10_000
OTHERS: tuple[Any, ...] = (None, GONE, [], {}, [{}], [[1]], "", "x", True, 3, -7, 0.5, 1e20, {"value": 5})
"""What may stand where something else is awaited."""


def members(document: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every member, of objects and lists, whatever it is."""
    inside = document.items() if isinstance(document, dict) else enumerate(document)
    for name, value in inside:
        yield (*at, name), value
        if isinstance(value, dict | list):
            yield from members(value, (*at, name))


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def changed(document: Any, path: Path, value: Any) -> Any:
    """A copy with this there; `GONE` takes the member away."""
    found = copy.deepcopy(document)
    here = found
    for name in path[:-1]:
        here = here[name]
    if value is GONE:
        del here[path[-1]]
    else:
        here[path[-1]] = copy.deepcopy(value)
    return found


def mutated(document: Any, most: int = 3) -> st.SearchStrategy[Any]:
    """The document with up to so many members changed, and something nobody knows beside them."""

    @st.composite
    def drawn(draw: st.DrawFn) -> Any:
        found = document
        for _time in range(draw(st.integers(1, most))):
            places = list(members(found))
            if not places:
                break
            path, value = draw(st.sampled_from(places))
            if isinstance(value, dict) and draw(st.booleans()):
                path = (*path, "unknown")
                found = changed(found, path, draw(st.sampled_from([one for one in OTHERS if one is not GONE])))
            else:
                found = changed(found, path, draw(st.sampled_from(OTHERS)))
        return found

    return drawn()

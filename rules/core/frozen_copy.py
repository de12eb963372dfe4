"""Frozen states: cheap copies with other fields, and answers that are worked out once for a state."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any


def changed[T](thing: T, **fields: object) -> T:
    """A copy of a frozen state with these fields changed: a tenth of the cost of dataclasses.replace.

    Only for classes that keep a __dict__ for it.
    """
    copy = object.__new__(type(thing))
    copy.__dict__.update(thing.__dict__)
    copy.__dict__.update(fields)
    return copy


def remembered[**P, Found](find: Callable[P, Found]) -> Callable[P, Found]:
    """Works each answer out once for a state that has a `memo`; arguments are given by place.

    The function may read only what the state's `memo` says it goes by: a copy keeps the memo while that is the same.
    """

    @wraps(find)
    def known(state: Any, *about: Any) -> Found:
        memo, key = state.memo, (find, about)
        if key not in memo:
            memo[key] = find(state, *about)  # type: ignore[call-arg]
        return memo[key]  # type: ignore[no-any-return]

    return known  # type: ignore[return-value]

"""Copies and memos of frozen states."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any


def changed[T](thing: T, **fields: object) -> T:
    """Copy a frozen object with these fields changed, ten times as fast as `dataclasses.replace`. Only for classes with
    a `__dict__`.
    """
    copy = object.__new__(type(thing))
    copy.__dict__.update(thing.__dict__)
    copy.__dict__.update(fields)
    return copy


def remembered[**P, Found](find: Callable[P, Found]) -> Callable[P, Found]:
    """Decorator that caches a function's results in the `memo` of its first argument, a state. Arguments are
    positional.

    The function may only read what the memo depends on: copies share the memo as long as that is unchanged.
    """

    @wraps(find)
    def known(state: Any, *about: Any) -> Found:
        memo, key = state.memo, (find, about)
        if key not in memo:
            memo[key] = find(state, *about)  # type: ignore[call-arg]
        return memo[key]  # type: ignore[no-any-return]

    return known  # type: ignore[return-value]

"""Armies that may not be touched now, as other apps see it.

Armies do not know battles. Whoever keeps an army busy registers a predicate
`fn(army) -> Term | Message | None`: why this army may not be changed, or None.
"""

from __future__ import annotations

from collections.abc import Callable

from armies.models import Army
from rules.errors import IllegalCommand
from rules.text import Said

Predicate = Callable[[Army], Said | None]

_predicates: list[Predicate] = []


def register(predicate: Predicate) -> None:
    """Ask `predicate` before every change to an army. Registering twice counts once."""
    if predicate not in _predicates:
        _predicates.append(predicate)


def why_busy(army: Army) -> Said | None:
    """The first reason why this army may not be changed now, or None."""
    return next((reason for predicate in _predicates if (reason := predicate(army))), None)


def refuse_if_busy(army: Army) -> None:
    """Raise `IllegalCommand` with the reason if the army may not be changed now."""
    if reason := why_busy(army):
        raise IllegalCommand(reason)

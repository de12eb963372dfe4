"""Annotations that other apps add to the query that reads kingdoms. Kingdoms do not know armies."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models.expressions import Combinable

_told: dict[str, Combinable] = {}


def register(name: str, expression: Combinable) -> None:
    """Every kingdom on a board has this attribute: what the expression, over kingdoms, comes to."""
    _told[name] = expression


def registered() -> Mapping[str, Combinable]:
    return _told

"""Proportional shares of a whole number."""

from __future__ import annotations

from collections.abc import Sequence


def shared(whole: int, parts: Sequence[int]) -> tuple[int, ...]:
    """A whole number shared in proportion to the parts, rounded down; what is over goes one by one to the largest
    remainders, ties in order.
    """
    total = sum(parts)
    if not total:
        return (0,) * len(parts)
    found = [whole * part // total for part in parts]
    rest = [whole * part % total for part in parts]
    for place in sorted(range(len(parts)), key=lambda place: (-rest[place], place))[: whole - sum(found)]:
        found[place] += 1
    return tuple(found)

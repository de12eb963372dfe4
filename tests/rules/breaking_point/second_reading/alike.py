"""What both comparisons share: dice as their faces, and the word for two stories."""

from __future__ import annotations

from typing import Any


class Disagreement(AssertionError):
    """The two readings tell different stories."""


def faces(rolls: Any) -> tuple[int, ...]:
    return tuple(roll.value for roll in rolls)

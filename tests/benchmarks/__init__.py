"""Measurements. Each `bench_*.py` here holds functions `bench_*()` that return rows, on an empty test database."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Row(NamedTuple):
    """One measured number; the unit belongs into the name ("battle page, ms, p95")."""

    name: str
    value: float
    target: float
    better: Literal["lower", "higher"]

    @property
    def met(self) -> bool:
        return self.value <= self.target if self.better == "lower" else self.value >= self.target

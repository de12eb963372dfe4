"""Drawings of figures as points, for templates; a table with the same figures stands beside each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT, EDGE = 600, 180, 8


class Bar(NamedTuple):
    x: str
    y: str
    width: str
    height: str
    ahead: bool


class TreasuryChart(NamedTuple):
    """Balances as two lines that meet today, payments as bars from the zero line. Numbers are strings: no locale."""

    past: str
    ahead: str
    zero: str
    today: str
    bars: tuple[Bar, ...]


def treasury_chart(past: Sequence[tuple[int, int]], now: int, ahead: Sequence[tuple[int, int]]) -> TreasuryChart:
    """`past` and `ahead`: (balance, payment) week by week; `now` the balance today, between them."""
    balances = [*(balance for balance, _paid in past), now, *(balance for balance, _paid in ahead)]
    payments = [*(paid for _balance, paid in past), 0, *(paid for _balance, paid in ahead)]
    low, high = min(0, *balances), max(1, *balances, *payments)
    step = WIDTH / max(len(balances) - 1, 1)
    x = [index * step for index in range(len(balances))]
    y = [_level(value, low, high) for value in balances]
    zero = _level(0, low, high)
    here = len(past)
    bars = tuple(
        _bar(x[index], step, zero, _level(paid, low, high), ahead=index > here)
        for index, paid in enumerate(payments)
        if paid
    )
    points = [f"{_at(across)},{_at(down)}" for across, down in zip(x, y, strict=True)]
    return TreasuryChart(" ".join(points[: here + 1]), " ".join(points[here:]), _at(zero), _at(x[here]), bars)


def _level(value: float, low: float, high: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / (high - low)


def _bar(middle: float, step: float, zero: float, top: float, *, ahead: bool) -> Bar:
    width = step * 0.5
    left = min(max(0.0, middle - width / 2), WIDTH - width)
    return Bar(_at(left), _at(top), _at(width), _at(max(0.0, zero - top)), ahead)


def _at(number: float) -> str:
    return f"{number:.1f}"

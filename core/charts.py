"""Charts as coordinates for templates. A table with the same figures stands beside each chart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

WIDTH, HEIGHT, EDGE = 600, 180, 8


class Bar(NamedTuple):
    x: str
    y: str
    width: str
    height: str
    ahead: bool


class TreasuryChart(NamedTuple):
    """Chart of a treasury: balances as two lines that meet today, payments as bars from the zero line. Numbers are
    strings, independent of locale.
    """

    past: str
    ahead: str
    zero: str
    today: str
    bars: tuple[Bar, ...]


def treasury_chart(past: Sequence[tuple[int, int]], now: int, ahead: Sequence[tuple[int, int]]) -> TreasuryChart:
    """Build the chart. `past` and `ahead` are (balance, payment) by week; `now` is today's balance between them."""
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


class CourseChart(NamedTuple):
    """Chart of several running sums, each a line from the zero line on. `mark` is the x of a
    highlighted step, or "".
    """

    lines: tuple[str, ...]
    zero: str
    mark: str


def course_chart(courses: Sequence[Sequence[float]], mark: int | None = None) -> CourseChart:
    """Build the chart. `courses` are the changes by step, equally many for each; `mark` is the step to highlight."""
    sums = [[0.0, *accumulate(course)] for course in courses]
    reach = max([abs(value) for line in sums for value in line], default=0.0) or 1.0
    step = WIDTH / max(max((len(line) for line in sums), default=1) - 1, 1)
    lines = tuple(
        " ".join(f"{_at(index * step)},{_at(_level(value, -reach, reach))}" for index, value in enumerate(line))
        for line in sums
    )
    return CourseChart(lines, _at(_level(0, -reach, reach)), "" if mark is None else _at((mark + 1) * step))

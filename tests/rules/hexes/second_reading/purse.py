"""What a kingdom plans, day by day: weeks of seven days, months as its calendar says.

A line of each week falls on the week's last day, one of each month on the first day of a month; it holds after the
day it begins and up to the day it ends.
"""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    name: str
    amount: int
    every: str
    since: int
    until: int | None


def months_of(lengths: list[int], month: int, day: int, most: int) -> list[int]:
    """The days after day 0, up to `most`, on which a month begins; day 0 is that day (from 1) of that month."""
    begun, left = [], lengths[month - 1] - day + 1
    for today in range(1, most + 1):
        left -= 1
        if left == 0:
            month = month % len(lengths) + 1
            begun.append(today)
            left = lengths[month - 1]
    return begun


def falls(line: Line, day: int, months: list[int]) -> bool:
    begins = line.since < day and (line.until is None or day <= line.until)
    return begins and (day % 7 == 0 if line.every == "week" else day in months)


def entered(lines: list[Line], since: int, until: int, months: list[int]) -> list[tuple[int, str, int]]:
    """What is written down after day `since`, up to day `until`: day, name, amount."""
    return [
        (day, line.name, line.amount)
        for day in range(since + 1, until + 1)
        for line in lines
        if falls(line, day, months)
    ]

"""Due lines, and the limit of days that may pass at once."""

from __future__ import annotations

from dataclasses import dataclass

from kingdom.models import Kingdom
from kingdom.models.calendar import Date
from rules.core.text import Said


@dataclass(frozen=True, slots=True)
class DueLine:
    """Something that falls due on a day, with its rule id. `bad`: whether it will go wrong."""

    day: int
    date: Date
    kingdom: Kingdom | None
    text: Said
    rule: str
    bad: bool = False


# Limit of the days that may pass at once.


MOST_DAYS = 366

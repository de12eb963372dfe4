"""A kingdom and its armies without a database, for rulings on time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rules.core.dice import Typed, TypedDie
from rules.pathfinder.weeks import ArmyNow, KingdomNow, Report, TimePlan, pass_time
from rules.pathfinder.weeks.week import Roster

KINGDOM = "k"


class Stage:
    """Armies of one kingdom `k`; `dc` is its control DC. Figures given by keyword go to the kingdom or every army."""

    def __init__(self, *armies: ArmyNow, dc: int | None = None, **figures: Any):
        ours = {name: value for name, value in figures.items() if name in KingdomNow.__dataclass_fields__}
        theirs = {name: value for name, value in figures.items() if name not in ours}
        self.kingdom = KingdomNow(KINGDOM, "Crown", override=dc, **ours)
        self.muster = Roster(replace(army, **theirs) for army in armies)
        self.report: Any = None

    def army(self, key: str) -> ArmyNow:
        return self.muster.armies[key]

    def days(self, days: int, *, since: int = 98, pays: bool = True, months: Iterable[int] = (), **given: Any) -> Stage:
        """Let them pass from the beginning of a week; `pays=False`: on credit. Dice by roll name."""
        rolls = {name: given.pop(name) for name in list(given) if name not in TimePlan.__dataclass_fields__}
        if not pays:
            self.kingdom = replace(self.kingdom, treasury=10**9)
        self.report = Report(self._dice(rolls))
        plan = TimePlan(since, since + days, frozenset(months), **given)
        self.kingdom = pass_time([self.kingdom], self.muster, plan, self.report)[KINGDOM]
        return self

    def week(self, **given: Any) -> Stage:
        return self.days(7, **given)

    def _dice(self, rolls: dict[str, Any]) -> Typed:
        """A list is the kingdom's or the first army's dice, a mapping each army's."""
        typed = []
        for name, faces in rolls.items():
            whose = faces if isinstance(faces, dict) else {self._roller(name): faces}
            typed += [TypedDie(key, name, tuple(values)) for key, values in whose.items()]
        return Typed(typed)

    def _roller(self, name: str) -> str:
        return next(iter(self.muster.armies)) if name in ("disease", "routed", "forage") else KINGDOM

    def said(self, field: str) -> list[str]:
        """The reasons given for a figure's changes."""
        return [str(change.label) for change in self.report.changes if change.field == field]

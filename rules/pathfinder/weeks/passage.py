"""Passage of time: the order in which days, weeks and months take effect.

Time is divided into stretches at the ends of weeks and the beginnings of months. Kingdoms and dice are handled here.
The effect on armies is left to `CampaignArmies`: a list in memory, or a table of a million rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from rules.core.text import Said, _, by_number, say
from rules.pathfinder.kingdom_checks import ANARCHY, stability_unrest, upkeep_unrest
from rules.pathfinder.realm import LOSES_A_HEX
from rules.pathfinder.weeks.week_state import (
    DAYS_A_WEEK,
    NONE,
    ArmyNow,
    Choices,
    KingdomNow,
    Report,
    TimePlan,
    week_end,
)
from rules.realm import falling

# Month: the kingdom's upkeep phase and income (PF-7.4, PF-8.4).

INCOME_SHARE = 3

Roller = Callable[[str, str, int], int]


def upkeep(kingdom: KingdomNow, day: int, roll: Roller, report: Report) -> KingdomNow:
    """Run the upkeep phase: Stability check, Consumption, Unrest from debt and negative attributes, loss of a hex
    (PF-8.4).
    """
    kingdom = _stability(kingdom, day, roll, report)
    kingdom = _consume(kingdom, day, report)
    kingdom = _discontent(kingdom, day, report)
    if kingdom.unrest >= LOSES_A_HEX and kingdom.size:
        report.change("kingdom", kingdom, "size", kingdom.size - 1, "PF-8.4", _("Unrest of 11 or more: a hex is lost"),
                      day)  # fmt: skip
        kingdom = replace(kingdom, size=kingdom.size - 1)
    if kingdom.unrest >= ANARCHY:
        report.warn(say(_("{kingdom} is in anarchy: its checks count as 0."), kingdom=kingdom.name))
    return kingdom


def _stability(kingdom: KingdomNow, day: int, roll: Roller, report: Report) -> KingdomNow:
    check = kingdom.check("stability", roll(kingdom.id, "stability", 20))
    bad = not check.success and check.margin <= -5 and report.known
    moved = stability_unrest(check, roll(kingdom.id, "unrest", 4) if bad else 0)
    report.check(say(_("{kingdom}, Stability check in upkeep"), kingdom=kingdom.name), check, "PF-8.4")
    label = _("Stability check passed") if check.success else _("Stability check failed")
    return _unrest(kingdom, moved, label, day, report)


def _consume(kingdom: KingdomNow, day: int, report: Report) -> KingdomNow:
    """Pay the kingdom's monthly Consumption. It is always paid, even if the treasury falls below 0 (PF-7.4)."""
    if not kingdom.consumption:
        return kingdom
    left = kingdom.treasury - kingdom.consumption
    report.change("kingdom", kingdom, "treasury", left, "PF-8.4", _("Consumption of the kingdom"), day)
    return replace(kingdom, treasury=left)


def _discontent(kingdom: KingdomNow, day: int, report: Report) -> KingdomNow:
    attributes = (kingdom.economy, kingdom.loyalty, kingdom.stability)
    for line in upkeep_unrest(treasury=kingdom.treasury, attributes=attributes).lines:
        kingdom = _unrest(kingdom, line.value, line.label, day, report)
    return kingdom


def _unrest(kingdom: KingdomNow, moved: int, label: object, day: int, report: Report) -> KingdomNow:
    after = max(0, kingdom.unrest + moved)
    report.change("kingdom", kingdom, "unrest", after, "PF-8.4", label, day)
    return replace(kingdom, unrest=after)


def income(kingdom: KingdomNow, day: int, roll: Roller, report: Report) -> KingdomNow:
    """Collect taxes: a third of an Economy check's total in BP, rounded down, at least 0 (PF-8.4)."""
    check = kingdom.check("economy", roll(kingdom.id, "income", 20))
    gained = max(0, check.total // INCOME_SHARE)
    title = say(_("{kingdom} collects taxes: {bp} BP"), kingdom=kingdom.name, bp=gained)
    report.check(title, check, "PF-8.4", contested=False)
    label = say(_("Taxes: Economy check of {total}"), total=check.total)
    report.change("kingdom", kingdom, "treasury", kingdom.treasury + gained, "PF-8.4", label, day)
    return replace(kingdom, treasury=kingdom.treasury + gained)


PLANNED = ""  # no rule: the table's own
FOOD = by_number("{army} can find food here for a week.", "{army} can find food here for {weeks} weeks.", "weeks")
WIDE = 6  # rank of huge, from which a hex lasts only a few weeks (PF-2.9)


class Illness(NamedTuple):
    """Disease of an army after a stretch."""

    disease: int
    ill: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days that lie within one week and one month. They may end with the end of the week.

    `rallied`: by kingdom that tries to rally, whether each day's Loyalty check succeeded. If a week ends, `treasuries`
    is the money of each kingdom, and `land` the armies that find their food. `free`: kingdoms without a treasury, whose
    armies cost nothing and owe nothing; `spared`: those of them whose armies need no commander.
    """

    plan: TimePlan
    since: int
    until: int
    rallied: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    illness: Mapping[str, Illness] = field(default_factory=dict)
    treasuries: Mapping[str, int] = field(default_factory=dict)
    land: frozenset[str] = NONE
    free: frozenset[str] = NONE
    spared: frozenset[str] = NONE

    @property
    def days(self) -> int:
        return self.until - self.since

    @property
    def opens(self) -> bool:
        """Whether the stretch begins on the campaign's current day, whose battles and rests have already happened."""
        return self.since == self.plan.since

    @property
    def choices(self) -> Choices:
        """Choices for the week in which the stretch lies (R-81)."""
        return self.plan.choices_of(week_end(self.since))

    @property
    def doubling(self) -> frozenset[str]:
        """Kingdoms that pay leaderless armies double. Those without a treasury cannot (PF-2.7)."""
        return self.choices.double - self.free

    @property
    def pays(self) -> bool:
        return self.until % DAYS_A_WEEK == 0

    @property
    def pays_reserves(self) -> bool:
        """Whether a month begins in the ending week (R-94)."""
        return self.until in self.plan.reserve_weeks

    @property
    def week(self) -> int:
        return self.until // DAYS_A_WEEK


class CampaignArmies(Protocol):
    """Protocol of the armies of a campaign."""

    def ill(self) -> Sequence[ArmyNow]:
        """Return standing armies that are ill, by id."""
        ...

    def some(self, ids: Iterable[str]) -> Sequence[ArmyNow]:
        """Return the standing armies among these, by id."""
        ...

    def routed(self) -> Sequence[ArmyNow]:
        """Return routed armies, by id."""
        ...

    def fed(self) -> Sequence[ArmyNow]:
        """Return the standing armies that have used food of their hex, by id."""
        ...

    def feed(self, army: ArmyNow, left: int | None) -> None:
        """Set how many weeks of food are left in the army's hex; None after it moved."""
        ...

    def settle(self, stretch: Stretch, report: Report) -> Mapping[str, int]:
        """Apply the stretch to every army. Returns the BP spent by each kingdom if a week ended."""
        ...

    def rally(self, ids: Sequence[str], day: int, report: Report) -> None:
        """Make these routed armies ready to fight."""
        ...


def pass_time(
    kingdoms: Iterable[KingdomNow], troops: CampaignArmies, plan: TimePlan, report: Report
) -> dict[str, KingdomNow]:
    """Apply everything between two days and write it into the report. Returns the kingdoms afterwards."""
    passage = _Passage(kingdoms, troops, plan, report)
    day = plan.since
    while day < plan.until:
        day = passage.stretch(day, _next_stop(day, plan))
    return passage.kingdoms


def _next_stop(day: int, plan: TimePlan) -> int:
    return min([plan.until, week_end(day), *(month for month in plan.months if month > day)])


class _Passage:
    def __init__(self, kingdoms: Iterable[KingdomNow], troops: CampaignArmies, plan: TimePlan, report: Report):
        self.kingdoms = {kingdom.id: kingdom for kingdom in sorted(kingdoms, key=lambda kingdom: kingdom.id)}
        self._troops = troops
        self._plan = plan
        self._report = report

    def stretch(self, since: int, until: int) -> int:
        stretch = Stretch(self._plan, since, until)
        self._leave_hexes(since)
        stretch = replace(stretch, rallied=self._rallies(stretch), illness=self._illness(stretch))
        self._planned(until)
        if stretch.pays:
            stretch = self._payday(stretch)
        spent = self._troops.settle(stretch, self._report)
        for key, amount in sorted(spent.items()):
            self._pay(key, amount, stretch)
        if until in self._plan.months:
            self._month(until)
        return until

    def _leave_hexes(self, day: int) -> None:
        """Reset the food of armies that march away from their hex."""
        for army in self._troops.fed():
            if army.id in self._plan.choices.march or (army.marching_until or 0) > day:
                self._feed(army, None, _("leaves its hex"), day)

    def _rallies(self, stretch: Stretch) -> dict[str, tuple[bool, ...]]:
        """Make the daily Loyalty checks of kingdoms that try them: one a day for all their resting armies (PF-7.1)."""
        return {
            key: self._rally(kingdom, stretch)
            for key, kingdom in self.kingdoms.items()
            if key in self._plan.choices.rally
        }

    def _rally(self, kingdom: KingdomNow, stretch: Stretch) -> tuple[bool, ...]:
        passed = []
        days = range(stretch.since, stretch.until)
        if stretch.opens and kingdom.id in self._plan.rallied:
            passed.append(self._plan.rallied[kingdom.id])
            days = days[1:]
        for day in days:
            check = kingdom.check("loyalty", self._report.roll(kingdom.id, "rally", 20))
            title = say(_("{kingdom}, Loyalty check for rest on day {day}"), kingdom=kingdom.name, day=day)
            self._report.check(title, check, "PF-7.1")
            passed.append(check.success)
        return tuple(passed)

    def _illness(self, stretch: Stretch) -> dict[str, Illness]:
        return {army.id: self._sicken(army, stretch) for army in self._troops.ill()}

    def _sicken(self, army: ArmyNow, stretch: Stretch) -> Illness:
        """Apply disease: the penalty grows by 1 a day, then a Stability check with it may cure; afterwards it shrinks
        by 1 a day (PF-7.3).
        """
        kingdom, disease, ill = self.kingdoms[army.kingdom], army.disease, True
        for day in range(stretch.since + 1, stretch.until + 1):
            disease += 1 if ill else -min(1, disease)
            if ill:
                check = kingdom.check("stability", self._report.roll(army.id, "disease", 20), disease=disease)
                ill = not check.success
                if self._report.detailed:
                    title = say(_("{army}, Stability check against disease on day {day}"), army=army.name, day=day)
                    self._report.check(title, check, "PF-7.3")
        return Illness(disease, ill)

    def _payday(self, stretch: Stretch) -> Stretch:
        """Return the stretch with the armies that find their food, and the treasuries."""
        treasuries = {key: kingdom.treasury for key, kingdom in self.kingdoms.items()}
        free = frozenset(key for key, kingdom in self.kingdoms.items() if kingdom.without_treasury)
        spared = frozenset(key for key in free if not self.kingdoms[key].needs_commanders)
        return replace(stretch, treasuries=treasuries, land=self._foragers(stretch), free=free, spared=spared)

    def _foragers(self, stretch: Stretch) -> frozenset[str]:
        """Return the armies that live off the land this week; large ones only while their hex can feed them (PF-2.9).
        Their commander must have the boon and have been active in the week (PF-2.5, R-80). Armies in reserve do nothing
        (R-94).
        """
        able = [army for army in self._troops.some(stretch.choices.land) if not army.reserved(stretch.until)]
        found = [army for army in able if self._taught(army, stretch)]
        return frozenset(army.id for army in found if army.rank < WIDE or self._forage(army, stretch.until))

    def _taught(self, army: ArmyNow, stretch: Stretch) -> bool:
        if army.led_in(stretch.until, away=stretch.choices.away, there=stretch.choices.there):
            return True
        self._report.warn(say(_("{army} had no active commander this week and can’t live off the land."),
                              army=army.name))  # fmt: skip
        return False

    def _forage(self, army: ArmyNow, day: int) -> bool:
        """Whether the army's hex can feed it for one more week (R-81)."""
        left = army.foraging
        if left is None:
            left = self._report.roll(army.id, "forage", 3)
            self._report.say(say(FOOD, army=army.name, weeks=left), "PF-2.9")
        if not left:
            self._report.warn(say(_("{army}: the food of this hex is used up. Move the army to live off the land."),
                                  army=army.name))  # fmt: skip
            return False
        self._feed(army, left - 1, _("Weeks of food left in its hex"), day)
        return True

    def _feed(self, army: ArmyNow, left: int | None, label: Said, day: int) -> None:
        self._report.change("army", army, "foraging", left, "PF-2.9", label, day)
        self._troops.feed(army, left)

    def _planned(self, day: int) -> None:
        """Book planned income and costs, before anybody is paid. Kingdoms without a treasury book none."""
        for key, kingdom in self.kingdoms.items():
            lines = () if kingdom.without_treasury else kingdom.planned
            for line in falling(lines, day, month=day in self._plan.months):
                after = kingdom.treasury + line.amount
                self._report.change("kingdom", kingdom, "treasury", after, PLANNED, line.said, day)
                kingdom = replace(kingdom, treasury=after)
            self.kingdoms[key] = kingdom

    def _pay(self, key: str, amount: int, stretch: Stretch) -> None:
        kingdom = self.kingdoms[key]
        label = say(_("Armies, week {week}"), week=stretch.week)
        self._report.change("kingdom", kingdom, "treasury", kingdom.treasury - amount, "PF-7.2", label, stretch.until)
        self.kingdoms[key] = replace(kingdom, treasury=kingdom.treasury - amount)

    def _month(self, day: int) -> None:
        """Run upkeep phases and income of kingdoms with a treasury, and the checks of routed armies of all."""
        for key, kingdom in self.kingdoms.items():
            if kingdom.without_treasury:
                continue
            if key not in self._plan.choices.no_upkeep:
                kingdom = upkeep(kingdom, day, self._report.roll, self._report)
            if key in self._plan.choices.income:
                kingdom = income(kingdom, day, self._report.roll, self._report)
            self.kingdoms[key] = kingdom
        self._troops.rally([army.id for army in self._troops.routed() if self._takes_heart(army)], day, self._report)

    def _takes_heart(self, army: ArmyNow) -> bool:
        """Make a routed army's Loyalty check of the upkeep phase, one a month (PF-6.2). Returns the success."""
        check = self.kingdoms[army.kingdom].check("loyalty", self._report.roll(army.id, "routed", 20))
        if self._report.detailed:
            self._report.check(say(_("{army}: Loyalty check after a rout"), army=army.name), check, "PF-6.2")
        return check.success

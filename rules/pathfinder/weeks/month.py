"""A month: the kingdom's upkeep phase and its income (PF-7.4, PF-8.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.core.text import _, say
from rules.pathfinder.kingdom_checks import ANARCHY, stability_unrest, upkeep_unrest
from rules.pathfinder.realm import LOSES_A_HEX
from rules.pathfinder.weeks.proposal_report import Report
from rules.pathfinder.weeks.week_state import KingdomNow

INCOME_SHARE = 3

Roller = Callable[[str, str, int], int]


def upkeep(kingdom: KingdomNow, day: int, roll: Roller, report: Report) -> KingdomNow:
    """Stability check, Consumption, Unrest from debt and negative attributes, a hex lost, in this order (PF-8.4)."""
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
    """Kingdom expenses are monthly and always paid: a treasury may fall below 0 by them (PF-7.4)."""
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
    """Taxes: a third of an Economy check's total, rounded down, in BP; never less than 0 (PF-8.4)."""
    check = kingdom.check("economy", roll(kingdom.id, "income", 20))
    gained = max(0, check.total // INCOME_SHARE)
    title = say(_("{kingdom} collects taxes: {bp} BP"), kingdom=kingdom.name, bp=gained)
    report.check(title, check, "PF-8.4", contested=False)
    label = say(_("Taxes: Economy check of {total}"), total=check.total)
    report.change("kingdom", kingdom, "treasury", kingdom.treasury + gained, "PF-8.4", label, day)
    return replace(kingdom, treasury=kingdom.treasury + gained)

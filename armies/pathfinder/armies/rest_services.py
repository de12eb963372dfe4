"""Services for a day of rest and its healing (PF-7.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from armies.forces.recent_battles import load_recent_battles
from armies.forces.row_locks import lock_campaign
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.march_pace import compute_recovery, recovery_limit
from armies.pathfinder.models import PathfinderArmy, RestCheck
from kingdom.access.decorators import internal, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Kingdom, User
from kingdom.realms.check_services import CheckResult, roll_check
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.errors import require
from rules.core.text import Said, _, say


@dataclass(frozen=True, slots=True)
class Rested:
    """Result of a day of rest: hp regained with their breakdown, and the Loyalty check, if one was made."""

    army: PathfinderArmy
    healed: int
    breakdown: Breakdown
    check: CheckResult | None
    text: Said


@needs_approval("armies.pathfinder.rest_army", "march")
@transaction.atomic
def rest_army(*, by: User, army: PathfinderArmy, rally: bool = False, dice: Sequence[int] | None = None) -> Rested:
    """The army rests today: it heals its ACR in hp, and as much again if `rally` succeeds.

    `rally`: the kingdom's Loyalty check against its control DC, one a day for all its armies (R-79); `dice`: its d20 as
    typed. An army rests at most once a day, and not on a day of march or battle. Undo keeps the die of the check.
    """
    require_runs(by, army.kingdom)
    lock_campaign(army.campaign_id)
    army = lock_army(army)
    day = army.campaign.day
    refuse_restless(army, load_recent_battles(army.campaign, day).fought)
    check = make_check(by=by, kingdom=army.kingdom, dice=dice) if rally else None
    lines = compute_recovery(army, rallied=bool(check and check.success))
    healed = count_healed(army, lines)
    rested = Rested(army, healed, lines, check, _said(army, healed, check))
    _write(by, army, rested, day)
    return rested


def refuse_restless(army: PathfinderArmy, fought: Collection[str]) -> None:
    """Raises `IllegalCommand` for an army that cannot rest today. `fought`: ids of the armies that have fought
    today.
    """
    day = army.campaign.day
    require(
        not army.marching,
        _("{army} is on the march until day {day}. Halt it before it rests."),
        army=army.name,
        day=army.marching_until,
    )
    require(army.rested_on != day, _("{army} already rested today. It can rest again tomorrow."), army=army.name)
    require(str(army.pk) not in fought, _("{army} fought today. It can rest tomorrow."), army=army.name)


def count_healed(army: PathfinderArmy, lines: Breakdown) -> int:
    """Number of hp that a day of rest with this breakdown gives the army."""
    return min(lines.total, max(0, recovery_limit(army) - army.hp))


def made_today(kingdom: Kingdom) -> CheckResult | None:
    """The kingdom's check of today; None if none was made."""
    made = RestCheck.objects.filter(kingdom=kingdom, day=kingdom.campaign.day).first()
    return CheckResult(made.check_made, Roll(str(kingdom.pk), "check", 20, made.roll)) if made else None


@internal
def make_check(*, by: User, kingdom: Kingdom, dice: Sequence[int] | None) -> CheckResult:
    """The kingdom's check of today, made now if there is none yet."""
    if made := made_today(kingdom):
        require(not dice, _("{kingdom} already made its Loyalty check for rest "
                            "today. The result applies to all its armies."),
                field="/dice", kingdom=kingdom.name)  # fmt: skip
        return made
    check = roll_check(by=by, kingdom=kingdom, attribute="loyalty", dice=dice)
    RestCheck.objects.create(
        campaign=kingdom.campaign, kingdom=kingdom, day=kingdom.campaign.day, roll=check.roll,
        loyalty=kingdom.loyalty, unrest=kingdom.unrest, dc=check.dc,
    )  # fmt: skip
    return check


def _said(army: PathfinderArmy, healed: int, check: CheckResult | None) -> Said:
    if check is None:
        return say(_("{army} rested for a day and regained {healed} hp."), army=army.name, healed=healed)
    template = (
        _("{army} rested for a day and regained {healed} hp; Loyalty check passed ({total} against DC {dc}).")
        if check.success
        else _("{army} rested for a day and regained {healed} hp; Loyalty check failed ({total} against DC {dc}).")
    )
    return say(template, army=army.name, healed=healed, total=check.total, dc=check.dc)


def _write(by: User, army: PathfinderArmy, rested: Rested, day: int) -> None:
    def change(field: str, before: int | None, after: int, label: Said) -> chronicle_changes.Change:
        return chronicle_changes.Change("army", str(army.pk), field, before, after, "PF-7.1", label, army.name)

    changes = [change("rested_on", army.rested_on, day, _("Last day of rest"))]
    if rested.healed:
        changes.insert(0, change("hp", army.hp, army.hp + rested.healed, _("Hit points")))
    chronicle_changes.apply(campaign=army.campaign, changes=changes, by=by, kind="army", text=rested.text, private=True)
    army.hp += rested.healed
    army.rested_on = day

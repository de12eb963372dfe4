"""Services for kingdom checks, by the rules of the campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.clean_input import ATTRIBUTE_MAX, clean_slug, clean_whole
from kingdom.access.decorators import unrestricted
from kingdom.access.queries import require_runs
from kingdom.models import Kingdom, User
from kingdom.realms.figures import check_target, get_realm_law, read_figures
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll, Rolled, Typed, TypedDie
from rules.core.errors import IllegalCommand, demand
from rules.core.text import Said, _
from rules.realm import Checks, KingdomCheck, attributes_of


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A rolled check: the natural die, the total and the lines that make it."""

    check: KingdomCheck
    die: Roll

    @property
    def attribute(self) -> str:
        return self.check.attribute

    @property
    def roll(self) -> int:
        return self.check.roll

    @property
    def total(self) -> int:
        return self.check.total

    @property
    def dc(self) -> int:
        return self.check.dc

    @property
    def success(self) -> bool:
        return self.check.success

    @property
    def note(self) -> Said:
        return self.check.note

    @property
    def breakdown(self) -> Breakdown:
        return self.check.breakdown


@unrestricted("Nothing is stored.")
def roll_check(
    *, by: User, kingdom: Kingdom, attribute: str, dc: int | None = None, dice: Sequence[int] | None = None
) -> CheckResult:
    """Roll a check of an attribute against `dc`, by default the ruleset's own DC (whoever runs the kingdom).

    `dice` is the result typed by the user; without it the server rolls. Nothing is stored. Raises `InvalidInput`, and
    `IllegalCommand` if the ruleset has no checks.
    """
    require_runs(by, kingdom)
    realm = get_realm_law(kingdom.campaign)
    if realm.checks is None:
        raise IllegalCommand(_("This ruleset has no kingdom checks."))
    attribute = clean_slug(attribute, field="/attribute", among=attributes_of(realm))
    if dc is None:
        dc = check_target(kingdom)
    dc = clean_whole(dc, field="/dc", least=-ATTRIBUTE_MAX, most=SUM_MAX)
    die = _die(by, kingdom, realm.checks, dice)
    check = realm.check(attribute=attribute, figures=read_figures(kingdom), dc=dc, roll=die.value)
    return CheckResult(check, die)


SUM_MAX = 1_000_000  # a DC may be the sum of several large figures


def _die(by: User, kingdom: Kingdom, checks: Checks, dice: Sequence[int] | None) -> Roll:
    roller = str(kingdom.pk)
    if not dice:
        return Rolled().roll(roller, "check", checks.sides)
    demand(len(dice) == 1, _("Enter exactly one d{sides} result for this check."), field="/dice", sides=checks.sides)
    face = clean_whole(dice[0], field="/dice", least=1, most=checks.sides)
    return Typed((TypedDie(roller, "check", (face,)),), by=by.get_username()).roll(roller, "check", checks.sides)

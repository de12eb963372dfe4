"""Queries of lasting adjustments: an army's as a page shows them, and the changes that end them as days pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from armies.adjustments.services import name_figure
from armies.forces.busy import load_recent_battles
from armies.models import Army
from core.errors import NotInRuleset
from kingdom.access.queries import require_gm
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.text import Term, _

ENDED = _("Adjustments that end")
READ = ("id", "name", "adjustments")


class AdjustmentLine(NamedTuple):
    """An adjustment with the name of its figure. `until`: its last day; None for good."""

    pk: str
    figure: Term
    amount: int
    reason: str
    until: int | None


class ArmyAdjustments(NamedTuple):
    """The adjustments of an army. `figures`: those that the reader may adjust now, by slug. `rule`: the rule that the
    ruleset cites for them.
    """

    lines: tuple[AdjustmentLine, ...]
    figures: Mapping[str, Term]
    rule: str


def list_adjustments(army: Army, *, adjusts: bool) -> ArmyAdjustments:
    """The army's adjustments for somebody who may read its sheet. `adjusts`: whether they may adjust it now."""
    law = get_ruleset(army.campaign).adjustable
    lines = tuple(
        AdjustmentLine(one["id"], name_figure(law, one["figure"]), one["amount"], one["reason"], one["until"])
        for one in army.adjustments
    )
    return ArmyAdjustments(lines, {slug: one.name for slug, one in law.figures.items()} if adjusts else {}, law.rule)


def require_adjustable(by: User, army: Army) -> None:
    """Raises `PermissionDenied` for all but the GM, and `NotInRuleset` where the ruleset has nothing to adjust."""
    require_gm(by, army.campaign)
    if not get_ruleset(army.campaign).adjustable.figures:
        raise NotInRuleset(army.campaign.ruleset)


def holds_on(adjustment: Mapping[str, Any], day: int) -> bool:
    """Whether the adjustment holds on this day. It ends after its last day."""
    return adjustment["until"] is None or adjustment["until"] >= day


def end_adjustments(campaign: Campaign, until: int) -> Iterator[Change]:
    """Changes that end the adjustments whose last day is before day `until`. An army in a battle keeps its adjustments
    until the battle is over. One query where none end.
    """
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).exclude(adjustments=[])
    kept = {army: [one for one in army.adjustments if holds_on(one, until)] for army in rows.only(*READ).order_by("pk")}
    ended = {army: left for army, left in kept.items() if left != army.adjustments}
    if not ended:
        return
    fighting, rule = load_recent_battles(campaign, campaign.day).fighting, get_ruleset(campaign).adjustable.rule
    for army, left in ended.items():
        if str(army.pk) not in fighting:
            yield Change("army", str(army.pk), "adjustments", army.adjustments, left, rule, ENDED, army.name)

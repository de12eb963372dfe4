"""Services for the GM's lasting adjustments of an army's figures (PF-3.12)."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404

from armies.pathfinder.armies.resource_services import refresh
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.models import PathfinderArmy
from core.clean_input import DAY_MAX, REASON_MAX, clean_optional_whole, clean_slug, clean_text, clean_whole
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from kingdom.models.base import uuid7
from rules.core.errors import demand
from rules.core.text import _, say
from rules.pathfinder.spec import ADJUSTABLE

RULE = "PF-3.12"
AMOUNT_MOST = 1000
MOST_ADJUSTMENTS = 20


@gm_only
@transaction.atomic
def adjust_army(
    *, by: User, army: PathfinderArmy, figure: str, amount: int, reason: str, until: int | None = None
) -> dict[str, Any]:
    """Adjusts a figure of the army until the end of day `until`, or for good (GM). Returns the adjustment.

    Damage is kept when the maximum of hit points changes. Raises `InvalidInput`, and `IllegalCommand` for an army that
    is busy or no longer stands.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=[("army", army)]) as told:
        army = lock_army(army)
        given = {"figure": figure, "amount": amount, "reason": reason, "until": until}
        made = {"id": uuid7().hex, **clean_adjustment(given, least=army.campaign.day)}
        most = _("An army can have {most} adjustments at most. End one first.")
        demand(len(army.adjustments) < MOST_ADJUSTMENTS, most, field="/figure", most=MOST_ADJUSTMENTS)
        told.text = say(_("{army} was adjusted: {figure} {amount:+}. {reason}"), army=army.name,
                        figure=ADJUSTABLE[made["figure"]], amount=made["amount"], reason=made["reason"])  # fmt: skip
        _keep(army, [*army.adjustments, made])
    return made


@gm_only
@transaction.atomic
def end_adjustment(*, by: User, army: PathfinderArmy, adjustment: str) -> None:
    """Ends an adjustment of the army (GM). Raises Http404 if it has ended, and `IllegalCommand` as `adjust_army`."""
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=[("army", army)]) as told:
        army = lock_army(army)
        ended = next((one for one in army.adjustments if one["id"] == adjustment), None)
        if ended is None:
            raise Http404
        told.text = say(_("{army}: an adjustment ended ({figure} {amount:+})."), army=army.name,
                        figure=ADJUSTABLE[ended["figure"]], amount=ended["amount"])  # fmt: skip
        _keep(army, [one for one in army.adjustments if one["id"] != adjustment])


def _keep(army: PathfinderArmy, adjustments: list[dict[str, Any]]) -> None:
    army.adjustments = adjustments
    army.save(update_fields=["adjustments"])
    refresh(army)


def clean_adjustment(given: dict[str, Any], *, least: int = 0, kept: bool = False) -> dict[str, Any]:
    """Return the adjustment, each member validated. `least`: first day that it may end on; `kept`: it is stored
    already. Raises `InvalidInput` with the member's pointer.
    """
    amount = clean_whole(given.get("amount"), field="/amount", least=-AMOUNT_MOST, most=AMOUNT_MOST)
    demand(amount, _("An adjustment of 0 changes nothing. Enter another number."), field="/amount")
    return {
        "figure": clean_slug(given.get("figure"), field="/figure", among=tuple(ADJUSTABLE)),
        "amount": amount,
        "reason": clean_text(given.get("reason"), field="/reason", most=REASON_MAX, kept=kept),
        "until": clean_optional_whole(given.get("until"), field="/until", least=least, most=DAY_MAX),
    }


def demand_adjustments(stored: Any) -> None:
    """Checks adjustments of an imported army. Raises `InvalidInput`."""
    wrong = _("This isn’t a valid list of adjustments.")
    demand(isinstance(stored, list) and len(stored) <= MOST_ADJUSTMENTS, wrong, field="/adjustments")
    members = {"id", "figure", "amount", "reason", "until"}
    for place, one in enumerate(stored):
        sound = isinstance(one, dict) and one.keys() == members and isinstance(one["id"], str)
        demand(sound, wrong, field=f"/adjustments/{place}")
        clean_adjustment(one, kept=True)

"""Annotations of sieges for lists of armies and their sheets: who is in which siege, and what is left of them there."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.urls import reverse

from armies.breaking_point.models import RUNNING, SiegeRow
from armies.breaking_point.sieges.specs import build_siege, load_armies
from armies.forces.current_battles import Engaged
from armies.models import Army
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.ruleset import BreakingPoint
from rules.breaking_point.siege.siege_state import shares_left
from rules.core.errors import Refusal
from rules.core.health import WHOLE
from rules.core.text import _

IN_A_SIEGE = _("In a siege:")


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """By army, with the share of its force that is left; its sheet keeps what it came with until the siege is over."""
    if get_ruleset(campaign).family != BreakingPoint.family:
        return {}
    rows = list(SiegeRow.objects.filter(campaign=campaign, status__in=RUNNING).select_related("place"))
    armies = load_armies(rows) if rows else {}
    return dict(seat for row in rows for seat in _seats(row, armies))


def _seats(row: SiegeRow, armies: dict[str, Army]) -> Iterator[tuple[UUID, Engaged]]:
    try:
        shares = shares_left(build_siege(row, armies))
    except Refusal:  # a sheet the law no longer accepts: what it has lost cannot be reckoned, where it lies is known
        shares = {}
    url = reverse("armies:siege", args=[row.pk])
    for key in row.state["besiegers"] + row.state["inside"]:
        left = shares.get(key, WHOLE)
        held = Engaged(row.place.name, url, left, WHOLE, None, share=True, held=IN_A_SIEGE, icon="white-tower")
        yield UUID(key), held

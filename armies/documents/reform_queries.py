"""Queries for reforming armies with a declared document: the armies that can be combined, and the entries that can move
(C-9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from armies.forces.busy import explain_busy_armies
from armies.models import Army, rows_of
from armies.ruleset_ui import get_army_ui
from kingdom.models import Campaign
from kingdom.models.base import Natural
from kingdom.realms.figures import get_ruleset
from rules.core.errors import require
from rules.movable_entries import UNLIKE_ARMIES

CANDIDATES_MOST = 100


def ui_of(campaign: Campaign) -> Any:
    """The `DocumentArmies` of the campaign."""
    return cast("Any", get_army_ui(campaign))


def law_of(campaign: Campaign) -> Any:
    return get_ruleset(campaign).armies


def list_candidates(army: Army) -> list[Army]:
    """Armies of the kingdom that this one can be combined with now."""
    alike = rows_of(Army).filter(kingdom=army.kingdom_id, status=army.status, hex=army.hex).exclude(pk=army.pk)
    rows = list(alike.complete().order_by(Natural("name"), "id")[:CANDIDATES_MOST])
    for row in rows:
        row.campaign = army.campaign
    places = ui_of(army.campaign).find_places([army, *rows])
    near = [row for row in rows if places[row.pk] == places[army.pk] and not row.marching]
    held = explain_busy_armies(near) if near else {}
    return [row for row in near if row.pk not in held]


def refuse_apart(armies: Sequence[Army]) -> None:
    """Raises `IllegalCommand` unless these armies are of one kingdom, at one place, and all or none of them routed."""
    first, *others = armies
    places = ui_of(first.campaign).find_places(armies)
    for other in others:
        alike = {
            "kingdom": first.kingdom_id == other.kingdom_id,
            "place": places[first.pk] == places[other.pk],
            "status": first.status == other.status,
        }
        for name, same in alike.items():
            require(same, UNLIKE_ARMIES[name], field="/armies", army=first.name, other=other.name)


def list_entries(army: Army) -> list[tuple[str, int]]:
    """Everything in the army that can move: its list and its place there."""
    movable = law_of(army.campaign).movable
    return [(name, place) for name in movable for place in range(len(army.sheet.get(name, ())))]

"""Army status in battles, for lists of armies: who stands in which, and how they fare there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse

from armies.forces.current_battles import Engaged
from battles.models import Battle
from battles.setup.other_laws import is_by_another_law
from battles.setup.queries import open_now, words_of_leaving
from core.clean_input import parse_uuid
from kingdom.models import Campaign
from rules.core.health import WHOLE


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """One query. Battles that are not over, as they stand; nothing is folded."""
    return dict(seat for battle in open_now(campaign) for seat in _seats(battle, campaign))


def _seats(battle: Battle, campaign: Campaign) -> Iterator[tuple[UUID, Engaged]]:
    url, words = reverse("battles:battle", args=[battle.pk]), words_of_leaving(battle)
    other = is_by_another_law(battle, campaign)
    for side in battle.state["sides"]:
        for army in side["armies"]:
            if key := parse_uuid(army["army"]):  # one that rose on the field is nowhere else
                yield key, _engaged(battle.name, url, in_hundredths(army) if other else army, words)


def in_hundredths(army: Mapping[str, Any]) -> Mapping[str, Any]:
    """What another law counts is not what lists of its armies count."""
    if army.get("share"):
        return army
    return {**army, "hp": army["hp"] * WHOLE // max(1, army["hp_max"]), "hp_max": WHOLE, "share": True}


def _engaged(name: str, url: str, army: Mapping[str, Any], words: Mapping[str, Any]) -> Engaged:
    return Engaged(name, url, army["hp"], army["hp_max"], words.get(army["status"]), army.get("share", False))

"""Busy armies: an army in a battle stays as it is until that battle is over."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from armies.models import Army
from battles.models import Battle, BattleArmy
from battles.setup.eligible import list_held
from core.db.compiled_queries import CompiledQuery
from kingdom.models import Campaign
from rules.core.text import Said, _, say


def why_in_battle(armies: Collection[Army]) -> dict[UUID, Said]:
    """Which battle holds each of these armies, where one does."""
    names = {army.pk: army.name for army in armies}
    battles = {army: told for army, *told in _ask_battles(list(names))}
    return {
        key: say(FOUGHT if status == Battle.Status.AFTERMATH else FIGHTS, army=names[key], battle=battle)
        for key, (battle, status) in battles.items()
    }


FIGHTS = _("{army} fights in “{battle}”: finish that battle first.")
FOUGHT = _("{army} fought in “{battle}”: settle its aftermath first.")


def _battles(armies: list[UUID]) -> QuerySet[BattleArmy, tuple[UUID, str, str]]:
    """The first battles last."""
    seats = BattleArmy.objects.filter(army__id__among=armies, battle__status__in=Battle.OPEN)
    return seats.order_by("-battle_id").values_list("army", "battle__name", "battle__status")


_ask_battles = CompiledQuery(_battles, list)


def list_held_armies(campaign: Campaign) -> QuerySet[BattleArmy, UUID]:
    """The campaign's armies that fight."""
    return list_held(campaign.pk)

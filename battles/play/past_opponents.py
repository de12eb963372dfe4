"""Past opponents in battles, for `armies/`."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from battles.models import BattleArmy


def list_met_in_battle(kingdoms: Any) -> QuerySet[Any]:
    """Seats, with the `army`, in battles in which an army of one of these kingdoms stands or stood."""
    own = BattleArmy.objects.filter(army__kingdom__in=kingdoms)
    return BattleArmy.objects.filter(battle__in=own.values("battle"))


def list_on_the_field() -> QuerySet[Any]:
    """Seats of any battle: the whole table watches it."""
    return BattleArmy.objects.all()

"""An army in a battle stays as it is until that battle is over."""

from __future__ import annotations

from armies.models import Army
from battles.models import Battle, BattleArmy
from rules.text import Said, _, say


def why_in_battle(army: Army) -> Said | None:
    """Which battle holds the army, or None."""
    seat = BattleArmy.objects.filter(army=army, battle__status__in=Battle.OPEN).select_related("battle").first()
    if seat is None:
        return None
    return say(_("{army} fights in “{battle}”: finish that battle first."), army=army.name, battle=seat.battle.name)

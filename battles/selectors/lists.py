"""Lists of battles. They read the stored summary: nothing is folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armies.models import Army, Commander
from battles import folding
from battles.models import Battle
from battles.selectors.access import battles_of
from kingdom.models import Campaign, User
from kingdom.prepared import Prepared
from kingdom.selectors import role_of
from rules.law import FIGHTING
from rules.text import Said


@dataclass(frozen=True, slots=True)
class Glance:
    """A battle in a list. `sides`: [{name, armies: [{army, name, hp, hp_max, status, word, share?}]}]: `word` where it
    left, `share` where its health is told in hundredths.
    """

    battle: Battle
    phase: Mapping[str, Any]
    sides: list[dict[str, Any]]
    winner: str | None
    over: bool


def glance_at(battle: Battle) -> Glance:
    result, sides = battle.state["result"], battle.state["sides"]
    winner = sides[result["winner"]]["name"] if result and result["winner"] is not None else None
    return Glance(
        battle, battle.state["phase"], [_with_words(battle, side) for side in sides], winner, result is not None
    )


def _with_words(battle: Battle, side: dict[str, Any]) -> dict[str, Any]:
    words = words_of_leaving(battle)
    return {**side, "armies": [{**army, "word": words.get(army["status"])} for army in side["armies"]]}


def words_of_leaving(battle: Battle) -> dict[str, Said]:
    """What became of those that left the field, by their status."""
    return {status: word for status, word in folding.engine_of(battle).status_words.items() if status != FIGHTING}


def battles_in(user: User, campaign: Campaign) -> QuerySet[Battle]:
    """Every battle of the campaign, newest first."""
    return battles_of(user).filter(campaign=campaign).order_by("-id")


def open_now(campaign: Campaign) -> list[Battle]:
    """Battles of the campaign that are not over, newest first. One query; `open_battles` asks no second one if it
    comes next with the same campaign object.
    """
    found = campaign.__dict__[_READ] = _ask_open(campaign.pk)
    return found


def _open(campaign: UUID) -> QuerySet[Battle]:
    rows = Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN)
    return rows.defer("opening", "figures").order_by("-id")


_ask_open = Prepared(_open, UUID)


_READ = "_open_battles"  # where a campaign in hand keeps those that were just read


def open_battles(user: User, campaign: Campaign) -> list[Glance]:
    """Battles that are not over, newest first. One query at most."""
    if role_of(user, campaign) is None:
        return []
    found = campaign.__dict__.pop(_READ, None)
    return [glance_at(battle) for battle in (open_now(campaign) if found is None else found)]


def battles_of_army(user: User, army: Army) -> QuerySet[Battle]:
    """Battles in which the army stood, newest first."""
    return battles_of(user).filter(seats__army=army).order_by("-id")


def battles_of_commander(user: User, commander: Commander) -> QuerySet[Battle]:
    """Battles in which he led an army, newest first."""
    return battles_of(user).filter(seats__commander=commander).order_by("-id").distinct()

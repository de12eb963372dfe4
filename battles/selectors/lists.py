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
from battles.selectors.access import battles_of, veil_of
from kingdom.models import Campaign, User
from kingdom.prepared import Prepared
from kingdom.selectors import role_of, run_kingdom_ids
from kingdom.selectors.access import reads_all
from rules.health import BY_SLUG, band_of
from rules.law import FIGHTING, OPEN, Viewer
from rules.text import Said


@dataclass(frozen=True, slots=True)
class Glance:
    """A battle in a list. `sides`: [{name, armies: [{army, name, hp, hp_max, status, word, share?}]}]: `word` where it
    left, `share` where its health is told in hundredths; `words` where it is told in these, and not in figures.
    """

    battle: Battle
    phase: Mapping[str, Any]
    sides: list[dict[str, Any]]
    winner: str | None
    over: bool


def glance_at(battle: Battle, user: User) -> Glance:
    """As this member may see it. One query where his campaign tells him of enemies' health in words."""
    sides = [_with_words(battle, side) for side in sides_told(battle, user)]
    return Glance(battle, battle.state["phase"], sides, winner_of(battle), battle.state["result"] is not None)


def winner_of(battle: Battle) -> str | None:
    """The name of the victorious side."""
    result, sides = battle.state["result"], battle.state["sides"]
    return sides[result["winner"]]["name"] if result and result["winner"] is not None else None


def sides_told(battle: Battle, user: User) -> list[dict[str, Any]]:
    """The sides as lists show them to this member: health in words has no figures, and `looks` (`rules.health`)."""
    campaign, sides = battle.campaign, battle.state["sides"]
    veil = veil_of(campaign)
    if veil == OPEN or reads_all(user, campaign):
        return sides
    own, known = _known_of(battle, user)
    viewer = Viewer(armies=own, reads=known, veil=veil, beside=_beside(sides, own))
    return [{**side, "armies": [_told_to(viewer, army) for army in side["armies"]]} for side in sides]


def _known_of(battle: Battle, user: User) -> tuple[frozenset[str], frozenset[str]]:
    """Of the armies in it those he commands, and those the GM shows to everybody."""
    run = run_kingdom_ids(user, battle.campaign)
    rows = list(battle.seats.order_by().values_list("army_id", "army__kingdom_id", "army__revealed"))
    own = {str(army) for army, kingdom, _revealed in rows if kingdom in run}
    shown = {str(army) for army, _kingdom, revealed in rows if revealed}
    return frozenset(own), frozenset(shown)


def _beside(sides: list[dict[str, Any]], own: frozenset[str]) -> frozenset[str]:
    named = [{army["army"] for army in side["armies"]} for side in sides]
    return frozenset(army for side in named if not own.isdisjoint(side) for army in side)


def _told_to(viewer: Viewer, army: dict[str, Any]) -> dict[str, Any]:
    if viewer.measures(army["army"]):
        return army
    band = band_of(army["hp"], army["hp_max"])
    return {**army, "hp": None, "hp_max": None, "looks": band.slug}


def _with_words(battle: Battle, side: dict[str, Any]) -> dict[str, Any]:
    words = words_of_leaving(battle)
    told = ({**army, "word": words.get(army["status"]), "words": in_a_word(army)} for army in side["armies"])
    return {**side, "armies": list(told)}


def in_a_word(army: Mapping[str, Any]) -> Said | None:
    """Its health, where it is told so."""
    return BY_SLUG[army["looks"]].word if "looks" in army else None


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
    battles = open_now(campaign) if found is None else found
    for battle in battles:
        battle.campaign = campaign  # which knows his seat
    return [glance_at(battle, user) for battle in battles]


def battles_of_army(user: User, army: Army) -> QuerySet[Battle]:
    """Battles in which the army stood, newest first."""
    return battles_of(user).filter(seats__army=army).order_by("-id")


def battles_of_commander(user: User, commander: Commander) -> QuerySet[Battle]:
    """Battles in which he led an army, newest first."""
    return battles_of(user).filter(seats__commander=commander).order_by("-id").distinct()

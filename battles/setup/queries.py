"""Queries for lists of battles. They read the stored summaries and fold nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armies.forces.busy import words_of_leaving
from armies.models import Commander
from battles.models import Battle, BattleArmy
from battles.play import battle_state as play_battle_state
from battles.queries import get_veil, list_battles, wholly_known
from kingdom.access.queries import reads_all, run_kingdom_ids
from kingdom.models import Campaign, User
from rules.core.health import BY_SLUG, band_of
from rules.core.text import Said
from rules.law import OPEN, Viewer

LOOKED = "_looked"  # Attribute that caches on a battle whose figures its reader knows.


@dataclass(frozen=True, slots=True)
class Glance:
    """A battle in a list.

    `sides`: [{name, armies: [{army, name, hp, hp_max, status, word, share?}]}]. `word`: how the army left the field.
    `share`: whether health is a percentage. `words`: health in words, instead of figures.
    """

    battle: Battle
    phase: Mapping[str, Any]
    sides: list[dict[str, Any]]
    winner: str | None
    over: bool


def glance_at(battle: Battle, user: User) -> Glance:
    """The battle as this member may see it. For several battles call `look_at` first."""
    sides = [_with_words(battle, side) for side in sides_told(battle, user)]
    return Glance(battle, battle.state["phase"], sides, winner_of(battle), battle.state["result"] is not None)


def glances(battles: Sequence[Battle], user: User) -> list[Glance]:
    """These battles as this member may see them."""
    return [glance_at(battle, user) for battle in look_at(battles, user)]


def winner_of(battle: Battle) -> str | None:
    """Name of the victorious side; None where there is none."""
    result, sides = battle.state["result"], battle.state["sides"]
    return sides[result["winner"]]["name"] if result and result["winner"] is not None else None


def sides_told(battle: Battle, user: User) -> list[dict[str, Any]]:
    """The sides as lists show them to this member. Where health is told in words there are no figures, but `looks`
    (`rules.core.health`).
    """
    sides = battle.state["sides"]
    if not _veiled(battle, user):
        return sides
    if LOOKED not in battle.__dict__:
        look_at([battle], user)
    own, known = battle.__dict__[LOOKED]
    viewer = Viewer(armies=own, reads=known, veil=get_veil(battle.campaign), beside=_beside(sides, own))
    return [{**side, "armies": [_told_to(viewer, army) for army in side["armies"]]} for side in sides]


def look_at[B: Sequence[Battle]](battles: B, user: User) -> B:
    """Loads whose figures the user knows in these battles, caches it on them and returns them.

    At most two queries for battles of one campaign, none where it hides nothing from the user.
    """
    campaigns: dict[UUID, Campaign] = {}
    for battle in battles:
        battle.campaign = campaigns.setdefault(battle.campaign_id, battle.campaign)
    veiled = [battle for battle in battles if _veiled(battle, user)]
    run = {key for battle in veiled for key in run_kingdom_ids(user, battle.campaign)}
    own, known = defaultdict[UUID, set[str]](set), defaultdict[UUID, set[str]](set)
    for key, army, kingdom, told in _seats(veiled, run):
        if kingdom in run:
            own[key].add(str(army))
        if told:
            known[key].add(str(army))
    for battle in veiled:
        battle.__dict__[LOOKED] = frozenset(own[battle.pk]), frozenset(known[battle.pk])
    return battles


def _veiled(battle: Battle, user: User) -> bool:
    return get_veil(battle.campaign) != OPEN and not reads_all(user, battle.campaign)


def _seats(battles: list[Battle], kingdoms: set[UUID]) -> Iterable[tuple[UUID, UUID, UUID, bool]]:
    """Rows of (battle, army, its kingdom, whether players of these kingdoms know the army wholly)."""
    if not battles:
        return ()
    seats = BattleArmy.objects.filter(battle__in=battles).order_by().annotate(told=wholly_known(kingdoms))
    return seats.values_list("battle_id", "army_id", "army__kingdom_id", "told")


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
    """Health in words; None where it is told in figures."""
    return BY_SLUG[army["looks"]].word if "looks" in army else None


def state_told(battle: Battle) -> Mapping[str, Any]:
    """The battle's summary for lists. The battle is folded where an earlier version stored no `awaited`."""
    if "awaited" not in battle.state:
        battle.state = play_battle_state.summarize_for_lists(battle, play_battle_state.load_state(battle))
    return battle.state


def battles_of_commander(user: User, commander: Commander) -> QuerySet[Battle]:
    """Battles in which the commander led an army, newest first."""
    return list_battles(user).filter(seats__commander=commander).order_by("-id").distinct()

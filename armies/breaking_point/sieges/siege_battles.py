"""Battles of sieges: what armies bring along, and what the end of a battle does to the siege (B-55).

Losses stay one account: while a siege goes on its armies' documents keep their heads, and the siege their points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges.draft_armies import list_drafts
from armies.breaking_point.sieges.siege_changes import ToldLine, list_changes_after
from armies.breaking_point.sieges.specs import build_place, build_siege, list_army_ids, load_armies
from armies.models import Army
from core.text_search import build_phrase
from kingdom.chronicle.changes import Change
from rules.breaking_point.siege.siege_battles import (
    FoughtBody,
    after_bodies,
    fates_of,
    losses_in_assault,
    losses_in_field,
    outcome_of,
)
from rules.breaking_point.siege.siege_ends import fought
from rules.breaking_point.siege.siege_state import ASSAULT, FOUGHT
from rules.breaking_point.spec import Place
from rules.core.text import _, say

NOTHING: Mapping[str, Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class SiegeBattle:
    """An assault or a battle in the open that a siege waits for. `place`: where it is an assault. `losses`: points each
    unit has lost before, as openings of battles want them. `invested`: whether the place is shut in (B-56).
    """

    row: SiegeRow
    place: Place | None
    losses: Mapping[str, int]
    invested: bool
    besiegers: tuple[str, ...]
    garrison: tuple[str, ...]


def find_siege_battle(armies: Iterable[str | UUID]) -> SiegeBattle | None:
    """The battle of a siege in which one of these armies is wanted; None where none is."""
    waiting = SiegeRow.objects.filter(status__in=FOUGHT, armies__army__in=list(armies)).distinct()
    row = waiting.select_related("campaign", "place__kingdom").first()
    return None if row is None else battle_of(row)


def is_wanted_in_siege(army: Army) -> bool:
    """Whether a siege waits for a battle with this army."""
    return SiegeRow.objects.filter(status__in=FOUGHT, armies__army=army.pk).exists()


def fortified_place(armies: Iterable[str | UUID], name: str) -> FortifiedPlace | None:
    """The place of the campaign in which one of these armies stands, or one of this name that their kingdoms hold."""
    wanted = list(armies)
    named = Q(name__plain=build_phrase(name), kingdom__armies__in=wanted)
    return FortifiedPlace.objects.filter(Q(stationed__army__in=wanted) | named).distinct().first()


def battle_of(row: SiegeRow) -> SiegeBattle:
    siege = build_siege(row, load_armies([row]))
    storming = siege.status == ASSAULT
    losses = losses_in_assault(siege) if storming else losses_in_field(siege)
    return SiegeBattle(
        row=row,
        place=build_place(row.place) if storming else None,
        losses={unit: points for unit, points in losses.items() if points},
        invested=siege.invested,
        besiegers=tuple(row.state["besiegers"]),
        garrison=tuple(row.state["inside"]),
    )


def changes_after(
    row: SiegeRow, bodies: Sequence[FoughtBody], found: Mapping[str, Mapping[str, Any]] = NOTHING
) -> list[Change]:
    """What the end of its battle does to a siege, and with it, if it ends there, to armies and place.

    `found`: figures that the battle itself gives to the siege's armies (`armies_of_siege`), by id: what they have
    learnt, and guns. They are written with the rest and not to be written besides.
    """
    armies = load_armies([row])
    before = build_siege(row, armies)
    after = fought(after_bodies(before, bodies), outcome_of(before, bodies))
    text = say(_("{place}: the battle is over."), place=row.place.name)
    told = [ToldLine(row.campaign.day, text, "B-55")]
    drafts = list_drafts(armies)
    for one, figures in found.items():
        drafts[one].put(**deepcopy(dict(figures)))
    return list_changes_after(row, before, after, told, drafts, fates_of(bodies))


def armies_of_siege(row: SiegeRow) -> frozenset[str]:
    """Ids of those whose losses the siege keeps."""
    return frozenset(list_army_ids(row.state))

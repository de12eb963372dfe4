"""Queries for painters of the map: their strokes, and sheets made from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

from django.db.models import Q

from core import text as words
from kingdom.campaign.page import SIDES
from kingdom.chronicle import changes as chronicle_changes
from kingdom.map.displacement import RULE, describe_displaced
from kingdom.map.map_state import MapState, list_held, load_map_state
from kingdom.map.queries import find_hex, find_map, load_eyes, towns_seen
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from rules.core.text import Said
from rules.hexes.generate import generate
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import MapChoices

OF_THE_MAP = Q(changes__contains=[{"subject_kind": "ground"}]) | Q(
    changes__contains=[{"subject_kind": "map", "field": "document"}]
)


def find_last_stroke(user: User, campaign: Campaign) -> ChronicleEntry | None:
    """The user's latest stroke on the map that still stands. Days that cost a hex are none."""
    kinds = (ChronicleEntry.Kind.OTHER, ChronicleEntry.Kind.KINGDOM)
    strokes = ChronicleEntry.objects.filter(OF_THE_MAP, campaign=campaign, by=user, undone_at=None, kind__in=kinds)
    return strokes.order_by("-seq").first()


def read_stroke(entry: ChronicleEntry) -> Said:
    """What the chronicle says of a stroke."""
    return words.load_said(entry.text)


def describe_stroke(user: User, campaign: Campaign, painted: Said | None) -> str:
    """What was painted, as far as the user's stroke says it, what the chronicle tells of it beside, and who
    left the map with it."""
    entry = find_last_stroke(user, campaign)
    sentences = [painted, *((read_stroke(entry), _gone(campaign, entry)) if entry else ())]
    return " ".join(dict.fromkeys(words.render(sentence) for sentence in sentences if sentence))


def describe_since(user: User, campaign: Campaign, before: ChronicleEntry | None) -> str:
    """The same of a sheet that the user has laid since that stroke of theirs; "" where it changed nothing."""
    return describe_stroke(user, campaign, None) if find_last_stroke(user, campaign) != before else ""


def _gone(campaign: Campaign, entry: ChronicleEntry) -> Said | None:
    """Who left, and whom of them something holds all the same."""
    changes = [change for change in chronicle_changes.list_changes(entry) if change.rule == RULE]
    return describe_displaced(changes, list_held(campaign)) if changes else None


def sheet_of(choices: MapChoices, name: str) -> HexMap:
    """The land of these choices under a name. Raises `InvalidInput`."""
    return replace(_made(choices), name=name)


@lru_cache(maxsize=8)
def _made(choices: MapChoices) -> HexMap:
    """What is looked at before it is taken is not made twice."""
    return generate(choices)


@dataclass(frozen=True)
class MapPicture:
    """What somebody sees of the map, to be drawn: `known` is None where that is all of it."""

    land: MapState
    known: frozenset[Hex] | None
    realms: Mapping[UUID, tuple[str, str]]
    towns: Mapping[Hex, str]


def map_picture(user: User, campaign: Campaign) -> MapPicture | None:
    """The map on the table as the user sees it; None where none lies there."""
    drawn = find_map(campaign)
    if drawn is None:
        return None
    land, eyes = load_map_state(drawn), load_eyes(user, campaign, drawn)
    places = ((find_hex(land.field, town.hex), town.name) for town in towns_seen(user, campaign))
    towns = {at: name for at, name in places if at is not None and eyes.knows(at)}
    return MapPicture(land, eyes.known, list_realms(campaign), towns)


def list_realms(campaign: Campaign) -> dict[UUID, tuple[str, str]]:
    """Name and colour of each kingdom."""
    names = Kingdom.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name")
    return {pk: (name, SIDES[place % len(SIDES)]) for place, (pk, name) in enumerate(names)}


def draw_sheet(land: HexMap) -> MapPicture:
    """A map nobody has taken yet, as a picture."""
    return MapPicture(MapState(land, {}), None, {}, {})

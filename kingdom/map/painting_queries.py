"""Queries for the map editor: strokes, and maps generated from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

from django.db.models import Q

from core import text as words
from kingdom.campaign.page import SIDES
from kingdom.chronicle import changes as chronicle_changes
from kingdom.map.background_queries import Background, find_background
from kingdom.map.displacement import RULE, describe_displaced
from kingdom.map.queries import MapState, find_hex, find_map, list_held, load_eyes, load_map_state, towns_seen
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
    """Return the user's latest stroke on the map that is not undone. Days that cost a hex do not count."""
    kinds = (ChronicleEntry.Kind.OTHER, ChronicleEntry.Kind.KINGDOM)
    strokes = ChronicleEntry.objects.filter(OF_THE_MAP, campaign=campaign, by=user, undone_at=None, kind__in=kinds)
    return strokes.order_by("-seq").first()


def read_stroke(entry: ChronicleEntry) -> Said:
    """Return the sentence of a stroke."""
    return words.load_said(entry.text)


def describe_stroke(user: User, campaign: Campaign, painted: Said | None) -> str:
    """Return what was painted (`painted`), what the chronicle says of it, and which armies left the map with it."""
    entry = find_last_stroke(user, campaign)
    sentences = [painted, *((read_stroke(entry), _gone(campaign, entry)) if entry else ())]
    return " ".join(dict.fromkeys(words.render(sentence) for sentence in sentences if sentence))


def describe_since(user: User, campaign: Campaign, before: ChronicleEntry | None) -> str:
    """Return the same for a map that the user has replaced since the stroke `before`; "" if nothing changed."""
    return describe_stroke(user, campaign, None) if find_last_stroke(user, campaign) != before else ""


def _gone(campaign: Campaign, entry: ChronicleEntry) -> Said | None:
    """Return which armies left, and which events they are still in."""
    changes = [change for change in chronicle_changes.list_changes(entry) if change.rule == RULE]
    return describe_displaced(changes, list_held(campaign)) if changes else None


def sheet_of(choices: MapChoices, name: str) -> HexMap:
    """Return the generated map under this name. Raises `InvalidInput`."""
    return replace(_made(choices), name=name)


@lru_cache(maxsize=8)
def _made(choices: MapChoices) -> HexMap:
    """Generate a map. It is cached, since a map is previewed before it is used."""
    return generate(choices)


@dataclass(frozen=True)
class MapPicture:
    """The map as a reader sees it. `known` is None if that is all of it. `background`: the picture below it."""

    land: MapState
    known: frozenset[Hex] | None
    realms: Mapping[UUID, tuple[str, str]]
    towns: Mapping[Hex, str]
    background: Background | None = None


def map_picture(user: User, campaign: Campaign) -> MapPicture | None:
    """Return the campaign's map as the user sees it; None if there is none in use."""
    drawn = find_map(campaign)
    if drawn is None:
        return None
    land, eyes = load_map_state(drawn), load_eyes(user, campaign, drawn)
    places = ((find_hex(land.field, town.hex), town.name) for town in towns_seen(user, campaign))
    towns = {at: name for at, name in places if at is not None and eyes.knows(at)}
    background = find_background(user, campaign, drawn)
    return MapPicture(land, eyes.known, list_realms(campaign), towns, background)


def list_realms(campaign: Campaign) -> dict[UUID, tuple[str, str]]:
    """Return the name and colour class of each kingdom."""
    names = Kingdom.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name")
    return {pk: (name, SIDES[place % len(SIDES)]) for place, (pk, name) in enumerate(names)}


def draw_sheet(land: HexMap) -> MapPicture:
    """Return a map that is not in use yet, as a picture."""
    return MapPicture(MapState(land, {}), None, {}, {})

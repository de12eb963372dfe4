"""Services for painting: each stroke is one change of the world and can be undone (HX-9), and so is the position of the
picture below the map.

A stroke is applied to the map as it is under the lock, so two GMs who paint at once lose nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db import transaction

from core.clean_input import clean_whole
from core.queries import find_one
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.chronicle.transaction import record_changes
from kingdom.map.painting_queries import find_last_stroke, sheet_of
from kingdom.map.queries import MapState, load_map_state
from kingdom.map.services import NAMED, OTHER, claim_hexes, get_map, make_map, redraw_map
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Kingdom, User
from kingdom.models.map import HUNDREDTHS, PICTURE_OFFSET, PICTURE_OPACITY, PICTURE_WIDTH
from rules.core.errors import IllegalCommand, demand
from rules.core.text import Message, Said, _, say
from rules.hexes.geometry import Edge, Hex, label_of
from rules.hexes.mapfile import HexMap, document
from rules.hexes.orders import command_in, covered_in
from rules.hexes.painting import (
    Command,
    Generate,
    Home,
    Name,
    Obstruct,
    Paint,
    Painted,
    Raise,
    Resize,
    Trace,
    Zone,
    paint,
)
from rules.hexes.terrain import BY_SLUG, KINDS, MapChoices, MapKind

CLAIM = "claim"
OBSTACLES = {
    "wall": _("Wall drawn between {hexes}."),
    "stream": _("Stream drawn between {hexes}."),
    None: _("Obstacle removed between {hexes}."),
}


@dataclass(frozen=True, slots=True)
class Stroke:
    """Result of a stroke of the map editor's brush. `hexes` look different now. `whole`: the map was replaced.
    `undone`: the undone chronicle entry. `text`: description of the stroke alone, if its entry also names displaced
    armies.
    """

    drawn: CampaignMap
    hexes: frozenset[Hex]
    whole: bool = False
    undone: ChronicleEntry | None = None
    text: Said | None = None


@gm_only
@transaction.atomic
def paint_map(*, by: User, campaign: Campaign, command: object, agreed: str | None = None) -> Stroke:
    """Apply one stroke to the campaign's map (GM): a command of `rules.hexes.orders`, or `claim` with a kingdom or
    null.

    Raises `InvalidInput` with pointers into the command. `agreed`: as in `redraw_map`.
    """
    require_gm(by, campaign)
    campaign = changes.lock(campaign)
    drawn = get_map(campaign)
    before = load_map_state(drawn)
    if isinstance(command, Mapping) and command.get("command") == CLAIM:
        _claim(by, campaign, before.field, command)
        return _stroke(campaign, before)
    text = _paint(by, drawn, before.field, command, agreed=agreed)
    return replace(_stroke(campaign, before), text=text)


def _paint(by: User, drawn: CampaignMap, field: HexMap, told: object, *, agreed: str | None) -> Said:
    command = command_in(told, field)
    demand(not isinstance(command, Zone | Home), _("This belongs to a battle map."), field="/command")
    done = paint(field, command)
    text = describe_command(command, done)
    if done.land != field:
        redraw_map(by=by, drawn=drawn, field=done.land, text=text, agreed=agreed)
    return text


def _claim(by: User, campaign: Campaign, field: HexMap, told: Mapping[str, Any]) -> None:
    hexes = covered_in(told, field, "command", "kingdom")
    claim_hexes(by=by, campaign=campaign, kingdom=_kingdom(campaign, told), hexes=map(label_of, hexes))


def _kingdom(campaign: Campaign, told: Mapping[str, Any]) -> Kingdom | None:
    named = told.get("kingdom")
    if named in (None, ""):
        return None
    found = {str(kingdom.pk): kingdom for kingdom in Kingdom.objects.filter(campaign=campaign)}.get(str(named))
    demand(found, _("This kingdom isn’t in this campaign."), field="/kingdom")
    return found


def _stroke(campaign: Campaign, before: MapState) -> Stroke:
    drawn = get_map(campaign)
    after = load_map_state(drawn)
    return Stroke(drawn, differing(before, after), whole=_sheet(before.field) != _sheet(after.field))


def _sheet(field: HexMap) -> tuple[str, int, int]:
    return field.name, field.columns, field.rows


def differing(before: MapState, after: MapState) -> frozenset[Hex]:
    """Return the hexes that look different after the change."""
    old, new = before.field, after.field
    at_hexes = ((old.labels, new.labels), (old.heights, new.heights), (before.claims, after.claims))
    found = {at for had, has in at_hexes for at in had.keys() | has.keys() if had.get(at) != has.get(at)}
    found |= {at for at in new if at not in old or old.at(at) is not new.at(at)}
    edges: set[Edge] = {
        step for step in old.edges.keys() | new.edges.keys() if old.edges.get(step) != new.edges.get(step)
    }
    edges |= (old.roads ^ new.roads) | (old.rivers ^ new.rivers)
    return frozenset(at for at in found | {end for step in edges for end in step} if at in new)


@gm_only
@transaction.atomic
def undo_stroke(*, by: User, campaign: Campaign) -> Stroke:
    """Undo one's own latest stroke that is not undone yet (GM). Raises `IllegalCommand` naming the later changes that
    depend on it.
    """
    require_gm(by, campaign)
    campaign = changes.lock(campaign)
    before = load_map_state(get_map(campaign))
    entry = find_last_stroke(by, campaign)
    if entry is None:
        raise IllegalCommand(_("You have nothing to undo on this map."))
    changes.undo(campaign=campaign, entry=entry, by=by)
    return replace(_stroke(campaign, before), undone=entry)


@gm_only
@transaction.atomic
def generate_sheet(
    *, by: User, campaign: Campaign, choices: MapChoices, name: str = "", agreed: str | None = None
) -> CampaignMap:
    """Generate a map and make it the campaign's map (GM). `agreed`: as in `redraw_map`."""
    require_gm(by, campaign)
    drawn = find_one(CampaignMap.objects.filter(campaign=campaign, put_away=False))
    land = sheet_of(choices, drawn.name if drawn else name or campaign.name)
    if drawn is None:
        return make_map(by=by, campaign=campaign, document=document(land), agreed=agreed)
    return redraw_map(by=by, drawn=drawn, field=land, text=_generated(choices), agreed=agreed)


# Sentences for the chronicle


def describe_command(command: Command, done: Painted) -> Said:
    """Return the sentence of a stroke."""
    hexes = name_hexes(done.hexes)
    match command:
        case Paint(_hexes, slug):
            return say(_("{terrain} on {hexes}."), terrain=BY_SLUG[MapKind.CAMPAIGN][slug].name, hexes=hexes)
        case Raise():
            return say(_("Height changed on {hexes}."), hexes=hexes)
        case Obstruct(_between, obstacle):
            return say(OBSTACLES[obstacle], hexes=hexes)
        case Trace("road", _edges, there):
            return say(_("Road drawn through {hexes}.") if there else _("Road removed from {hexes}."), hexes=hexes)
        case Trace(_river, _edges, there):
            return say(_("River drawn through {hexes}.") if there else _("River removed from {hexes}."), hexes=hexes)
        case Name(at, text):
            template = _("{hex} was named {text}.") if text else _("Name removed from {hex}.")
            return say(template, hex=label_of(at), text=text or "")
        case Generate(choices):
            return _generated(choices)
        case Resize(columns, rows):
            return say(_("The map is now {columns} by {rows} hexes."), columns=columns, rows=rows)
    return say(_("The map was replaced: {map}."), map=done.land.name)


def _generated(choices: MapChoices) -> Message:
    kind = KINDS[choices.of][choices.kind]
    return say(_("The map was generated: {kind}, seed “{seed}”."), kind=kind, seed=choices.seed)


def name_hexes(hexes: frozenset[Hex]) -> Said | str:
    """Return hexes for a sentence: the first of them, and how many more."""
    labels = [label_of(at) for at in sorted(hexes, key=lambda at: (at.r, at.q))]
    if len(labels) <= NAMED:
        return ", ".join(labels)
    return say(_("{hexes} and {more} more"), hexes=", ".join(labels[:NAMED]), more=len(labels) - NAMED)


# The picture below the map. It is uploaded like every picture (`kingdom.pictures.services`).

type Number = Decimal | float | int


@gm_only
@transaction.atomic
def place_background(
    *, by: User, campaign: Campaign, width: Number | None, left: Number, top: Number, opacity: int
) -> CampaignMap:
    """Set the position of the picture below the map (GM), in widths of a hex, and its opacity in percent. `width`: None
    for that of the map.

    Raises `InvalidInput`.
    """
    require_gm(by, campaign)
    found = get_map(campaign)
    with record_changes(by=by, campaign=campaign, kind=OTHER, on=[("map", found)]) as told:
        drawn: CampaignMap = told.held("map", found)
        drawn.picture_width = None if width is None else _hundredths(width, "/width", PICTURE_WIDTH)
        drawn.picture_left = _hundredths(left, "/left", PICTURE_OFFSET)
        drawn.picture_top = _hundredths(top, "/top", PICTURE_OFFSET)
        least, most = PICTURE_OPACITY
        drawn.picture_opacity = clean_whole(opacity, field="/opacity", least=least, most=most)
        drawn.save(update_fields=["picture_width", "picture_left", "picture_top", "picture_opacity"])
        told.text = _("The map’s background picture was placed.")
    return drawn


def _hundredths(value: object, field: str, bounds: tuple[int, int]) -> int:
    """Return a number of hexes in hundredths. Raises `InvalidInput`."""
    least, most = (bound // HUNDREDTHS for bound in bounds)
    fits = isinstance(value, Decimal | float | int) and not isinstance(value, bool) and least <= value <= most
    demand(fits, _("Use a number from {least} to {most}."), field=field, least=least, most=most)
    return round(value * HUNDREDTHS)  # type: ignore[operator]

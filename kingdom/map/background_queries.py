"""Queries for the picture below the campaign's map: its position, and the part of it that a reader may see.

Readers of the whole map receive the whole picture. Under fog a player receives only the hexes that their kingdoms have
seen: the server cuts out the rest, and the picture's address identifies the visible part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.http import Http404
from django.urls import reverse

from core.images import BACKGROUND, Polygon, StoredImage, mask_image
from core.request_memo import LRUCache
from kingdom.access.queries import is_gm, require_member
from kingdom.map import svg
from kingdom.map.queries import Hexes, bits_of, find_map, load_eyes, load_map_state
from kingdom.models import Campaign, CampaignMap, Picture, User
from kingdom.models.map import HUNDREDTHS
from kingdom.pictures.queries import PictureMask, PictureOwner, ShownPicture, describe_picture
from rules.core.text import _
from rules.hexes.geometry import Hex

KIND = "map"
KEPT = 16

_parts: LRUCache[str, StoredImage] = LRUCache(KEPT)  # cut pictures, by the visible part


class Placement(NamedTuple):
    """Position of the picture below the map, in widths of a hex from the map's corner, and its opacity in percent.
    `width`: None for that of the map.
    """

    width: Decimal | None
    left: Decimal
    top: Decimal
    opacity: int


class Background(NamedTuple):
    """The picture below the map as a reader sees it, in the units of `kingdom.map.svg`. `read` returns its file."""

    picture: ShownPicture
    left: float
    top: float
    wide: float
    high: float
    opacity: int
    read: Callable[[], bytes]


def read_placement(drawn: CampaignMap) -> Placement:
    left, top = (Decimal(offset) / HUNDREDTHS for offset in (drawn.picture_left, drawn.picture_top))
    width = drawn.picture_width and Decimal(drawn.picture_width) / HUNDREDTHS
    return Placement(width or None, left, top, drawn.picture_opacity)


def find_background(user: User, campaign: Campaign, drawn: CampaignMap) -> Background | None:
    """Return the picture below this map, for a member of the campaign; None if there is none."""
    row = Picture.objects.filter(campaign=campaign, shown=True, kind=KIND, thing=drawn.pk).defer("content").first()
    if row is None:
        return None
    row.campaign = campaign
    mask = _mask(user, row)
    left, top, wide, high = _find_sides(drawn, row)
    read = lambda: mask.cut().content if mask else bytes(row.content)  # noqa: E731
    return Background(describe_picture(row, mask), left, top, wide, high, drawn.picture_opacity, read)


def _find_sides(drawn: CampaignMap, picture: Picture) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the picture, from the map's corner."""
    width, left, top, _opacity = read_placement(drawn)
    wide = float(width) * svg.WIDE if width else svg.measure_land(drawn.columns, drawn.rows)[0]
    return float(left) * svg.WIDE, float(top) * svg.WIDE, wide, wide * picture.height / picture.width


# What of it a reader sees


def _mask(user: User, picture: Picture) -> PictureMask | None:
    drawn = find_map(picture.campaign)
    if drawn is None:
        raise Http404
    known = load_eyes(user, picture.campaign, drawn).known
    if known is None:
        return None
    digest = _name_part(drawn, picture, known)
    return PictureMask(digest, lambda: _parts.get(digest) or _parts.keep(digest, _cut(drawn, picture, known)))


def _name_part(drawn: CampaignMap, picture: Picture, known: Hexes) -> str:
    """Return the digest of what is seen of the picture. Nothing in it changes with what is not seen."""
    lies = (picture.digest, drawn.columns, drawn.rows, drawn.picture_width, drawn.picture_left, drawn.picture_top)
    return hashlib.sha256(repr(lies).encode() + bits_of(known)).hexdigest()


def _cut(drawn: CampaignMap, picture: Picture, known: Hexes) -> StoredImage:
    field, sides = load_map_state(drawn).field, _find_sides(drawn, picture)
    seen, unseen = ([at for at in field if (at in known) is wanted] for wanted in (True, False))
    return mask_image(
        bytes(picture.content), _outline(seen, sides, picture.width), _outline(unseen, sides, picture.width)
    )


def _outline(hexes: Iterable[Hex], sides: tuple[float, float, float, float], pixels: int) -> Iterator[Polygon]:
    """Yield the corners of these hexes in the picture, in its pixels."""
    left, top, wide, _high = sides
    for x, y in map(svg.spot, hexes):
        west, north = x - svg.MARGIN - left, y - svg.MARGIN - top
        yield [((west + east) * pixels / wide, (north + south) * pixels / wide) for east, south in svg.CORNERS]


# Picture owner for the map: every member sees the map in use, the GM changes what lies below it.


def _find(user: User, campaign: Campaign, key: str) -> CampaignMap:
    require_member(user, campaign)
    drawn = find_map(campaign)
    if drawn is None or drawn.pk != UUID(key):
        raise Http404
    drawn.campaign = campaign
    return drawn


def _visible(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    drawn = find_map(campaign)
    return {str(drawn.pk)} & set(keys) if drawn else set()


OWNER = PictureOwner(
    word=_("Background picture"),
    changed=_("New background picture: {name}."),
    removed=_("{name}’s background picture was removed."),
    find=_find,
    edits=lambda user, drawn: is_gm(user, drawn.campaign),
    visible=_visible,
    kingdom=lambda drawn: None,
    owner_of=lambda campaign, key: None,
    page=lambda campaign, key: reverse("kingdom:map_background", args=[campaign.pk]),
    entry="other",
    limits=BACKGROUND,
    mask=_mask,
)

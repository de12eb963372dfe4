"""Queries for a campaign's map, limited to what a user may see.

GM and viewers see everything. Without fog players do too, except for settlements of kingdoms they do not read. With fog
they see hexes that their kingdoms have seen (*known*), and what moves only where these look now (*watched*).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from kingdom.access.queries import build_membership_condition, build_reads_condition, reads_all, run_kingdom_ids
from kingdom.map.map_state import MapState, hexes_of, load_map_state
from kingdom.models import Campaign, CampaignMap, Kingdom, MapKnowledge, Settlement, User
from kingdom.realms.figures import get_realm_law
from rules.hexes.geometry import LABEL, Hex, hex_at
from rules.hexes.mapfile import HexMap

type Hexes = frozenset[Hex]


@dataclass(frozen=True, slots=True)
class Eyes:
    """What a reader sees: `known` are hexes they have seen, `watched` those they see now; None for all hexes.

    `kingdoms`: their own, where sight is limited.
    """

    known: Hexes | None = None
    watched: Hexes | None = None
    kingdoms: frozenset[UUID] = frozenset()

    def knows(self, at: Hex) -> bool:
        return self.known is None or at in self.known

    def watches(self, at: Hex) -> bool:
        return self.watched is None or at in self.watched


ALL = Eyes()


def find_map(campaign: Campaign) -> CampaignMap | None:
    """Return the campaign's map in use, or None. Queried once per campaign object."""
    if "_map" not in campaign.__dict__:
        campaign.__dict__["_map"] = CampaignMap.objects.filter(campaign=campaign, put_away=False).first()
    found: CampaignMap | None = campaign.__dict__["_map"]
    return found


def map_put_away(campaign: Campaign) -> bool:
    """Return whether there is a map that is put away."""
    return CampaignMap.objects.filter(campaign=campaign, put_away=True).exists()


def forget_map(campaign: Campaign) -> None:
    """Forget the cached map after a change."""
    campaign.__dict__.pop("_map", None)


def get_extent_figure(campaign: Campaign) -> str:
    """Return the sheet figure that holds a kingdom's number of hexes in the campaign's ruleset; "" if there is none."""
    return next((slug for slug, figure in get_realm_law(campaign).sheet.items() if figure.hexes), "")


def get_followed_extent(campaign: Campaign) -> str:
    """Return the same figure if it follows the map; "" if users enter it."""
    slug = get_extent_figure(campaign)
    drawn = find_map(campaign) if slug else None
    return slug if drawn and drawn.sizes else ""


class Parted(NamedTuple):
    """A kingdom whose size differs from its number of hexes."""

    kingdom: UUID
    name: str
    size: int | None
    hexes: int


def all_parted(campaign: Campaign, drawn: CampaignMap, land: MapState) -> list[Parted]:
    """Return the kingdoms whose size should follow this map and does not, oldest first; none if sizes do not
    follow it.
    """
    slug = get_extent_figure(campaign)
    if not (drawn.sizes and slug):
        return []
    rows = Kingdom.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", slug)
    return [Parted(key, name, size, len(land.of(key))) for key, name, size in rows if size != len(land.of(key))]


def parted_from_hexes(campaign: Campaign) -> Parted | None:
    """Return the first such kingdom by the map in use; None if there is none."""
    drawn = find_map(campaign)
    return next(iter(all_parted(campaign, drawn, load_map_state(drawn))), None) if drawn else None


def follows_map() -> Exists:
    """Return the condition, in a query of kingdoms, that a kingdom's size follows its hexes."""
    return Exists(CampaignMap.objects.filter(campaign=OuterRef("campaign"), put_away=False, sizes=True))


def load_eyes(user: User, campaign: Campaign, drawn: CampaignMap, watched: Iterable[Hex] = ()) -> Eyes:
    """Return what the user sees. `watched`: what the armies and settlements of their kingdoms see now
    (`kingdom.map.fog_services.watched_by`).
    """
    if reads_all(user, campaign) or not drawn.fog:
        return ALL
    own = frozenset(run_kingdom_ids(user, campaign))
    now = frozenset(watched).union(*(load_map_state(drawn).of(kingdom) for kingdom in own))
    seen = MapKnowledge.objects.filter(map=drawn, kingdom__in=own).values_list("seen", flat=True)
    return Eyes(now.union(*(hexes_of(bytes(bits)) for bits in seen)), now, own)


def towns_seen(user: User, campaign: Campaign) -> QuerySet[Settlement]:
    """Return the settlements on the map that the user may know: those of kingdoms they read, and revealed ones.

    The caller checks with `Eyes` whether the user sees their hexes.
    """
    revealed = Q(revealed=True) & build_membership_condition(user)
    return (
        Settlement.objects.filter(build_reads_condition(user) | revealed, campaign=campaign)
        .exclude(hex="")
        .select_related("kingdom")
    )


def find_hex(field: HexMap, label: str) -> Hex | None:
    """Return the hex with this name; None if it is not on the map."""
    at = hex_at(label) if LABEL.fullmatch(label) else None
    return at if at is not None and at in field else None


def field_of(campaign: Campaign) -> HexMap | None:
    """Return the map of the rules; None if none is in use."""
    drawn = find_map(campaign)
    return load_map_state(drawn).field if drawn else None


def land_on_table(campaign: Campaign) -> MapState | None:
    drawn = find_map(campaign)
    return load_map_state(drawn) if drawn else None

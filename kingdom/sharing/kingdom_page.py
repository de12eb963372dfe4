"""Public page of a kingdom: its name, its arms, and what every member may read of it."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.http import HttpRequest

from core.text import render
from kingdom import contributions as kingdom_slots
from kingdom.access.queries import is_gm, kingdom_in, run_kingdom_ids
from kingdom.campaign.page import get_colour
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.heraldry import Arms
from kingdom.sharing.share_kinds import Drawn, LinkPreview, Shared, ShareKind
from rules.core.text import _

KINGDOM = "kingdom"


def names(campaign: Campaign, ids: Collection[UUID]) -> dict[UUID, str]:
    return dict(Kingdom.objects.filter(campaign=campaign, pk__in=ids).values_list("pk", "name"))


def things(user: User, campaign: Campaign) -> list[tuple[UUID, str]]:
    """Return the kingdoms the user runs, if they may share them."""
    if not (is_gm(user, campaign) or campaign.players_share):
        return []
    run = run_kingdom_ids(user, campaign)
    return list(Kingdom.objects.filter(campaign=campaign, pk__in=run).values_list("pk", "name"))


def draw(request: HttpRequest, shared: Shared) -> Drawn:
    kingdom: Kingdom = shared.thing
    more = kingdom_slots.rendered_to(shared.onlooker, request, "shared", kingdom)
    return Drawn("shared/kingdom.html", {"kingdom": kingdom, "side": get_colour(kingdom), "panels": more})


def preview(shared: Shared) -> LinkPreview:
    kingdom: Kingdom = shared.thing
    arms: Arms = kingdom.arms_borne
    text = f"{shared.campaign.name} · {render(shared.campaign.date.text)}"
    return LinkPreview(kingdom.name, text, ((kingdom.name, arms),))


HELP = _("Name, arms, and the armies whose sheets are revealed to everyone.")
KIND = ShareKind(_("Kingdom page"), HELP, kingdom_in, things, names, draw, preview, of_kingdom=True)

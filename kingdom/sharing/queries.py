"""Queries for share links: who may make them, which exist, and what a token opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from kingdom.access.queries import get_one, is_gm, require_member, run_kingdom_ids
from kingdom.models import Campaign, ShareLink, User
from kingdom.sharing.share_kinds import LinkPreview, Shared, ShareKind, list_kinds, onlooker

TOKEN_MOST = 100  # most letters of a token


class ShareLine(NamedTuple):
    """A link in a list, with the name of its object."""

    link: ShareLink
    kind: ShareKind
    about: str


def get_shared(token: str) -> Shared:
    """Return what a token opens. Raises Http404 alike for an unknown, revoked or expired link and for a deleted
    object.
    """
    digest = ShareLink.digest_of(token[:TOKEN_MOST])
    link = (
        ShareLink.objects.filter(ShareLink.opens(), digest=digest, campaign__deleted_at=None)
        .select_related("campaign")
        .first()
    )
    if link is None or link.kind not in list_kinds():
        raise Http404
    thing = list_kinds()[link.kind].find(link.campaign, link.thing)
    return Shared(link, token, thing, onlooker(link.campaign))


def may_share(user: User, campaign: Campaign, kind: ShareKind, thing: UUID) -> bool:
    """Return whether the user may share this: the GM anything; whoever runs a kingdom its page, if the GM allows it."""
    if is_gm(user, campaign):
        return True
    return kind.of_kingdom and campaign.players_share and thing in run_kingdom_ids(user, campaign)


def require_may_share(user: User, campaign: Campaign, kind: ShareKind, thing: Any) -> None:
    """Raise Http404 for strangers, `PermissionDenied` for members who may not share this."""
    require_member(user, campaign)
    if not may_share(user, campaign, kind, thing.pk):
        raise PermissionDenied


def preview_for(user: User, campaign: Campaign, kind: ShareKind, pk: UUID) -> LinkPreview:
    """Return the preview of a link the user could make now; none is made. Raises Http404, `PermissionDenied`."""
    thing = kind.find(campaign, pk)
    require_may_share(user, campaign, kind, thing)
    link = ShareLink(campaign=campaign, thing=pk, created_by=user)
    return kind.preview(Shared(link, "", thing, onlooker(campaign)))


def shares_somewhat(user: User, campaign: Campaign) -> bool:
    """Return whether the user may make any link in the campaign."""
    return is_gm(user, campaign) or (campaign.players_share and bool(run_kingdom_ids(user, campaign)))


def require_sharer(user: User, campaign: Campaign) -> None:
    """Raise Http404 for strangers, `PermissionDenied` for members who may make no link at all."""
    require_member(user, campaign)
    if not shares_somewhat(user, campaign):
        raise PermissionDenied


def list_shares(user: User, campaign: Campaign) -> QuerySet[ShareLink]:
    """Return the links that are not revoked, newest first: all for the GM, their own for others."""
    found = ShareLink.objects.filter(campaign=campaign, revoked_at=None).select_related("created_by", "campaign")
    return found if is_gm(user, campaign) else found.filter(created_by=user)


def share_of(user: User, campaign: Campaign, share_id: UUID | str) -> ShareLink:
    """Return one of these links. Raises Http404."""
    return get_one(list_shares(user, campaign), share_id)


def share_lines(campaign: Campaign, links: list[ShareLink]) -> Iterator[ShareLine]:
    """Yield the links with the names of their objects; "" for a deleted one."""
    things: dict[str, list[UUID]] = {}
    for link in links:
        things.setdefault(link.kind, []).append(link.thing)
    names = {slug: list_kinds()[slug].names(campaign, ids) for slug, ids in things.items() if slug in list_kinds()}
    for link in links:
        if link.kind in names:
            yield ShareLine(link, list_kinds()[link.kind], names[link.kind].get(link.thing, ""))


def shareable(user: User, campaign: Campaign) -> Iterator[tuple[str, ShareKind, list[tuple[UUID, str]]]]:
    """Yield the objects that the user can share, by kind: its slug, the kind, and the objects' ids and names."""
    for slug, kind in list_kinds().items():
        if found := list(kind.things(user, campaign)):
            yield slug, kind, found

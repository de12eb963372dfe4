"""Services for share links: create, revoke, use."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language

from core.clean_input import clean_slug, clean_whole
from core.live import ACCESS
from kingdom.access.decorators import unrestricted
from kingdom.access.queries import is_gm
from kingdom.accounts.rate_limits import Limit
from kingdom.chronicle import changes
from kingdom.models import Campaign, ShareLink, User
from kingdom.sharing.queries import may_share, require_may_share, require_sharer, share_of
from kingdom.sharing.share_kinds import list_kinds
from rules.core.errors import require
from rules.core.text import _

DAYS, DAYS_MOST = 30, 3650
OPEN_MOST = 200  # open links of a campaign
WRONG = Limit("share-guess", 30, 10)
"""Rate limit of wrong tokens, by address."""


class NewShare(NamedTuple):
    """A new link and its token, which is known only now."""

    link: ShareLink
    token: str


@unrestricted("The GM, and where he lets them those who run a kingdom, of its page.")
@transaction.atomic
def create_share(*, by: User, campaign: Campaign, kind: str, thing: UUID, days: int | None = DAYS) -> NewShare:
    """Create a public link to an object of the campaign for `days` days (None: until it is revoked).

    Raises `InvalidInput`, Http404 for an object that does not exist, `PermissionDenied` for a user who may not share
    it, and `IllegalCommand` if there are too many links.
    """
    require_sharer(by, campaign)
    slug = clean_slug(kind, field="/kind", among=list_kinds())
    held = changes.lock(campaign)
    require_may_share(by, held, list_kinds()[slug], list_kinds()[slug].find(held, thing))
    life = None if days is None else timedelta(days=clean_whole(days, field="/days", least=1, most=DAYS_MOST))
    there = ShareLink.objects.filter(ShareLink.opens(), campaign=campaign).count()
    require(there < OPEN_MOST, _("You already have {most} share links. Revoke one first."), most=OPEN_MOST)
    token = ShareLink.new_token()
    link = ShareLink.objects.create(
        campaign=campaign,
        kind=slug,
        thing=thing,
        digest=ShareLink.digest_of(token),
        language=get_language() or "",
        created_by=by,
        expires=None if life is None else timezone.now() + life,
    )
    return NewShare(link, token)


@unrestricted("The GM any link, others those they made.")
@transaction.atomic
def revoke_share(*, by: User, link: ShareLink) -> None:
    """Revoke the link at once, also for open pages. Revoking twice changes nothing.

    Raises Http404 for a link that is not theirs.
    """
    if not is_gm(by, link.campaign):
        share_of(by, link.campaign, link.pk)
    end_links(ShareLink.objects.filter(pk=link.pk))


def end_links(links: QuerySet[ShareLink]) -> None:
    """Revoke these links."""
    ended = list(links.filter(revoked_at=None).select_for_update().values_list("pk", flat=True))
    ShareLink.objects.filter(pk__in=ended).update(revoked_at=timezone.now())
    doubt_links(ended)


def doubt_links(links: Iterable[UUID]) -> None:
    """Make open pages of these links check their access again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, unnest(%s::text[]))", [ACCESS, [topic_of(link) for link in links]])


def end_lost_links(campaign: Campaign, links: QuerySet[ShareLink]) -> None:
    """Revoke share links whose makers have lost the permission for them."""
    asked = links.filter(campaign=campaign, revoked_at=None, kind__in=list_kinds()).select_related("created_by")
    lost = [
        link.pk
        for link in asked
        if link.created_by and not may_share(link.created_by, campaign, list_kinds()[link.kind], link.thing)
    ]
    if lost:
        end_links(ShareLink.objects.filter(pk__in=lost))


def topic_of(link: UUID) -> str:
    """Return the topic of the open pages of a link (`core.live`)."""
    return f"share:{link}"

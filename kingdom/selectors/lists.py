"""Lists, as querysets that cost the same for one row and for fifty."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count, F, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils import timezone

from kingdom.heraldry import Arms
from kingdom.models import ApiToken, Campaign, Invitation, Kingdom, LedgerEntry, Membership, Settlement, User
from kingdom.selectors.access import as_uuid, campaigns_of, reads, run_kingdom_ids


def kingdoms_of(user: User) -> QuerySet[Kingdom]:
    """Every kingdom of the user's campaigns, with what its figures need. Not all are readable: ask."""
    kingdoms = Kingdom.objects.filter(campaign__in=campaigns_of(user))
    return kingdoms.select_related("campaign").prefetch_related("settlements", "players")


def run_kingdoms(user: User, campaign: Campaign) -> QuerySet[Kingdom]:
    """The kingdoms of the campaign the user runs: all of them for the GM."""
    return Kingdom.objects.filter(pk__in=run_kingdom_ids(user, campaign))


def arms_in(campaign: Campaign, but: Kingdom | None = None) -> list[Arms]:
    """The arms borne in the campaign, oldest kingdom first; of every kingdom `but` this one."""
    kingdoms = Kingdom.objects.filter(campaign=campaign).order_by("id").only("name", "arms")
    return [kingdom.arms_borne for kingdom in kingdoms if kingdom != but]


def roll_of_arms(kingdom: Kingdom) -> QuerySet[Kingdom]:
    """The other kingdoms of the campaign: whose arms these must not be taken for."""
    return Kingdom.objects.filter(campaign=kingdom.campaign_id).exclude(pk=kingdom.pk).only("name", "arms")


def arms_of(kingdoms: Iterable[UUID | str]) -> dict[str, Arms]:
    """The arms of these kingdoms by str(id), in one query; an empty id, or one of a kingdom that is gone, has none."""
    known = {as_uuid(kingdom) for kingdom in kingdoms if kingdom}
    found = Kingdom.objects.filter(pk__in=known).only("name", "arms") if known else ()
    return {str(kingdom.pk): kingdom.arms_borne for kingdom in found}


def settlements_of(user: User) -> QuerySet[Settlement]:
    """Settlements of the kingdoms the user may read."""
    return Settlement.objects.filter(reads(user)).select_related("kingdom__campaign")


def ledger_of(kingdom: Kingdom) -> QuerySet[LedgerEntry]:
    """The kingdom's entries, newest first."""
    return LedgerEntry.objects.filter(kingdom=kingdom).select_related("by").order_by("-seq")


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user").order_by("id")


def invitations_of(campaign: Campaign) -> QuerySet[Invitation]:
    """The links that were made, newest first, open or not."""
    return Invitation.objects.filter(campaign=campaign).select_related("created_by").order_by("-id")


def invitation_by(token: str) -> Invitation:
    """The invitation a link names. Raises Http404."""
    if (named := Invitation.id_in(token)) is None:
        raise Http404
    return _one(Invitation.objects.select_related("campaign"), named)


def invitation_of(campaign: Campaign, invitation_id: UUID | str) -> Invitation:
    """One of the campaign's links. Raises Http404."""
    return _one(invitations_of(campaign), invitation_id)


def seat_of(campaign: Campaign, membership_id: UUID | str) -> Membership:
    """One of the campaign's seats. Raises Http404."""
    return _one(members_of(campaign), membership_id)


def _one[Row: Model](rows: QuerySet[Row], key: UUID | str) -> Row:
    found = rows.filter(pk=as_uuid(key)).first()
    if found is None:
        raise Http404
    return found


def campaign_cards(user: User) -> QuerySet[Campaign]:
    """The user's campaigns for the first page, each with his `seat` and how many `realms` it has."""
    seats = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")
    realms = Kingdom.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign").annotate(n=Count("pk"))
    cards = campaigns_of(user).annotate(seat=Subquery(seats), realms=Coalesce(Subquery(realms.values("n")), 0))
    return cards.order_by("-created_at", "-id")


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """The links that still work."""
    return invitations_of(campaign).filter(revoked_at=None, used__lt=F("uses"), expires__gt=timezone.now())


def ledger_filtered(kingdom: Kingdom, *, source: str = "", direction: str = "") -> QuerySet[LedgerEntry]:
    """The ledger, only of one source and only what came `in` or went `out`; unknown words filter nothing."""
    entries = ledger_of(kingdom)
    if source in LedgerEntry.Origin.values:
        entries = entries.filter(source=source)
    match direction:
        case "in":
            return entries.filter(amount__gt=0)
        case "out":
            return entries.filter(amount__lt=0)
        case _:
            return entries


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """The user's keys, newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created")

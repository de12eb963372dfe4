"""Queries for campaigns and kingdoms, whose number does not depend on the number of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Count,
    Exists,
    F,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, Now
from django.http import Http404
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from core.queries import build_once, find_one
from core.text_search import contains_words, find_alike, split_words, strip_accents
from kingdom.access.queries import (
    build_reads_condition,
    get_one,
    is_gm,
    list_campaigns,
    list_seats,
    parse_uuid_or_404,
    reads_kingdom,
    run_kingdom_ids,
    runs_kingdom,
)
from kingdom.contributions import Contribution, contributed
from kingdom.models import (
    ApiToken,
    Campaign,
    Invitation,
    Kingdom,
    KingdomPlayer,
    LedgerEntry,
    Membership,
    SecurityEvent,
    Settlement,
    User,
)
from kingdom.models.base import Natural, made_at, make_natural_key
from kingdom.models.heraldry import Arms

CHART_POINTS = 60  # ledger entries in the chart on a kingdom's page


def kingdoms_of(user: User) -> QuerySet[Kingdom]:
    """Return the kingdoms of the user's campaigns, with what their figures need. Check access for each: some are not
    readable.
    """
    kingdoms = Kingdom.objects.filter(campaign__in=list_campaigns(user))
    return kingdoms.select_related("campaign").prefetch_related("settlements", "players")


def run_kingdoms(user: User, campaign: Campaign) -> QuerySet[Kingdom]:
    """Return the campaign's kingdoms that the user runs: all of them for the GM."""
    found = Kingdom.objects.filter(campaign=campaign)
    return found if is_gm(user, campaign) else found.filter(pk__in=run_kingdom_ids(user, campaign))


def load_board(campaign: Campaign) -> list[Kingdom]:
    """Return the kingdoms of the campaign, oldest first, with their settlements' districts, the names of their players,
    and the annotations of other apps (`Contribution.kingdom_annotations`).

    One query; `campaign.kingdoms` is then prefetched.
    """
    if not is_kept(campaign, "kingdoms"):
        prefetch_related_objects([campaign], Prefetch("kingdoms", _board(contributed()).all()))
    return list(campaign.kingdoms.all())


def is_kept(row: Model, name: str) -> bool:
    """Return whether this relation of the row is prefetched."""
    return name in row.__dict__.get("_prefetched_objects_cache", {})


def read_towns(kingdom: Kingdom) -> None:
    """Prefetch its settlements. One query."""
    prefetch_related_objects([kingdom], "settlements")


@build_once
def _board(contributions: Contribution) -> QuerySet[Kingdom]:
    towns = Settlement.objects.filter(kingdom=OuterRef("pk")).order_by().values("kingdom")
    return Kingdom.objects.order_by("id").annotate(
        player_names=_players(),
        town_districts=Coalesce(Subquery(towns.annotate(n=Sum("districts")).values("n")), 0),
        **contributions.kingdom_annotations,
    )


def kingdoms_read(user: User, campaign: Campaign) -> list[Kingdom]:
    """Return the kingdoms the user may read, by name, with their settlements. Prefetched kingdoms are reused."""
    found = campaign.kingdoms.all()
    if not is_kept(campaign, "kingdoms"):
        found = found.prefetch_related("settlements")
    readable = [kingdom for kingdom in found if reads_kingdom(user, kingdom)]
    return sorted(readable, key=lambda kingdom: (make_natural_key(kingdom.name), kingdom.pk))


def place_and_players(kingdom: Kingdom) -> tuple[int, list[str]]:
    """Return the kingdom's position in its campaign (the number of older kingdoms), and the names of its players. Sets
    the annotations of other apps (`Contribution.kingdom_annotations`) on the kingdom. Raises Http404 if it is deleted.
    """
    older = Kingdom.objects.filter(campaign=OuterRef("campaign"), pk__lt=OuterRef("pk")).order_by()
    counted = Coalesce(Subquery(older.values("campaign").annotate(n=Count("pk")).values("n")), 0)
    told = contributed().kingdom_annotations
    found = find_one(Kingdom.objects.filter(pk=kingdom.pk).values_list(counted, _players(), *told.values()))
    if found is None:
        raise Http404
    for name, value in zip(told, found[2:], strict=True):
        setattr(kingdom, name, value)
    return found[0], found[1]


def _players() -> ArraySubquery:
    seats = KingdomPlayer.objects.filter(kingdom=OuterRef("pk")).order_by(Natural("user__username"))
    return ArraySubquery(seats.values("user__username"))


def put_own_first(user: User, kingdoms: Iterable[Kingdom]) -> list[Kingdom]:
    """Return the kingdoms of one campaign, those the user runs first, otherwise in their order."""
    return sorted(kingdoms, key=lambda kingdom: not runs_kingdom(user, kingdom))


def filter_named(kingdoms: Iterable[Kingdom], query: str) -> list[Kingdom]:
    """Return the kingdoms with every word of the query in their name or in a player's."""
    wanted = split_words(query)
    return [one for one in kingdoms if contains_words(_names(one), wanted)]


def _names(kingdom: Kingdom) -> str:
    return strip_accents(" ".join((kingdom.name, *getattr(kingdom, "player_names", ()))))


def arms_in(campaign: Campaign, but: Kingdom | None = None) -> list[Arms]:
    """Return the arms of the campaign's kingdoms, oldest kingdom first, without `but`."""
    kingdoms = Kingdom.objects.filter(campaign=campaign).order_by("id").only("name", "arms")
    return [kingdom.arms_borne for kingdom in kingdoms if kingdom != but]


def roll_of_arms(kingdom: Kingdom) -> QuerySet[Kingdom]:
    """Return the other kingdoms of the campaign, whose arms should differ from this one's."""
    return Kingdom.objects.filter(campaign=kingdom.campaign_id).exclude(pk=kingdom.pk).only("name", "arms")


def load_arms(campaign: Campaign, kingdoms: Iterable[UUID | str]) -> dict[str, Arms]:
    """Return the arms of these kingdoms by str(id), in one query. Empty ids, deleted kingdoms and those of other
    campaigns are left out.
    """
    known = {parse_uuid_or_404(kingdom) for kingdom in kingdoms if kingdom}
    if not known:
        return {}
    rows = Kingdom.objects.filter(campaign=campaign, pk__in=known).order_by().values_list("pk", "arms", "name")
    return {str(kingdom): Arms.kept(arms, name=name) for kingdom, arms, name in rows}


def settlements_of(user: User) -> QuerySet[Settlement]:
    """Return the settlements of the kingdoms the user may read."""
    return Settlement.objects.filter(build_reads_condition(user)).select_related("kingdom__campaign")


def is_town_name_taken(town: Settlement) -> bool:
    """Return whether another settlement of the kingdom has this name, without regard to case and accents."""
    others = Settlement.objects.filter(kingdom=town.kingdom_id).exclude(pk=town.pk)
    return bool(find_alike([town.name], others.values_list("name", flat=True)))


def ledger_of(kingdom: Kingdom) -> QuerySet[LedgerEntry]:
    """Return the kingdom's ledger entries, newest first."""
    return LedgerEntry.objects.filter(kingdom=kingdom).select_related("by").order_by("-seq")


def latest_entries(kingdom: Kingdom) -> list[LedgerEntry]:
    """Return the newest entries, at most `CHART_POINTS`, without their authors."""
    return list(ledger_of(kingdom).select_related(None)[:CHART_POINTS])


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user", "campaign").order_by("id")


def invitations_of(campaign: Campaign) -> QuerySet[Invitation]:
    """Return all invitations of the campaign, newest first."""
    return Invitation.objects.filter(campaign=campaign).select_related("created_by", "kingdom").order_by("-id")


def invitation_by(token: str) -> Invitation:
    """Return the invitation of a token. Raises Http404."""
    if (named := Invitation.id_in(token)) is None:
        raise Http404
    rows = Invitation.objects.filter(campaign__deleted_at=None).select_related("campaign", "kingdom")
    return get_one(rows, named)


def invitation_of(campaign: Campaign, invitation_id: UUID | str) -> Invitation:
    """Return one of the campaign's invitations. Raises Http404."""
    return get_one(invitations_of(campaign), invitation_id)


def seat_of(campaign: Campaign, membership_id: UUID | str) -> Membership:
    """Return one of the campaign's memberships. Raises Http404."""
    return get_one(members_of(campaign), membership_id)


def campaign_cards(user: User) -> QuerySet[Campaign]:
    """Return the user's campaigns for the home page, each with their role (`seat`), the number of its kingdoms
    (`realms`), and whether they play one of them (`plays`).
    """
    seats = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")
    realms = Kingdom.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign").annotate(n=Count("pk"))
    played = KingdomPlayer.objects.filter(campaign=OuterRef("pk"), user=user)
    cards = annotate_namesakes(user, list_campaigns(user)).annotate(
        seat=Subquery(seats), realms=Coalesce(Subquery(realms.values("n")), 0), plays=Exists(played)
    )
    return cards.order_by("-created_at", "-id")


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Return the invitations that still work."""
    return invitations_of(campaign).filter(revoked_at=None, used__lt=F("uses"), expires__gt=Now())


class LedgerSums(NamedTuple):
    """BP gained (0 or more) and paid (0 or less), and the number of entries."""

    gained: int
    paid: int
    entries: int

    @property
    def net(self) -> int:
        return self.gained + self.paid


def ledger_sums(entries: QuerySet[LedgerEntry]) -> LedgerSums:
    """Return the sums of these entries. One query."""
    gained, paid = Sum("amount", filter=Q(amount__gt=0)), Sum("amount", filter=Q(amount__lt=0))
    found = entries.order_by().aggregate(gained=Coalesce(gained, 0), paid=Coalesce(paid, 0), entries=Count("pk"))
    return LedgerSums(**found)


def ledger_filtered(
    kingdom: Kingdom, *, source: str = "", direction: str = "", since: int | None = None, until: int | None = None
) -> QuerySet[LedgerEntry]:
    """Return the ledger filtered by source, by direction (`in` or `out`), and by days from `since` to `until`. Unknown
    sources and directions do not filter.
    """
    entries = ledger_of(kingdom)
    if since is not None:
        entries = entries.filter(day__gte=since)
    if until is not None:
        entries = entries.filter(day__lte=until)
    if source in LedgerEntry.Origin.values:
        entries = entries.filter(source=source)
    match direction:
        case "in":
            return entries.filter(amount__gt=0)
        case "out":
            return entries.filter(amount__lt=0)
        case _:
            return entries


def security_log_of(user: User) -> QuerySet[SecurityEvent]:
    """Return the user's security log, newest first."""
    return SecurityEvent.objects.filter(user=user)


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens with their campaigns, newest first."""
    campaigns = Prefetch("campaign", annotate_namesakes(user, Campaign.objects.all()))
    return ApiToken.objects.filter(user=user).prefetch_related(campaigns).order_by("-created")


# Labels for campaigns of the same name: by owner, and by date of creation, or of import: a copy was created when its
# original was.


def annotate_namesakes(user: User, rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """Annotate campaigns with whether another campaign of the user has the same name (`format_distinction`)."""
    his = Q(pk__in=list_seats(user)) | Q(owner=user) | Q(offered_to=user)
    others = Campaign.objects.filter(his, name__iexact=OuterRef("name")).exclude(pk=OuterRef("pk"))
    return rows.annotate(namesake=Exists(others.order_by()), owned_by=F("owner__username"))


def format_distinction(campaign: Campaign) -> str:
    """Return a label that distinguishes the campaign; "" if no other has its name (as `annotate_namesakes` found)."""
    if not getattr(campaign, "namesake", False):
        return ""
    owner = getattr(campaign, "owned_by", None)
    if campaign.brought_bytes:
        moment = made_at(campaign.pk)
        words = gettext("GM {owner}, imported {moment}") if owner else gettext("imported {moment}")
    else:
        moment = campaign.created_at
        words = gettext("GM {owner}, created {moment}") if owner else gettext("created {moment}")
    return words.format(owner=owner, moment=date_format(localtime(moment), "SHORT_DATETIME_FORMAT"))


def name_apart(campaign: Campaign) -> str:
    """Return the name for a list of choices, with the label that distinguishes it."""
    apart = format_distinction(campaign)
    return f"{campaign.name} ({apart})" if apart else campaign.name


def revision_of(campaign_id: UUID) -> int | None:
    """Return the campaign's current revision; None if it is deleted. The caller checks access."""
    return find_one(Campaign.objects.filter(pk=campaign_id).values_list("revision", flat=True))

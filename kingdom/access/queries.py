"""Access queries: who may see and do what. Armies and battles ask here.

                    GM          player                              viewer       stranger
exists, by name     everything  everything                          everything   nothing (404)
figures, sheets     everything  their kingdoms, what is revealed    everything   –
orders, secrets     everything  their kingdoms                      –            –
changes             everything  their kingdoms                      –            –
notes               everything  the table's, their kingdoms' and    the table's  –
                                their own, of things they may know
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from core.queries import build_once
from core.request_memo import read_once, remember
from kingdom.campaign.awaiting_counts import know_awaiting, with_counts
from kingdom.contributions import Contribution, contributed
from kingdom.members.unassigned_players import LANDLESS, landless_in
from kingdom.models import (
    ApprovalRequest,
    Campaign,
    CampaignMap,
    Kingdom,
    KingdomPlayer,
    Membership,
    Role,
    Settlement,
    User,
    Webhook,
    WebhookState,
)

READERS = (Role.GM, Role.VIEWER)
MAPPED = "_mapped"  # annotation: whether a map is in use
SILENCED = "_silenced"  # annotation: whether a webhook was switched off after its deliveries failed


def get_role(user: User, campaign: Campaign) -> str | None:
    """Return `gm`, `player`, `viewer`, or None for a stranger. Read once per campaign object and member."""
    if not user.is_authenticated or is_beyond(user, campaign.pk):
        return None
    if user.sits_as:  # not kept: such readers have no id of their own
        return load_seats(user).roles.get(campaign.pk)
    known = campaign.__dict__.setdefault("_roles", {})
    if user.pk not in known:
        seats = load_seats(user)
        if campaign.pk not in seats.roles:
            return None
        know_seat(campaign, user, seats.roles[campaign.pk], seats.played[campaign.pk])
    return known[user.pk]


def is_beyond(user: User, campaign_id: UUID) -> bool:
    """Return whether the user is limited, by their API token or by impersonation, to another campaign."""
    return user.bound_to not in (None, campaign_id)


def build_token_condition(user: User, column: str) -> dict[str, UUID]:
    """Return the `filter` condition on `column` for the campaign of the user's token; empty if it has none."""
    bound = getattr(user, "bound_to", None)  # an anonymous user has none
    return {column: bound} if bound else {}


def know_seat(campaign: Campaign, user: User, role: str, plays: Iterable[UUID] = ()) -> None:
    """Store on the campaign the user's role and kingdoms, read elsewhere."""
    campaign.__dict__.setdefault("_roles", {})[user.pk] = role
    campaign.__dict__.setdefault("_assigned", {})[user.pk] = set(plays)


def get_seat_key(user: User) -> UUID:
    """Return the id of the user whose seat a query reads: the account behind an impersonated reader, else the user."""
    return user.account.pk if getattr(user, "sits_as", "") else user.pk


def forget_seats(campaign: Campaign) -> None:
    """Forget the cached roles and kingdoms, after seats have changed."""
    campaign.__dict__.pop("_roles", None)
    campaign.__dict__.pop("_assigned", None)


def seats_that_play(campaign: UUID) -> QuerySet[Membership]:
    """Return the seats that may run a kingdom: all but viewers."""
    return Membership.objects.filter(campaign=campaign).exclude(role=Role.VIEWER)


def is_gm(user: User, campaign: Campaign) -> bool:
    return get_role(user, campaign) == Role.GM


def run_kingdom_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Return the ids of kingdoms this user may change: all for the GM, a player's own. Two queries at most."""
    match get_role(user, campaign):
        case Role.GM:
            return _all_ids(campaign)
        case Role.PLAYER:
            return _assigned_ids(user, campaign)
        case _:
            return set()


def list_readable_kingdom_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Return the ids of kingdoms whose figures this user may read: all for GM and viewer, a player's own."""
    return _all_ids(campaign) if reads_all(user, campaign) else run_kingdom_ids(user, campaign)


def kingdoms_read_by(user: User, campaign: Campaign) -> QuerySet[Kingdom]:
    """Return the kingdoms whose sheets the user may read, as a queryset."""
    found = Kingdom.objects.filter(campaign=campaign)
    return found if reads_all(user, campaign) else found.filter(pk__in=run_kingdom_ids(user, campaign))


def reads_all(user: User, campaign: Campaign) -> bool:
    """Return whether the user may read every figure of the campaign: the GM and viewers."""
    return get_role(user, campaign) in READERS


def _all_ids(campaign: Campaign) -> set[UUID]:
    return set(Kingdom.objects.filter(campaign=campaign).values_list("pk", flat=True))


def _assigned_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Return the ids of the kingdoms assigned to a player. Read once per campaign object and user."""
    known = campaign.__dict__.setdefault("_assigned", {})
    if user.pk not in known:
        known[user.pk] = set(load_seats(user).played.get(campaign.pk, ()))
    return known[user.pk]


def runs_kingdom(user: User, kingdom: Kingdom) -> bool:
    """Return whether the user is the GM or a player of this kingdom."""
    role = get_role(user, kingdom.campaign)
    return role == Role.GM or (role == Role.PLAYER and kingdom.pk in _assigned_ids(user, kingdom.campaign))


def reads_kingdom(user: User, kingdom: Kingdom) -> bool:
    """Return whether the user may read the kingdom's figures."""
    return reads_all(user, kingdom.campaign) or runs_kingdom(user, kingdom)


def require_member(user: User, campaign: Campaign) -> None:
    """Raise Http404 for a stranger."""
    if get_role(user, campaign) is None:
        raise Http404


def require_gm(user: User, campaign: Campaign) -> None:
    """Raise Http404 for a stranger, `PermissionDenied` for a member who is not the GM."""
    require_member(user, campaign)
    if not is_gm(user, campaign):
        raise PermissionDenied


def require_runs(user: User, kingdom: Kingdom) -> None:
    """Raise Http404 for a stranger, `PermissionDenied` for a member who does not run this kingdom."""
    require_member(user, kingdom.campaign)
    if not runs_kingdom(user, kingdom):
        raise PermissionDenied


def list_campaigns(user: User) -> QuerySet[Campaign]:
    """Return the campaigns of which the user is a member."""
    if not user.is_authenticated:
        return Campaign.objects.none()
    return Campaign.objects.filter(pk__in=list_seats(user))


def campaign_ids_of(user: User) -> list[UUID]:
    """Return the ids of the user's campaigns, for lists over all of them."""
    return list_seats(user)


def get_campaign_for(user: User, campaign_id: UUID | str) -> Campaign:
    """Return the campaign for a member. Raises Http404."""
    return get_campaign_where(user, Q(pk=parse_uuid_or_404(campaign_id)))


def get_campaign_where(user: User, condition: Q) -> Campaign:
    """Return the one campaign that meets the condition, for a member (see `get_shared_campaign`).
    Raises Http404.
    """
    if not user.is_authenticated:
        raise Http404
    campaign = get_object_or_404(_query_campaigns(contributed()), condition)
    require_member(user, campaign)
    know_awaiting(campaign, campaign)
    remember((campaign.pk, *_key_of_seats(user)), campaign)
    return campaign


def get_shared_campaign(user: User, campaign_id: UUID) -> Campaign:
    """Return the campaign as `get_campaign_for` does; the object that the request read before, if it did."""
    return read_once((campaign_id, *_key_of_seats(user)), lambda: get_campaign_for(user, campaign_id))


def was_mapless(campaign: Campaign) -> bool:
    """Return whether no map was in use when `get_campaign_for` read the campaign."""
    return not campaign.__dict__.get(MAPPED, True)


def was_silenced(campaign: Campaign) -> bool:
    """Return whether a webhook of the campaign was switched off when `get_campaign_for` read it."""
    return bool(campaign.__dict__.get(SILENCED))


def get_kingdom_for(user: User, kingdom_id: UUID | str) -> Kingdom:
    """Return the kingdom for any member of its campaign, who may know no more than its name. Raises Http404."""
    if not user.is_authenticated:
        raise Http404
    kingdom = get_one(_query_kingdoms(contributed()), kingdom_id)
    require_member(user, kingdom.campaign)
    know_awaiting(kingdom, kingdom.campaign)
    return kingdom


@build_once
def _query_campaigns(_contributions: Contribution) -> QuerySet[Campaign]:
    mapped = Exists(CampaignMap.objects.filter(campaign=OuterRef("pk"), put_away=False))
    silenced = Exists(Webhook.objects.filter(campaign=OuterRef("pk"), state=WebhookState.OFF))
    rows = Campaign.objects.order_by().annotate(**{MAPPED: mapped, SILENCED: silenced})
    rows = rows.annotate(**{LANDLESS: ArraySubquery(landless_in("pk").values("user__username"))})
    return with_counts(rows, "pk")


@build_once
def _query_kingdoms(_contributions: Contribution) -> QuerySet[Kingdom]:
    return with_counts(Kingdom.objects.select_related("campaign").order_by(), "campaign")


def kingdom_in(campaign: Campaign, kingdom_id: UUID | str) -> Kingdom:
    """Return a kingdom of this campaign. Raises Http404."""
    kingdom = get_one(Kingdom.objects.filter(campaign=campaign), kingdom_id)
    kingdom.campaign = campaign
    return kingdom


def get_kingdom_run_by(user: User, kingdom_id: UUID | str) -> Kingdom:
    """Return the kingdom for a user who runs it. Raises Http404 for strangers, `PermissionDenied` for other members."""
    kingdom = get_kingdom_for(user, kingdom_id)
    require_runs(user, kingdom)
    return kingdom


def get_settlement_for(user: User, settlement_id: UUID | str) -> Settlement:
    """Return the settlement for a user who may read its kingdom. Raises Http404."""
    settlement = get_one(Settlement.objects.select_related("kingdom__campaign"), settlement_id)
    if not reads_kingdom(user, settlement.kingdom):
        raise Http404
    return settlement


def parse_uuid_or_404(value: UUID | str) -> UUID:
    """Return the value as a UUID. Raises Http404 if it is malformed."""
    try:
        return value if isinstance(value, UUID) else UUID(str(value))
    except ValueError as error:
        raise Http404 from error


def get_one[Row: Model](rows: QuerySet[Row], key: UUID | str) -> Row:
    """Return the row with this id. Raises Http404."""
    return get_object_or_404(rows, pk=parse_uuid_or_404(key))


class Seats(NamedTuple):
    """The seats of a reader: in each campaign their role, and the kingdoms they play."""

    roles: Mapping[UUID, str]
    played: Mapping[UUID, Collection[UUID]]

    @property
    def plays(self) -> list[UUID]:
        """The kingdoms they play, in any campaign."""
        return [kingdom for kingdoms in self.played.values() for kingdom in kingdoms]

    def list_campaigns(self, roles: Collection[str] = tuple(Role)) -> list[UUID]:
        """Return the campaigns where they have one of these roles."""
        return [campaign for campaign, role in self.roles.items() if role in roles]

    def build_reads_condition(self) -> Q:
        """Return the condition on rows below a kingdom whose figures they may read."""
        return Q(campaign__in=self.list_campaigns(READERS)) | Q(kingdom__in=self.plays)


NO_SEATS = Seats({}, {})


def load_seats(user: User) -> Seats:
    """Return all seats of the user that their token allows. One query, cached for the request."""
    if not user.is_authenticated:
        return NO_SEATS
    return read_once(_key_of_seats(user), lambda: _load_seats([user])[0])


def remember_seats(users: Collection[User]) -> None:
    """Read the seats of several users in one query, for later calls of `load_seats`."""
    for user, seats in zip(users, _load_seats(users), strict=True):
        remember(_key_of_seats(user), seats)


def _key_of_seats(user: User) -> tuple[object, ...]:
    return "seats", user.pk, get_seat_key(user), user.bound_to, user.sits_as


def _load_seats(users: Collection[User]) -> list[Seats]:
    rows = _query_seats().filter(user__in=[get_seat_key(user) for user in users])
    found = defaultdict(list)
    for key, *seat in rows:
        found[key].append(seat)
    return [_build_seats(user, found[get_seat_key(user)]) for user in users]


@build_once
def _query_seats() -> QuerySet[Membership, Any]:
    played = KingdomPlayer.objects.filter(campaign=OuterRef("campaign"), user=OuterRef("user")).order_by()
    plays = ArraySubquery(played.values("kingdom"))
    return Membership.objects.order_by().values_list("user", "campaign", "role", plays)


def _build_seats(user: User, found: Iterable[Sequence[Any]]) -> Seats:
    """Return the seats among these rows that the user's token allows. A GM and a viewer play no kingdom."""
    seats = [seat for seat in found if not is_beyond(user, seat[0])]
    if user.sits_as:  # the role of the seat itself does not matter
        return Seats({campaign: user.sits_as for campaign, _role, _kingdoms in seats}, {})
    roles = {campaign: role for campaign, role, _kingdoms in seats}
    return Seats(roles, {campaign: plays if role == Role.PLAYER else () for campaign, role, plays in seats})


def list_seats(user: User, roles: Collection[str] = tuple(Role)) -> list[UUID]:
    """Return the ids of the campaigns where the user has one of these roles."""
    return load_seats(user).list_campaigns(roles)


def list_assigned(user: User) -> list[UUID]:
    """Return the ids of the kingdoms the user plays."""
    return load_seats(user).plays


def build_membership_condition(user: User) -> Q:
    """Return the condition on rows of campaigns of which the user is a member."""
    return Q(campaign__in=list_seats(user))


def runs(user: User) -> Q:
    """Return the condition on rows below a kingdom that the user may change."""
    seats = load_seats(user)
    return Q(campaign__in=seats.list_campaigns((Role.GM,))) | Q(kingdom__in=seats.plays)


def build_reads_condition(user: User) -> Q:
    """Return the condition on rows below a kingdom whose figures the user may read."""
    return load_seats(user).build_reads_condition()


def share_campaigns(rows: Collection[Kingdom] | Collection[ApprovalRequest]) -> None:
    """Give rows of one campaign the same campaign object, so that it is asked for the reader's seat once."""
    shared = {row.campaign_id: row.campaign for row in rows}
    for row in rows:
        row.campaign = shared[row.campaign_id]

"""Who may see and do what: the one place that knows.

A GM edits everything; a player edits the kingdoms assigned to him and knows the others by name;
a viewer reads everything and changes nothing; for a stranger nothing exists (404).
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404

from kingdom.models import Campaign, Kingdom, KingdomPlayer, Membership, Role, Settlement, User


def role_of(user: User, campaign: Campaign) -> str | None:
    """`gm`, `player`, `viewer`, or None for a stranger. A member is asked for once per campaign object."""
    if not user.is_authenticated:
        return None
    known = campaign.__dict__.setdefault("_roles", {})
    if user.pk not in known:
        seat = Membership.objects.filter(campaign=campaign, user=user).values_list("role", flat=True).first()
        if seat is None:
            return None
        known[user.pk] = seat
    return known[user.pk]


def forget_seats(campaign: Campaign) -> None:
    """Seats have changed: ask again."""
    campaign.__dict__.pop("_roles", None)
    campaign.__dict__.pop("_assigned", None)


def is_gm(user: User, campaign: Campaign) -> bool:
    return role_of(user, campaign) == Role.GM


def run_kingdom_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Kingdoms this user may change: all for the GM, the assigned ones for a player. One query at most."""
    match role_of(user, campaign):
        case Role.GM:
            return set(Kingdom.objects.filter(campaign=campaign).values_list("pk", flat=True))
        case Role.PLAYER:
            return _assigned_ids(user, campaign)
        case _:
            return set()


def readable_kingdom_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Kingdoms whose figures this user may read: all for GM and viewer, the assigned ones for a player."""
    match role_of(user, campaign):
        case Role.GM | Role.VIEWER:
            return set(Kingdom.objects.filter(campaign=campaign).values_list("pk", flat=True))
        case Role.PLAYER:
            return _assigned_ids(user, campaign)
        case _:
            return set()


def _assigned_ids(user: User, campaign: Campaign) -> set[UUID]:
    """Asked once per campaign object and user, like the role."""
    known = campaign.__dict__.setdefault("_assigned", {})
    if user.pk not in known:
        seats = KingdomPlayer.objects.filter(campaign=campaign, user=user)
        known[user.pk] = set(seats.values_list("kingdom_id", flat=True))
    return known[user.pk]


def runs_kingdom(user: User, kingdom: Kingdom) -> bool:
    """Whether the user is the GM or a player this kingdom is assigned to."""
    role = role_of(user, kingdom.campaign)
    return role == Role.GM or (role == Role.PLAYER and kingdom.pk in _assigned_ids(user, kingdom.campaign))


def reads_kingdom(user: User, kingdom: Kingdom) -> bool:
    """Whether the user may read the kingdom's figures."""
    return role_of(user, kingdom.campaign) == Role.VIEWER or runs_kingdom(user, kingdom)


def require_member(user: User, campaign: Campaign) -> None:
    """Raise Http404 for a stranger."""
    if role_of(user, campaign) is None:
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


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """The campaigns at whose table the user sits."""
    if not user.is_authenticated:
        return Campaign.objects.none()
    return Campaign.objects.filter(pk__in=Membership.objects.filter(user=user).values("campaign"))


def campaign_ids_of(user: User) -> list[UUID]:
    """The same, by id: asked first, so that a list over all of them names them and reads no other rows."""
    return list(Membership.objects.filter(user=user).values_list("campaign", flat=True))


def campaign_for(user: User, campaign_id: UUID | str) -> Campaign:
    """The campaign, for a member. Raises Http404."""
    campaign = Campaign.objects.filter(pk=as_uuid(campaign_id)).first()
    if campaign is None:
        raise Http404
    require_member(user, campaign)
    return campaign


def kingdom_for(user: User, kingdom_id: UUID | str) -> Kingdom:
    """The kingdom, for any member of its campaign (who may know no more than its name). Raises Http404."""
    kingdom = Kingdom.objects.select_related("campaign").filter(pk=as_uuid(kingdom_id)).first()
    if kingdom is None:
        raise Http404
    require_member(user, kingdom.campaign)
    return kingdom


def kingdom_run_by(user: User, kingdom_id: UUID | str) -> Kingdom:
    """The kingdom, for whoever runs it. Raises Http404 for strangers, `PermissionDenied` for other members."""
    kingdom = kingdom_for(user, kingdom_id)
    require_runs(user, kingdom)
    return kingdom


def settlement_for(user: User, settlement_id: UUID | str) -> Settlement:
    """The settlement, for whoever may read its kingdom. Raises Http404."""
    settlement = Settlement.objects.select_related("kingdom__campaign").filter(pk=as_uuid(settlement_id)).first()
    if settlement is None or not reads_kingdom(user, settlement.kingdom):
        raise Http404
    return settlement


def as_uuid(value: UUID | str) -> UUID:
    """A UUID, or Http404: a malformed id names nothing."""
    try:
        return value if isinstance(value, UUID) else UUID(str(value))
    except ValueError as error:
        raise Http404 from error


def readable_by(user: User, path: str = "") -> Q:
    """The condition on rows whose kingdom (at `path`) the user may read: for lists over all campaigns."""
    prefix = f"{path}__" if path else ""
    seats = Membership.objects.filter(user=user, role__in=(Role.GM, Role.VIEWER)).values("campaign")
    assigned = KingdomPlayer.objects.filter(user=user).values("kingdom")
    return Q(**{f"{prefix}campaign__in": seats}) | Q(**{f"{prefix}pk__in": assigned})


def share_campaigns(kingdoms: Iterable[Kingdom], *, user: User) -> None:
    """Give kingdoms of one campaign one campaign object that knows the user's seat, at two queries in all."""
    shared = {kingdom.campaign_id: kingdom.campaign for kingdom in kingdoms}
    seats = Membership.objects.filter(user=user, campaign__in=shared).values_list("campaign_id", "role")
    for campaign_id, role in seats:
        shared[campaign_id].__dict__["_roles"] = {user.pk: role}
    assigned: dict[UUID, set[UUID]] = {campaign_id: set() for campaign_id in shared}
    owned = KingdomPlayer.objects.filter(user=user, campaign__in=shared)
    for campaign_id, kingdom_id in owned.values_list("campaign_id", "kingdom_id"):
        assigned[campaign_id].add(kingdom_id)
    for campaign_id, campaign in shared.items():
        campaign.__dict__["_assigned"] = {user.pk: assigned[campaign_id]}
    for kingdom in kingdoms:
        kingdom.campaign = shared[kingdom.campaign_id]

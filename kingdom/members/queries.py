"""Queries for members: what they play, who owns the campaign, and what waits for its owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q

from kingdom.access.queries import build_token_condition, get_role, is_gm, require_member, run_kingdom_ids
from kingdom.campaign.queries import annotate_namesakes
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Membership, Role, User
from kingdom.models.natural import Natural, make_natural_key


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A member with the kingdoms they play. `open_to`: those they could be given, each with who plays it now."""

    seat: Membership
    kingdoms: tuple[Kingdom, ...]
    open_to: tuple[tuple[Kingdom, str], ...]

    @property
    def waits(self) -> bool:
        """Whether they came to play and have nothing to."""
        return self.seat.role == Role.PLAYER and not self.kingdoms


def seat_lines(campaign: Campaign, seats: Iterable[Membership]) -> list[SeatLine]:
    """These seats of the campaign. Two queries, however many."""
    kingdoms = sorted(
        Kingdom.objects.filter(campaign=campaign), key=lambda kingdom: (make_natural_key(kingdom.name), kingdom.pk)
    )
    names, played = _players_in(campaign)
    return [_line(seat, kingdoms, names, played[seat.user_id]) for seat in seats]


def _players_in(campaign: Campaign) -> tuple[dict[UUID, list[str]], dict[UUID, set[UUID]]]:
    """The names of who plays a kingdom, by kingdom; the kingdoms somebody plays, by user."""
    names: dict[UUID, list[str]] = defaultdict(list)
    played: dict[UUID, set[UUID]] = defaultdict(set)
    found = KingdomPlayer.objects.filter(campaign=campaign).order_by(Natural("user__username"))
    for kingdom, user, name in found.values_list("kingdom_id", "user_id", "user__username"):
        names[kingdom].append(name)
        played[user].add(kingdom)
    return names, played


def _line(seat: Membership, kingdoms: list[Kingdom], names: dict[UUID, list[str]], own: set[UUID]) -> SeatLine:
    others = [(kingdom, ", ".join(names[kingdom.pk])) for kingdom in kingdoms if kingdom.pk not in own]
    return SeatLine(
        seat=seat,
        kingdoms=tuple(kingdom for kingdom in kingdoms if kingdom.pk in own),
        open_to=tuple(others) if seat.role == Role.PLAYER else (),
    )


def is_landless(user: User, campaign: Campaign) -> bool:
    """Whether the user came to play and has no kingdom yet."""
    return get_role(user, campaign) == Role.PLAYER and not run_kingdom_ids(user, campaign)


def gm_names(campaign: Campaign) -> list[str]:
    seats = Membership.objects.filter(campaign=campaign, role=Role.GM).order_by("id")
    return list(seats.values_list("user__username", flat=True))


# Queries for ownership: whose a campaign is, and what waits for its owner.


GRACE_DAYS = 7


def is_owner(user: User, campaign: Campaign) -> bool:
    """Whether it is theirs to hand over and to delete. One whose owner has no account any more is its GMs’."""
    return is_gm(user, campaign) and campaign.owner_id in (None, user.pk)


def require_owner(user: User, campaign: Campaign) -> None:
    """Raise Http404 for strangers, `PermissionDenied` for members who do not own it."""
    require_member(user, campaign)
    if not is_owner(user, campaign):
        raise PermissionDenied


def heirs_in(campaign: Campaign) -> list[User]:
    """Members to whom its owner may hand it over, by name: those with an account. One query."""
    others = User.objects.filter(memberships__campaign=campaign).exclude(Q(campaigns_owned=campaign) | Q(guest=True))
    return list(others.order_by(Natural("username")))


def awaiting(user: User) -> list[Campaign]:
    """Campaigns of theirs that they deleted and may restore, and those that are offered to them. One query."""
    his = Q(owner=user, deleted_at__isnull=False) | Q(offered_to=user, deleted_at=None)
    rows = Campaign.objects.filter(his, **build_token_condition(user, "pk")).select_related("owner")
    return list(annotate_namesakes(user, rows))


def gone_at(campaign: Campaign) -> datetime | None:
    """When a deleted campaign is removed for good."""
    return campaign.deleted_at and campaign.deleted_at + timedelta(days=GRACE_DAYS)

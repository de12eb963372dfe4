"""Queries for members: the kingdoms they play, the campaign's owner, and campaigns that await a decision of their
owner.
"""

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
from kingdom.models.base import Natural, make_natural_key


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A member and the kingdoms they play. `open_to` lists the kingdoms they could be given, each with the names of its
    present players.
    """

    seat: Membership
    kingdoms: tuple[Kingdom, ...]
    open_to: tuple[tuple[Kingdom, str], ...]

    @property
    def waits(self) -> bool:
        """Return whether they are a player without a kingdom."""
        return self.seat.role == Role.PLAYER and not self.kingdoms


def seat_lines(campaign: Campaign, seats: Iterable[Membership]) -> list[SeatLine]:
    """Return a line for each of these seats. Two queries in all."""
    kingdoms = sorted(
        Kingdom.objects.filter(campaign=campaign), key=lambda kingdom: (make_natural_key(kingdom.name), kingdom.pk)
    )
    names, played = _players_in(campaign)
    return [_line(seat, kingdoms, names, played[seat.user_id]) for seat in seats]


def _players_in(campaign: Campaign) -> tuple[dict[UUID, list[str]], dict[UUID, set[UUID]]]:
    """Return the names of players by kingdom, and the kingdoms played by user."""
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
    """Return whether the user is a player without a kingdom."""
    return get_role(user, campaign) == Role.PLAYER and not run_kingdom_ids(user, campaign)


def gm_names(campaign: Campaign) -> list[str]:
    seats = Membership.objects.filter(campaign=campaign, role=Role.GM).order_by("id")
    return list(seats.values_list("user__username", flat=True))


# Queries for ownership: who owns a campaign, and what awaits its owner.


GRACE_DAYS = 7


def is_owner(user: User, campaign: Campaign) -> bool:
    """Return whether the user owns the campaign. A campaign whose owner has deleted their account belongs to all its
    GMs.
    """
    return is_gm(user, campaign) and campaign.owner_id in (None, user.pk)


def require_owner(user: User, campaign: Campaign) -> None:
    """Raise Http404 for strangers, `PermissionDenied` for members who do not own the campaign."""
    require_member(user, campaign)
    if not is_owner(user, campaign):
        raise PermissionDenied


def heirs_in(campaign: Campaign) -> list[User]:
    """Return the members with an account, by name, to whom the owner may transfer the campaign. One query."""
    others = User.objects.filter(memberships__campaign=campaign).exclude(Q(campaigns_owned=campaign) | Q(guest=True))
    return list(others.order_by(Natural("username")))


def awaiting(user: User) -> list[Campaign]:
    """Return the user's deleted campaigns that they may restore, and campaigns offered to them. One query."""
    his = Q(owner=user, deleted_at__isnull=False) | Q(offered_to=user, deleted_at=None)
    rows = Campaign.objects.filter(his, **build_token_condition(user, "pk")).select_related("owner")
    return list(annotate_namesakes(user, rows))


def gone_at(campaign: Campaign) -> datetime | None:
    """Return when a deleted campaign is removed for good; None if it is not deleted."""
    return campaign.deleted_at and campaign.deleted_at + timedelta(days=GRACE_DAYS)

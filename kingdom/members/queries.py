"""Queries for members and what they play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from kingdom.access.queries import get_role, run_kingdom_ids
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

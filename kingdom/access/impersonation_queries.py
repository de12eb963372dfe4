"""Queries for impersonation: each player and viewer of the campaign, and two readers who are nobody."""

from __future__ import annotations

from uuid import UUID

from core.text import render
from kingdom.access.queries import parse_uuid_or_404
from kingdom.models import Campaign, Membership, Role, User
from kingdom.models.natural import Natural
from rules.core.text import Said, _

NOBODY = UUID(int=0)  # wrote nothing, plays nothing, asked for nothing
SUPPOSED: dict[str, Said] = {
    Role.PLAYER: _("a player without a kingdom"),
    Role.VIEWER: _("a viewer"),
}


def guises_in(campaign: Campaign) -> list[tuple[str, str]]:
    """All of them, as a form offers them: members by name, then those who are nobody. One query."""
    seats = Membership.objects.filter(campaign=campaign).exclude(role=Role.GM).order_by(Natural("user__username"))
    members = [(str(user), name) for user, name in seats.values_list("user", "user__username")]
    return [*members, *((role, render(words)) for role, words in SUPPOSED.items())]


def reader_in(gm: User, campaign_id: UUID, who: str) -> User | None:
    """The person for one request, as whom the GM reads this campaign and no other; None where one of them is not what
    they were. Two queries at most.
    """
    if not Membership.objects.filter(campaign=campaign_id, user=gm.pk, role=Role.GM).exists():
        return None
    reader = _nobody(who) if who in SUPPOSED else _member(campaign_id, who)
    if reader is not None:
        reader.bound_to, reader.seen_by = campaign_id, gm
    return reader


def newcomer_in(campaign: Campaign) -> User:
    """A player who would join now: nobody plays there yet. They read what every player may, on the seat of the
    owner.
    """
    newcomer = _nobody(Role.PLAYER)
    newcomer.bound_to, newcomer.seen_by = campaign.pk, campaign.owner
    return newcomer


def _nobody(role: str) -> User:
    nobody = User(pk=NOBODY, username=render(SUPPOSED[role]))
    nobody.sits_as = role
    return nobody


def _member(campaign_id: UUID, who: str) -> User | None:
    """Nobody looks through the eyes of another GM."""
    seats = Membership.objects.filter(campaign=campaign_id, user=parse_uuid_or_404(who)).exclude(role=Role.GM)
    seat = seats.select_related("user").first()
    return seat.user if seat else None

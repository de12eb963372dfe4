"""Queries for impersonation: the players and viewers of a campaign, and two made-up readers without a seat."""

from __future__ import annotations

from uuid import UUID

from core.text import render
from kingdom.access.queries import parse_uuid_or_404
from kingdom.models import Campaign, Membership, Role, User
from kingdom.models.base import Natural
from rules.core.text import Said, _

NOBODY = UUID(int=0)  # an id that has written nothing, plays nothing and has requested nothing
SUPPOSED: dict[str, Said] = {
    Role.PLAYER: _("a player without a kingdom"),
    Role.VIEWER: _("a viewer"),
}


def guises_in(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the choices of the form: members by name, then the two made-up readers. One query."""
    seats = Membership.objects.filter(campaign=campaign).exclude(role=Role.GM).order_by(Natural("user__username"))
    members = [(str(user), name) for user, name in seats.values_list("user", "user__username")]
    return [*members, *((role, render(words)) for role, words in SUPPOSED.items())]


def reader_in(gm: User, campaign_id: UUID, who: str) -> User | None:
    """Return the user as whom the GM reads this campaign and no other, for one request. None if the GM or the person
    has lost that role. Two queries at most.
    """
    if not Membership.objects.filter(campaign=campaign_id, user=gm.pk, role=Role.GM).exists():
        return None
    reader = _nobody(who) if who in SUPPOSED else _member(campaign_id, who)
    if reader is not None:
        reader.bound_to, reader.seen_by = campaign_id, gm
    return reader


def newcomer_in(campaign: Campaign) -> User:
    """Return a made-up player who would join now. They read what every player may, through the owner's seat."""
    newcomer = _nobody(Role.PLAYER)
    newcomer.bound_to, newcomer.seen_by = campaign.pk, campaign.owner
    return newcomer


def _nobody(role: str) -> User:
    nobody = User(pk=NOBODY, username=render(SUPPOSED[role]))
    nobody.sits_as = role
    return nobody


def _member(campaign_id: UUID, who: str) -> User | None:
    """Return the member with this user id; None for a GM, whom nobody may impersonate."""
    seats = Membership.objects.filter(campaign=campaign_id, user=parse_uuid_or_404(who)).exclude(role=Role.GM)
    seat = seats.select_related("user").first()
    return seat.user if seat else None

"""Cards of kingdoms for a campaign's page: players without a kingdom, requests that wait."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from kingdom.access.queries import is_gm
from kingdom.approvals.queries import list_first_waiting
from kingdom.campaign import card_slots
from kingdom.campaign.card_slots import Act, NowCard
from kingdom.campaign.queries import load_board
from kingdom.members.unassigned_players import landless_names
from kingdom.models import Campaign, User
from rules.core.text import _, by_number, say

REQUESTS = 5  # shown on the card

WITHOUT = by_number("{count} player without a kingdom", "{count} players without a kingdom")
ASKED = by_number("{count} request", "{count} requests")


def landless(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """For the GM: who came to play and has nothing to run, and the kingdoms nobody plays."""
    if not is_gm(user, campaign):
        return
    names = landless_names(campaign)
    if not names:
        return
    free = [kingdom for kingdom in load_board(campaign) if not kingdom.player_names]  # type: ignore[attr-defined]
    yield NowCard(
        id="landless-players",
        title=say(WITHOUT, count=len(names)),
        badge=_("yours"),
        template="kingdom/campaign/now/landless.html",
        told={"names": names, "free": free},
        yours=True,
        act=Act(_("Assign kingdoms"), reverse("kingdom:members", args=[campaign.pk]), "castle"),
        icon="members",
    )


def requests(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """What waits for the GM's answer, as far as the reader may know it. The GM answers on the card."""
    lines, count = list_first_waiting(user, campaign, REQUESTS)
    if not lines:
        return
    gm, every = is_gm(user, campaign), reverse("kingdom:petitions", args=[campaign.pk])
    one = reverse("kingdom:petition", args=[lines[0].petition.pk]) if count == 1 else every
    own = count == 1 and lines[0].withdraws
    yield NowCard(
        id="requests",
        title=_("Your request") if own else say(ASKED, count=count),
        badge=_("yours") if gm else _("waits for the GM"),
        template="kingdom/campaign/now/requests.html",
        told={"lines": lines, "every": every, "gm": gm, "count": count},
        yours=gm,
        act=None if gm else Act(_("See the request") if count == 1 else _("See the requests"), one),
        url=one,
        icon="scroll-unfurled",
    )


def register() -> None:
    card_slots.register(landless, 10)
    card_slots.register(requests, 20)

"""Tour of a campaign: a few stops on its real pages, each with a panel that explains the page.

Apps contribute the stops. A page shows the panel of a stop when its address ends with `?tour=<stop>`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest
from django.urls import reverse

from kingdom.access.impersonation import find_campaign_of_request
from kingdom.access.queries import get_campaign_for, kingdoms_read_by, list_campaigns
from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.text import Term, _

ASKED = "tour"  # parameter of the query string
LOOKED_THROUGH = 10  # campaigns among which the one with most stops is chosen


@dataclass(frozen=True, slots=True)
class TourStop:
    """A stop of the tour. `find(user, campaign)` returns the address of its page; "" if the campaign has none for this
    user.
    """

    slug: str
    order: int
    title: Term
    text: Term
    find: Callable[[User, Campaign], str]


class FoundStop(NamedTuple):
    stop: TourStop
    url: str

    @property
    def address(self) -> str:
        return f"{self.url}?{ASKED}={self.stop.slug}"


class TourPanel(NamedTuple):
    """The tour's panel on a page. `before`, `after`: the neighbouring stops."""

    campaign: Campaign
    stop: TourStop
    number: int
    total: int
    before: FoundStop | None
    after: FoundStop | None


def list_stops(user: User, campaign: Campaign) -> list[FoundStop]:
    """Return the stops of this campaign for this user, in order."""
    found = [FoundStop(stop, stop.find(user, campaign)) for stop in contributed().tour_stops]
    return [one for one in found if one.url]


def find_first_stop(user: User) -> FoundStop | None:
    """Return the first stop in the user's campaign with the most stops, the newest of several; None without a
    campaign.
    """
    newest = list_campaigns(user).order_by("-created_at", "-id")[:LOOKED_THROUGH]
    tours = [list_stops(user, campaign) for campaign in newest]
    longest = max(tours, key=len, default=[])
    return longest[0] if longest else None


def find_panel(request: HttpRequest) -> TourPanel | None:
    """Return the panel for this page; None if its address asks for none, or the reader has no such stop."""
    asked, user, match = request.GET.get(ASKED), getattr(request, "user", None), request.resolver_match
    if not asked or not match or user is None or not user.is_authenticated:
        return None
    campaign = _campaign_of(request, user)
    stops = list_stops(user, campaign) if campaign else []
    at = next((place for place, found in enumerate(stops) if found.stop.slug == asked), None)
    if campaign is None or at is None:
        return None
    return TourPanel(
        campaign=campaign,
        stop=stops[at].stop,
        number=at + 1,
        total=len(stops),
        before=stops[at - 1] if at else None,
        after=stops[at + 1] if at + 1 < len(stops) else None,
    )


def _campaign_of(request: HttpRequest, user: User) -> Campaign | None:
    named = find_campaign_of_request(request, request.resolver_match.kwargs if request.resolver_match else {})
    try:
        return get_campaign_for(user, named) if named else None
    except Http404:
        return None


# The stops of kingdoms and campaigns.


def _campaign(user: User, campaign: Campaign) -> str:
    return reverse("kingdom:campaign", args=[campaign.pk])


def _kingdom(user: User, campaign: Campaign) -> str:
    first = kingdoms_read_by(user, campaign).order_by("id").first()
    return reverse("kingdom:kingdom", args=[first.pk]) if first else ""


def _chronicle(user: User, campaign: Campaign) -> str:
    return reverse("kingdom:chronicle", args=[campaign.pk])


STOPS = (
    TourStop(
        "campaign",
        10,
        _("The campaign"),
        _("Start each session here: this page shows pending decisions, due payments and all kingdoms."),
        _campaign,
    ),
    TourStop(
        "kingdom",
        20,
        _("A kingdom"),
        _("Here are its treasury, settlements, armies and commanders. Select a figure to see how it is calculated."),
        _kingdom,
    ),
    TourStop(
        "chronicle",
        60,
        _("The chronicle"),
        _("Every change is listed here, and most can be undone."),
        _chronicle,
    ),
)

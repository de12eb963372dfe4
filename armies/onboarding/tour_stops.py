"""Stops of the tour: an army, and the map."""

from __future__ import annotations

from django.urls import reverse

from armies.forces.access import list_armies
from kingdom.map.queries import find_map
from kingdom.models import Campaign, User
from kingdom.onboarding.tour import TourStop
from rules.core.text import _


def _army(user: User, campaign: Campaign) -> str:
    first = list_armies(user, campaign).order_by("id").first()
    return reverse("armies:army", args=[first.pk]) if first else ""


def _map(user: User, campaign: Campaign) -> str:
    return reverse("armies:map", args=[campaign.pk]) if find_map(campaign) else ""


STOPS = (
    TourStop(
        "army",
        30,
        _("An army"),
        _("Its strength, commander and equipment. Enemies see only what the GM lets them see."),
        _army,
    ),
    TourStop(
        "map",
        40,
        _("The map"),
        _("Select an army to see how far it can march, then where it should go. It arrives as time passes."),
        _map,
    ),
)

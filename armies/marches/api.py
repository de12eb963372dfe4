"""API of `armies/{id}/march/` and `…/halt/`, under any ruleset."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from armies.marches.march_plan import Traveller
from armies.models import Army
from core.api.serializers import Input
from kingdom.api.fields import BreakdownField, SaidField
from rules.hexes.geometry import label_of
from rules.travel import MOST_STEPS, Itinerary

REACH_DAYS = 7
LABEL_MAX = 8


class MarchInput(Input):
    """`path`: the hexes entered, one after another; or `to`: by the cheapest way. `manner`: as the GET lists them.
    `confirm: false` only says what it would be.
    """

    path = serializers.ListField(
        child=serializers.CharField(max_length=LABEL_MAX), max_length=MOST_STEPS + 1, required=False
    )
    to = serializers.CharField(required=False, max_length=LABEL_MAX)
    manner = serializers.ListField(child=serializers.CharField(max_length=40), max_length=10, required=False)
    confirm = serializers.BooleanField(required=False, default=True)


class StopSerializer(serializers.Serializer):
    day = serializers.IntegerField()
    hex = serializers.CharField()


class MarchShape(serializers.Serializer):
    """A march: `stops` are where the army stands today and after each day; `pace` are the lines of hexes of speed a
    day, `cost` those of what the way takes of them, `wear` those of the health it costs.
    """

    days = serializers.IntegerField()
    arrives = serializers.IntegerField(help_text="the day")
    path = serializers.ListField(child=serializers.CharField())
    stops = StopSerializer(many=True)
    teleports = serializers.BooleanField()
    pace = BreakdownField()
    cost = BreakdownField()
    wear = BreakdownField()


def march_shape(found: Itinerary, day: int) -> Any:
    """The march as the API answers it, of who sets out on this day."""
    return MarchShape({
        "days": found.days,
        "arrives": day + found.days,
        "path": [label_of(at) for at in found.path],
        "stops": [{"day": day + number, "hex": label_of(at)} for number, at in enumerate(found.stops)],
        "teleports": found.pace.teleports,
        "pace": found.pace.speed,
        "cost": found.cost,
        "wear": found.wear,
    }).data  # fmt: skip


class MannerSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = SaidField()
    help = SaidField()


class ReachedSerializer(serializers.Serializer):
    hex = serializers.CharField()
    days = serializers.IntegerField()


class WaySerializer(serializers.Serializer):
    """What is left of the way it is on: `stops` from today on."""

    since = serializers.IntegerField()
    arrives = serializers.IntegerField()
    manner = serializers.ListField(child=serializers.CharField())
    path = serializers.ListField(child=serializers.CharField())
    stops = StopSerializer(many=True)


class MarchingShape(serializers.Serializer):
    """Where it stands, the way it is on, how it may march, and which hexes it can reach in so many days."""

    hex = serializers.CharField()
    way = WaySerializer(allow_null=True)
    manners = MannerSerializer(many=True)
    reach = ReachedSerializer(many=True)


DAYS = OpenApiParameter("days", OpenApiTypes.INT, description=f"how far to look, 1 to {REACH_DAYS}; 1 if not given")


def marching_shape(army: Army, found: Traveller | None, days: int) -> Any:
    """What whoever runs the army may know before it sets out; `found` is None where it stands nowhere on a map."""
    today, route = army.campaign.day, army.way if army.marching else None
    near = sorted(found.reach(days).items(), key=lambda one: (one[1], one[0].r, one[0].q)) if found else ()
    way = route and {
        "since": route.since, "arrives": route.until, "manner": route.manner, "path": route.path,
        "stops": [{"day": today, "hex": army.hex}, *({"day": day, "hex": at} for day, at in route.ahead(today))],
    }  # fmt: skip
    return MarchingShape({
        "hex": army.hex,
        "way": way,
        "manners": [one._asdict() for one in found.manners] if found else [],
        "reach": [{"hex": label_of(at), "days": after} for at, after in near],
    }).data  # fmt: skip

"""API of `armies/{id}/march/` and `…/halt/`, under any ruleset."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from armies.marches.queries import Traveller
from armies.models import Army
from core.api.serializers import Input
from kingdom.api.fields import BreakdownField, SaidField
from rules.hexes.geometry import label_of
from rules.travel import MOST_STEPS, Itinerary

REACH_DAYS = 7
LABEL_MAX = 8


class MarchInput(Input):
    """`path`: the hexes entered, in order; or `to`: the destination, reached by the cheapest route. `manner`: as listed
    by GET. `confirm: false` only computes the march.
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
    """A march. `stops`: where the army stands today and after each day. `pace`: breakdown of its speed in hexes a day;
    `cost`: of the speed that the route takes; `wear`: of the health it costs.
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
    """JSON of a march that begins on this day."""
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
    """The rest of its present march; `stops` begin today."""

    since = serializers.IntegerField()
    arrives = serializers.IntegerField()
    manner = serializers.ListField(child=serializers.CharField())
    path = serializers.ListField(child=serializers.CharField())
    stops = StopSerializer(many=True)


class MarchingShape(serializers.Serializer):
    """Position of the army, its current march, its manners of marching, and the hexes it can reach within these
    days.
    """

    hex = serializers.CharField()
    way = WaySerializer(allow_null=True)
    manners = MannerSerializer(many=True)
    reach = ReachedSerializer(many=True)


DAYS = OpenApiParameter("days", OpenApiTypes.INT, description=f"how far to look, 1 to {REACH_DAYS}; 1 if not given")


def marching_shape(army: Army, found: Traveller | None, days: int) -> Any:
    """JSON of an army's marches, for users who run it. `found`: None where it is on no map."""
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

"""API of `kingdoms/{id}/outlook/`."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from armies.pathfinder.weeks.outlook import build_outlook
from core.api.serializers import refuse_unknown
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_kingdom_for, reads_kingdom
from kingdom.api.base_views import ApiView


class TreasuryDueSerializer(serializers.Serializer):
    """BP per week for armies, per month for the kingdom and for armies in reserve, and once for potions and debts."""

    weekly = serializers.IntegerField()
    monthly = serializers.IntegerField()
    once = serializers.IntegerField()
    reserve = serializers.IntegerField()


class WeekPastSerializer(serializers.Serializer):
    week = serializers.IntegerField()
    day = serializers.IntegerField()
    paid = serializers.IntegerField()
    balance = serializers.IntegerField()


class WeekAheadSerializer(serializers.Serializer):
    """`balance` below 0: the BP missing to pay everything."""

    week = serializers.IntegerField()
    day = serializers.IntegerField()
    due = serializers.IntegerField()
    balance = serializers.IntegerField()


class LossSerializer(serializers.Serializer):
    economy = serializers.IntegerField()
    loyalty = serializers.IntegerField()
    stability = serializers.IntegerField()
    ransom = serializers.IntegerField()
    spared = serializers.IntegerField()


class ArmyLossSerializer(serializers.Serializer):
    army = serializers.UUIDField(source="army.pk")
    name = serializers.CharField(source="army.name")
    size = serializers.CharField(source="size.slug")
    loss = LossSerializer()


class ForetoldSerializer(serializers.Serializer):
    """The end of the running week without further decisions, in BP. `purse`: before armies are paid; `after`: at the
    end of that day. `due`: for the week; `owed`: from before; `upkeep`: of the kingdom itself until then; `planned`:
    planned income (above 0) or costs until then.
    """

    day = serializers.IntegerField(source="week.day")
    treasury = serializers.IntegerField()
    after = serializers.IntegerField()
    upkeep = serializers.IntegerField()
    planned = serializers.IntegerField()
    purse = serializers.IntegerField(source="week.purse")
    armies = serializers.IntegerField(source="week.armies")
    due = serializers.IntegerField(source="week.due")
    owed = serializers.IntegerField(source="week.owed")
    spent = serializers.IntegerField(source="week.spent")
    unpaid = serializers.IntegerField(source="week.unpaid")
    paid_double = serializers.IntegerField(source="week.doubled")
    leaderless = serializers.IntegerField(source="week.leaderless")
    losing_morale = serializers.IntegerField(source="week.losing")
    deserting = serializers.IntegerField(source="week.deserting")


class OutlookSerializer(serializers.Serializer):
    """`weeks_until_empty`: weeks that can be paid in full without income; null where that is years away."""

    treasury = serializers.IntegerField(source="kingdom.treasury")
    due = TreasuryDueSerializer()
    coming = ForetoldSerializer()
    weeks_until_empty = serializers.SerializerMethodField()
    past = WeekPastSerializer(many=True)
    ahead = WeekAheadSerializer(many=True)
    losses = ArmyLossSerializer(many=True)
    worst = LossSerializer()

    def get_weeks_until_empty(self, outlook: Any) -> int | None:
        return None if outlook.endless else outlook.lasts


class OutlookView(ApiView):
    @extend_schema(responses=OutlookSerializer, summary="The treasury past and to come, and what a defeat would cost")
    def get(self, request: ApiRequest, kingdom_id: str) -> Response:
        refuse_unknown(request, set())
        kingdom = get_kingdom_for(request.user, kingdom_id)
        if not reads_kingdom(request.user, kingdom):
            raise Http404
        return Response(OutlookSerializer(build_outlook(kingdom)).data)

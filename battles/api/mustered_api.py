"""API of `armies/{id}/mustered/`: an army converted to another ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from armies.forces.access import get_army_for
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from battles.ruleset_ui import get_battle_ui, list_battle_uis
from battles.setup.queries import choose_other_law, mustered_by
from core.api.serializers import choose_shape, refuse_unknown
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.models import Campaign
from rules.aftermath import SIZES, TAGS, Muster

RULESET = OpenApiParameter(
    "ruleset", OpenApiTypes.STR, description="the ruleset of the battle; left out, the first that can take the army"
)
SHAPES: Mapping[str, Any] = {ui.family: ui.mustered_shape for ui in list_battle_uis() if ui.mustered_shape}


class MusteredTroopsSerializer(serializers.Serializer):
    """Troops of one kind. `rating` is the challenge rating of one head."""

    name = serializers.CharField(read_only=True)
    heads = serializers.IntegerField(read_only=True)
    rating = serializers.CharField(read_only=True, help_text="“1/3” or “4”")
    protection = serializers.IntegerField(
        read_only=True, help_text="how much better guarded they are than is usual for their strength; from 4 on heavy"
    )
    tags = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=sorted(TAGS))))
    def get_tags(self, troops: Any) -> list[str]:
        return sorted(troops.tags)


class MusteredLeaderSerializer(serializers.Serializer):
    """Leader of the army. `rank` is how well they lead: 6 is an officer, 15 a great general."""

    id = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    rank = serializers.IntegerField(read_only=True)
    autonomous = serializers.BooleanField(read_only=True)


class MusterSerializer(serializers.Serializer):
    """The army in terms common to all rulesets. `spirit` is from −4 to 4; 0 is usual. `caster` is the highest level of
    magic among its troops.
    """

    size = serializers.ChoiceField(choices=list(SIZES), read_only=True)
    health = serializers.IntegerField(read_only=True)
    health_max = serializers.IntegerField(read_only=True)
    spirit = serializers.IntegerField(read_only=True)
    caster = serializers.IntegerField(read_only=True)
    troops = MusteredTroopsSerializer(many=True, read_only=True)
    leader = MusteredLeaderSerializer(allow_null=True, read_only=True)


class MusteredSerializer(serializers.Serializer):
    """The army converted to another ruleset. `army` is in that ruleset's terms."""

    ruleset = serializers.CharField(read_only=True)
    muster = MusterSerializer(read_only=True)
    army = serializers.SerializerMethodField()

    @extend_schema_field(choose_shape("MusteredArmy", dict(SHAPES)))
    def get_army(self, shown: Mapping[str, Any]) -> Any:
        return shown["army"]


class MusteredView(ApiView):
    @extend_schema(
        parameters=[RULESET],
        responses=MusteredSerializer,
        summary="What an army would be in a battle by another ruleset, for whoever may read its sheet",
    )
    def get(self, request: ApiRequest, army_id: UUID) -> Response:
        refuse_unknown(request, {"ruleset"})
        campaign: Campaign = get_army_for(request.user, army_id).campaign
        army: Army = get_army_for(request.user, army_id, get_army_ui(campaign).army)
        law = choose_other_law(campaign, request.query_params.get("ruleset"))
        muster: Muster = mustered_by(army)
        shape = get_battle_ui(law).mustered_shape
        told = shape(law.battle.army_from(muster)).data if shape else None
        return Response(MusteredSerializer({"ruleset": law.slug, "muster": muster, "army": told}).data)

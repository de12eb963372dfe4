"""API of `campaigns/{id}/known-armies/`, and for the GM `campaigns/{id}/insights/` and `armies/{id}/hidden/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.response import Response

from armies.forces.access import filter_known, get_army_for
from armies.forces.busy import find_engaged
from armies.intel.page import list_insights
from armies.intel.services import hide_army, let_know
from armies.map.visibility import build_visible_army
from armies.models import Army, Insight, rows_of
from core.api.problems import point_at
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, kingdom_in, require_gm
from kingdom.api.base_views import ApiActions, ApiView, validate_body
from kingdom.api.fields import KnowledgeField, SaidField
from kingdom.models import Scope


class KnownArmySerializer(serializers.ModelSerializer):
    """An army as far as you know it. `kind`, `size` and `health` are words, null where only its name is known.
    `health` is empty where losses leave the sheet and nothing else is missing. If you know `all` of it, `armies/{id}/`
    has its sheet.
    """

    known = KnowledgeField(source="knowledge", read_only=True)
    kind = SaidField(source="glimpse.kind", default=None, allow_null=True)
    size = SaidField(source="glimpse.size", default=None, allow_null=True)
    health = SaidField(source="glimpse.health", default=None, allow_null=True)

    class Meta:
        model = Army
        fields = ("id", "campaign", "kingdom", "name", "known", "kind", "size", "health")


class InsightInput(Input):
    """`kingdom` is informed about one `army`, or about all armies of a `realm`. `mutual`: allies, who are informed
    about each other. `level` "nothing" ends it.
    """

    kingdom = serializers.UUIDField()
    army = serializers.UUIDField(required=False)
    realm = serializers.UUIDField(required=False)
    mutual = serializers.BooleanField(required=False, default=False)
    level = KnowledgeField()


class InsightSerializer(serializers.ModelSerializer):
    level = KnowledgeField(read_only=True)

    class Meta:
        model = Insight
        fields = ("id", "kingdom", "army", "realm", "mutual", "level")


class HiddenInput(Input):
    hidden = serializers.BooleanField()


HIDDEN = inline_serializer("ArmyHidden", {"id": serializers.UUIDField(), "hidden": serializers.BooleanField()})


class KnownArmiesView(ApiActions):
    scope = Scope.MANAGE
    queryset = Army.objects.none()
    serializer_class = KnownArmySerializer

    @extend_schema(responses=KnownArmySerializer(many=True), summary="Armies, as far as you know of them")
    def list(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        rows = filter_known(request.user, rows_of(Army).filter(campaign=campaign)).order_by("id")
        engaged = find_engaged(campaign)

        def draw(page: Sequence[Any], **options: Any) -> KnownArmySerializer:
            for army in page:
                army.campaign = campaign
                army.glimpse = build_visible_army(army, engaged.get(army.pk))
            return KnownArmySerializer(page, **options)

        return self.answer_sublist(rows, draw)


class InsightsView(ApiActions):
    scope = Scope.MANAGE
    queryset = Insight.objects.none()
    serializer_class = InsightSerializer

    @extend_schema(responses=InsightSerializer(many=True), summary="Spies and allies (GM)")
    def list(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        return self.answer_sublist(list_insights(request.user, campaign).order_by("id"), InsightSerializer)

    @extend_schema(
        request=InsightInput, responses={200: InsightSerializer}, summary="Let a kingdom know of armies (GM)"
    )
    def create(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        require_gm(request.user, campaign)
        given = validate_body(InsightInput(data=request.data))
        for name in {"kingdom", "realm"} & given.keys():
            with point_at(f"/{name}"):
                given[name] = kingdom_in(campaign, given[name])
        if "army" in given:
            with point_at("/army"):
                given["army"] = get_army_for(request.user, given["army"], Army)
        found = let_know(by=request.user, **given)
        return Response(InsightSerializer(found).data)


class ArmyHiddenView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(request=HiddenInput, responses=HIDDEN, summary="Hide an army from the other players, or not (GM)")
    def post(self, request: ApiRequest, army_id: UUID) -> Response:
        army = get_army_for(request.user, army_id, Army)
        require_gm(request.user, army.campaign)
        army = hide_army(by=request.user, army=army, **validate_body(HiddenInput(data=request.data)))
        return Response({"id": army.pk, "hidden": army.hidden})


# URL configuration of the API of intelligence.

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/known-armies/", KnownArmiesView.as_view({"get": "list"}), name="known-armies"),
    path(
        "campaigns/<uuid:campaign_id>/insights/",
        InsightsView.as_view({"get": "list", "post": "create"}),
        name="insights",
    ),
    path("armies/<uuid:army_id>/hidden/", ArmyHiddenView.as_view(), name="army-hidden"),
]

"""API of `campaigns/{id}/map/`, `armies/{id}/place/` and `settlements/{id}/place/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.response import Response

from armies.forces.access import get_army_for
from armies.map.visibility import SeenMap, annotate_last_seen, hex_told, load_seen_map
from armies.marches.services import put_army
from armies.models import Army
from core.api.concurrency import answer_conditionally, check_if_match, make_etag, require_if_match
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, get_kingdom_for, get_settlement_for, reads_all, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import NameField, WholeField
from kingdom.approvals.serializers import document_approval
from kingdom.chronicle.changes import lock
from kingdom.map.api import MapDocumentSerializer, MapEdgeSerializer
from kingdom.map.painting_queries import describe_since, find_last_stroke
from kingdom.map.queries import find_map, forget_map
from kingdom.map.services import claim_hexes, configure_map, make_map, put_map_away, put_settlement
from kingdom.map.svg import in_letters
from kingdom.models import Campaign, CampaignMap, Scope, User
from rules.core.errors import InvalidInput
from rules.core.text import _
from rules.hexes.geometry import Hex, label_of
from rules.hexes.mapfile import HexMap, document

OURS = frozenset({"claims", "settlements", "armies", "fog", "sight", "sizes", "told", "unseen"})
UNSEEN = "?"
IF_MATCH = OpenApiParameter(
    "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER,
    description="The ETag of the map that is replaced. 428 without it where there is one, 412 when it has changed.",
)  # fmt: skip


class PlacedSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kingdom = serializers.UUIDField(source="realm.id")
    hex = serializers.CharField()


class ArmyOnMapSerializer(PlacedSerializer):
    last_seen = serializers.IntegerField(allow_null=True, help_text="a day; null for one that is seen now")


class CampaignMapSerializer(serializers.Serializer):
    """The map's document (`format`, `version`, `name`, `columns`, `rows`, `terrain`, `labels` …), and what is on it.

    Only what the reader sees: a hex they have never seen is the letter `unseen` in `terrain`.
    """

    format = serializers.CharField()
    version = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField()
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    terrain = serializers.ListField(child=serializers.CharField())
    heights = serializers.DictField(child=serializers.IntegerField(), required=False)
    edges = MapEdgeSerializer(many=True, required=False)
    roads = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    rivers = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    labels = serializers.DictField(child=serializers.CharField(), required=False)
    credits = serializers.CharField(required=False)
    claims = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="the hexes of each kingdom, by its id"
    )
    settlements = PlacedSerializer(many=True, read_only=True)
    armies = ArmyOnMapSerializer(many=True, read_only=True)
    unseen = serializers.CharField(required=False, help_text="under fog")
    told = serializers.CharField(
        required=False, help_text="where it was laid just now: what was done, and which armies left the map with it"
    )
    fog = serializers.BooleanField()
    sight = serializers.IntegerField()
    sizes = serializers.BooleanField()


class MapRulesInput(Input):
    """`fog`: players see only what their kingdoms have seen; `sizes`: a kingdom's size is the number of its hexes."""

    fog = serializers.BooleanField(required=False)
    sight = WholeField(required=False)
    sizes = serializers.BooleanField(required=False)
    put_away = serializers.BooleanField(required=False)


class ClaimInput(Input):
    """`kingdom`: null for hexes that nobody claims."""

    kingdom = serializers.UUIDField(allow_null=True)
    hexes = serializers.ListField(child=NameField(max_length=8), max_length=10_000)


class StandInput(Input):
    hex = NameField(max_length=8, allow_blank=True)


class SettlementPlaceInput(StandInput):
    revealed = serializers.BooleanField(required=False)


PLACE = inline_serializer("ArmyPlace", {"hex": serializers.CharField(), "place": serializers.CharField()})
TOWN_PLACE = inline_serializer(
    "SettlementPlace", {"hex": serializers.CharField(), "revealed": serializers.BooleanField()}
)


def map_json(user: User, campaign: Campaign, drawn: CampaignMap) -> dict[str, Any]:
    """JSON of the map as this member sees it."""
    seen = load_seen_map(user, campaign, drawn)
    field = document(_known(seen, everything=reads_all(user, campaign)))
    field["terrain"] = in_letters(seen.field, seen.known, UNSEEN)
    return {
        **field,
        "claims": {str(realm.id): _labels(realm.hexes) for realm in seen.claiming},
        "settlements": PlacedSerializer(seen.towns, many=True).data,
        "armies": ArmyOnMapSerializer(seen.armies, many=True).data,
        **({} if seen.known is None else {"unseen": UNSEEN}),
        "fog": drawn.fog, "sight": drawn.sight, "sizes": drawn.sizes,
    }  # fmt: skip


def _known(seen: SeenMap, *, everything: bool) -> HexMap:
    """The part of the map that they know. Only readers of everything get members of the document that this code does
    not know.
    """
    field, knows = seen.field, seen.eyes.knows
    if everything:
        return field
    return replace(
        field,
        heights={at: height for at, height in field.heights.items() if knows(at)},
        labels=seen.labels,
        edges={step: what for step, what in field.edges.items() if all(map(knows, step))},
        roads=frozenset(step for step in field.roads if all(map(knows, step))),
        rivers=frozenset(step for step in field.rivers if any(map(knows, step))),
        zones=(), homes=(), more={},
    )  # fmt: skip


def _labels(hexes: frozenset[Hex]) -> list[str]:
    return [label_of(at) for at in sorted(hexes, key=lambda at: (at.r, at.q))]


class MapView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(responses=CampaignMapSerializer, summary="The campaign's map, as far as you see it")
    def get(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        return answer_conditionally(request, self._drawn(campaign))

    @extend_schema(
        parameters=[IF_MATCH], request=MapDocumentSerializer, responses=CampaignMapSerializer,
        summary="Make or replace the map (GM): its document, with claims if they change",
    )  # fmt: skip
    def put(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        require_gm(request.user, campaign)
        self.begin()
        lock(campaign)  # Locks the campaign, so that concurrent requests take turns.
        if drawn := find_map(campaign):
            require_if_match(request)
            check_if_match(request, make_etag(map_json(request.user, campaign, drawn)))
        body = request.data
        if not isinstance(body, Mapping):
            raise InvalidInput(_("A map has to be a JSON object."))
        field = {name: value for name, value in body.items() if name not in OURS}
        before = find_last_stroke(request.user, campaign)
        make_map(by=request.user, campaign=campaign, document=field, claims=body.get("claims"))
        response = self._drawn(campaign)
        response.data["told"] = describe_since(request.user, campaign, before)
        return response

    @extend_schema(request=MapRulesInput, responses=CampaignMapSerializer, summary="Change the map's rules (GM)")
    def patch(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        require_gm(request.user, campaign)
        given = validate_body(MapRulesInput(data=request.data))
        away = given.pop("put_away", None)
        self.begin()
        if away is not None:
            put_map_away(by=request.user, campaign=campaign, away=away)
        if given:
            configure_map(by=request.user, campaign=campaign, **given)
        return Response(status=204) if away else self._drawn(campaign)

    def _drawn(self, campaign: Campaign) -> Response:
        forget_map(campaign)
        drawn = find_map(campaign)
        if drawn is None:
            raise Http404
        response = Response(map_json(self.request.user, campaign, drawn))
        response["ETag"] = make_etag(response.data)
        return response


class MapClaimsView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(request=ClaimInput, responses=CampaignMapSerializer, summary="Draw a border (GM)")
    def post(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        require_gm(request.user, campaign)
        given = validate_body(ClaimInput(data=request.data))
        owner = given["kingdom"] and get_kingdom_for(request.user, given["kingdom"])
        if owner and owner.campaign_id != campaign.pk:
            raise Http404
        claim_hexes(by=request.user, campaign=campaign, kingdom=owner or None, hexes=given["hexes"])
        forget_map(campaign)
        drawn = find_map(campaign)
        assert drawn is not None
        return Response(map_json(request.user, campaign, drawn))


class ArmyPlaceView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(responses=PLACE, summary="Where an army stands, as far as you see it")
    def get(self, request: ApiRequest, army_id: UUID) -> Response:
        army = get_army_for(request.user, army_id, Army)
        annotate_last_seen(request.user, army)
        return answer_conditionally(request, Response({"hex": hex_told(request.user, army), "place": army.place}))

    @extend_schema(request=StandInput, responses=PLACE, summary="Put an army on a hex (GM); empty: nowhere")
    def post(self, request: ApiRequest, army_id: UUID) -> Response:
        army = get_army_for(request.user, army_id, Army)
        given = validate_body(StandInput(data=request.data))
        army = put_army(by=request.user, army=army, **given)
        return Response({"hex": army.hex, "place": army.place})


class SettlementPlaceView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(responses=TOWN_PLACE, summary="Where a settlement lies")
    def get(self, request: ApiRequest, settlement_id: UUID) -> Response:
        town = get_settlement_for(request.user, settlement_id)
        return answer_conditionally(request, Response({"hex": town.hex, "revealed": town.revealed}))

    @extend_schema(
        request=SettlementPlaceInput, responses=document_approval(TOWN_PLACE), summary="Put a settlement on a hex"
    )
    def post(self, request: ApiRequest, settlement_id: UUID) -> Response:
        town = get_settlement_for(request.user, settlement_id)
        given = validate_body(SettlementPlaceInput(data=request.data))
        town = put_settlement(by=request.user, settlement=town, **given)
        return Response({"hex": town.hex, "revealed": town.revealed})


# URL configuration of the API of the map.

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/map/", MapView.as_view(), name="campaign-map"),
    path("campaigns/<uuid:campaign_id>/map/claims/", MapClaimsView.as_view(), name="campaign-map-claims"),
    path("armies/<uuid:army_id>/place/", ArmyPlaceView.as_view(), name="army-place"),
    path("settlements/<uuid:settlement_id>/place/", SettlementPlaceView.as_view(), name="settlement-place"),
]

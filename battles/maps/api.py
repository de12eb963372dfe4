"""API of `campaigns/{id}/maps/`: the campaign's library of battle maps."""

from __future__ import annotations

from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from battles.hexes.maps import made_document, starter_document
from battles.hexes.ui import map_of_battle
from battles.maps.queries import list_maps, read_map
from battles.maps.services import delete_map, keep_map, rename_map
from battles.models import BattleMap
from battles.queries import get_battle_alone
from core.api.concurrency import answer_conditionally
from core.api.problems import point_at
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_one, require_gm
from kingdom.api.base_views import CampaignActions
from kingdom.api.fields import NameField, WholeField
from kingdom.map.api import MapDocumentSerializer
from kingdom.models import Campaign, Scope
from rules.core.errors import InvalidInput, demand
from rules.core.text import _
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document, parse
from rules.hexes.terrain import KINDS, SEED_MOST, MapKind

SOURCES = ("map", "battle", "starter", "generate")
PARAMETERS = [OpenApiParameter("map", OpenApiTypes.UUID, OpenApiParameter.PATH)]


class BattleMapLineSerializer(serializers.Serializer):
    """A battle map in the list."""

    id = serializers.UUIDField(read_only=True)
    campaign = serializers.UUIDField(source="campaign_id", read_only=True)
    name = serializers.CharField(read_only=True)
    columns = serializers.IntegerField(read_only=True)
    rows = serializers.IntegerField(read_only=True)
    kept_by = serializers.SerializerMethodField()
    kept_at = serializers.DateTimeField(read_only=True)

    def get_kept_by(self, kept: BattleMap) -> str | None:
        return kept.kept_by.username if kept.kept_by else None


class BattleMapSerializer(BattleMapLineSerializer):
    """A battle map; `map` is its file's document."""

    map = serializers.SerializerMethodField()

    @extend_schema_field(MapDocumentSerializer)
    def get_map(self, kept: BattleMap) -> dict[str, Any]:
        return document(read_map(kept))


class GeneratedMapInput(Input):
    """Options of a map generated from a seed."""

    columns = WholeField()
    rows = WholeField()
    kind = serializers.ChoiceField(choices=tuple(KINDS[MapKind.BATTLE]))
    seed = NameField(max_length=SEED_MOST)
    river = serializers.BooleanField(required=False)
    symmetric = serializers.BooleanField(required=False)


class BattleMapInput(Input):
    """Give exactly one of `map`, `battle`, `starter` and `generate`."""

    name = NameField(required=False, max_length=NAME_MAX, help_text="Without one, the name of the map.")
    map = MapDocumentSerializer(required=False)
    battle = serializers.UUIDField(required=False, help_text="a battle of the campaign: its map as it is now")
    starter = NameField(required=False, help_text=", ".join(STARTERS))
    generate = GeneratedMapInput(required=False)


class BattleMapChange(Input):
    name = NameField(max_length=NAME_MAX)


class BattleMapViewSet(CampaignActions):
    """The campaign's library of battle maps. Members read it, the GM changes it."""

    scope = Scope.MANAGE
    queryset = BattleMap.objects.none()
    serializer_class = BattleMapSerializer
    input_class = BattleMapInput
    filterset_class = None

    def get_object(self) -> BattleMap:
        return get_one(list_maps(self.campaign()).select_related("campaign"), self.kwargs["map"])

    @extend_schema(responses=BattleMapLineSerializer(many=True), summary="Battle maps the campaign keeps")
    def list(self, request: ApiRequest, campaign_id: str) -> Response:
        return self.answer_sublist(list_maps(self.campaign()).defer("written"), BattleMapLineSerializer)

    @extend_schema(parameters=PARAMETERS, responses=BattleMapSerializer, summary="A battle map")
    def retrieve(self, request: ApiRequest, campaign_id: str, map: str) -> Response:
        return answer_conditionally(request, self.drawn(self.get_object()))

    @extend_schema(request=BattleMapInput, responses={201: BattleMapSerializer}, summary="Keep a battle map (GM)")
    def create(self, request: ApiRequest, campaign_id: str) -> Response:
        campaign = self.campaign()
        require_gm(request.user, campaign)
        given = self.input()
        source = self._source(given)
        told = self._document(campaign, source, given[source])
        kept = keep_map(by=request.user, campaign=campaign, document=told, name=given.get("name", ""))
        return self.drawn(kept, 201)

    def _source(self, given: dict[str, Any]) -> str:
        found = [name for name in SOURCES if name in given]
        demand(len(found) == 1, _("Use exactly one of these fields: {choices}."), choices=", ".join(SOURCES))
        return found[0]

    def _document(self, campaign: Campaign, source: str, told: Any) -> object:
        """The map's document. Refusals point below the member it was read from."""
        try:
            with point_at(f"/{source}"):
                return document(parse(self._told(campaign, source, told)))
        except InvalidInput as refusal:
            raise refusal.below(f"/{source}") from refusal

    def _told(self, campaign: Campaign, source: str, told: Any) -> object:
        match source:
            case "battle":
                battle = get_battle_alone(self.request.user, told)
                demand(battle.campaign_id == campaign.pk, _("This battle belongs to another campaign."))
                return document(map_of_battle(battle))
            case "starter":
                return starter_document(told)
            case "generate":
                return made_document(told)
        return cast("dict[str, Any]", self.request.data)["map"]

    @extend_schema(
        parameters=PARAMETERS,
        request=BattleMapChange(partial=True),
        responses=BattleMapSerializer,
        summary="Rename a battle map (GM)",
    )
    def partial_update(self, request: ApiRequest, campaign_id: str, map: str) -> Response:
        kept = self.get_object()
        require_gm(request.user, kept.campaign)
        self.refuse_stale(kept)
        change = self.change_of(kept, BattleMapChange)
        return self.drawn(rename_map(by=request.user, kept=kept, **change) if change else kept)

    @extend_schema(
        parameters=PARAMETERS, responses={204: None}, summary="Delete a battle map; undo brings it back (GM)"
    )
    def destroy(self, request: ApiRequest, campaign_id: str, map: str) -> Response:
        kept = self.get_object()
        require_gm(request.user, kept.campaign)
        self.refuse_stale(kept)
        delete_map(by=request.user, kept=kept)
        return Response(status=204)

"""API of `campaigns/{id}/map/import/`: a map of Tiled, Worldographer or Azgaar's generator."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from core.api.serializers import Input
from core.clean_input import read_json
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import SaidField
from kingdom.map.api import MapDocumentSerializer
from kingdom.map.import_queries import TERRAINS, MapProposal, propose_map
from kingdom.map.import_services import import_map
from kingdom.map.painting_queries import describe_since, find_last_stroke
from kingdom.map.queries import forget_map
from kingdom.models import Scope
from rules.core.errors import InvalidInput
from rules.hexes.imports.files import COLUMNS, FILE_MOST, ReadOptions, read_foreign
from rules.hexes.imports.layout import SIDE_MOST, FlatTops, Tool
from rules.hexes.mapfile import LEAST_SIDE, NAME_MOST, document

CHOICES_MOST = 100_000  # characters


class MapImportInput(Input):
    """`file`: a map of Tiled (`.tmx`, `.tmj`), of Worldographer (`.wxx`), or cells of Azgaar's generator (`.geojson`),
    at most 16 MB. `columns`: hexes across, for Azgaar's cells only. `turn`: what is done with hexes that have flat
    tops: `turn` the map by a quarter, or `redraw` it.

    `terrains`: JSON text with the terrain of names in the file, `{"Flat Swamp": "swamp", "Town": ""}`, where "" is no
    terrain, so that what lies below counts. Names left out are proposed. `empty`: terrain of hexes that have none.

    Without `confirm` the answer is the proposal and nothing changes. With it, the map is replaced; `mark` of a
    proposal refuses that with 412 if the map has changed since.
    """

    file = serializers.FileField(allow_empty_file=True)
    columns = serializers.IntegerField(required=False, min_value=LEAST_SIDE, max_value=SIDE_MOST, default=COLUMNS)
    turn = serializers.ChoiceField(choices=[one.value for one in FlatTops], required=False, default=FlatTops.TURN.value)
    name = serializers.CharField(required=False, allow_blank=True, max_length=NAME_MOST, default="")
    terrains = serializers.CharField(required=False, allow_blank=True, max_length=CHOICES_MOST, default="")
    empty = serializers.ChoiceField(choices=list(TERRAINS), required=False, allow_blank=True, default="")
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class ImportedTerrainSerializer(serializers.Serializer):
    """A name in the file. `terrain`: null if it has to be chosen, "" for no terrain."""

    name = serializers.CharField()
    hexes = serializers.IntegerField()
    terrain = serializers.CharField(allow_null=True)


class FileNoteSerializer(serializers.Serializer):
    """A line about the file. `understood`: whether it was taken over."""

    understood = serializers.BooleanField()
    told = SaidField()


class ReplacedMapSerializer(serializers.Serializer):
    """Losses of the current map. `lines_lost`: roads, rivers, walls and names; `armies`: which leave the map."""

    name = serializers.CharField()
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    claims = serializers.IntegerField()
    claims_lost = serializers.IntegerField()
    lines_lost = serializers.IntegerField()
    towns = serializers.ListField(child=serializers.CharField())
    armies = serializers.SerializerMethodField()

    def get_armies(self, replaced: Any) -> str:
        return render(replaced.armies)


@extend_schema_field(MapDocumentSerializer(allow_null=True))
class ProposedMapField(serializers.JSONField):
    """The document of the map; null while a terrain has to be chosen."""


class MapImportSerializer(serializers.Serializer):
    """The proposal, or what was imported. `empty_hexes` have no terrain of their own and become `empty`. `told`: what
    was done, and which armies left the map; "" for a proposal.
    """

    tool = serializers.ChoiceField(choices=[one.value for one in Tool])
    name = serializers.CharField()
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    terrains = ImportedTerrainSerializer(many=True)
    empty = serializers.CharField()
    empty_hexes = serializers.IntegerField()
    notes = FileNoteSerializer(many=True)
    replaces = ReplacedMapSerializer(allow_null=True)
    map = ProposedMapField(allow_null=True)
    mark = serializers.CharField()
    told = serializers.CharField()


class MapImportView(ApiView):
    scope, counted = Scope.MANAGE, "costly"
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": MapImportInput},
        responses={200: MapImportSerializer, 201: MapImportSerializer},
        summary="Import a map of another tool (GM): the proposal, or with confirm what was done",
    )
    def post(self, request: ApiRequest, pk: UUID) -> Response:
        campaign = get_campaign_for(request.user, pk)
        require_gm(request.user, campaign)
        given = validate_body(MapImportInput(data=request.data))
        file = given["file"]
        asked = ReadOptions(given["columns"], FlatTops(given["turn"]))
        foreign = read_foreign(file.read(FILE_MOST + 1), file.name or "", asked)
        chosen = {"terrains": _read_terrains(given["terrains"]), "empty": given["empty"] or None,
                  "name": given["name"] or None}  # fmt: skip
        proposal = propose_map(campaign, foreign, chosen["terrains"], chosen["empty"], chosen["name"])
        if not given["confirm"]:
            return Response(_answer(proposal))
        body = _answer(proposal)
        before = find_last_stroke(request.user, campaign)
        import_map(by=request.user, campaign=campaign, foreign=foreign, mark=given["mark"] or None, **chosen)
        forget_map(campaign)
        return Response({**body, "told": describe_since(request.user, campaign, before)}, status=201)


def _read_terrains(text: str) -> Any:
    try:
        return read_json(text) if text.strip() else {}
    except InvalidInput as refusal:
        raise refusal.below("/terrains") from None


def _answer(proposal: MapProposal) -> dict[str, Any]:
    foreign = proposal.foreign
    return MapImportSerializer({
        "tool": foreign.tool, "name": proposal.name, "columns": foreign.columns, "rows": len(foreign.rows),
        "terrains": proposal.choices, "empty": proposal.empty, "empty_hexes": proposal.empties,
        "notes": foreign.notes, "replaces": proposal.replaced,
        "map": document(proposal.field) if proposal.field else None, "mark": proposal.mark, "told": "",
    }).data  # fmt: skip

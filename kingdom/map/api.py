"""API of the map editor: brush strokes, generated maps, pictures, and the picture below the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from core.api.concurrency import answer_conditionally
from core.api.serializers import Input, NoInput, Open, TypeField, build_typed_shape, refuse_unknown
from core.text import build_absolute_url, render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import WholeField
from kingdom.map.background_queries import KIND, find_background, read_placement
from kingdom.map.editor_svg import draw_svg, png_of
from kingdom.map.painting_queries import (
    describe_since,
    describe_stroke,
    find_last_stroke,
    map_picture,
    read_stroke,
    sheet_of,
)
from kingdom.map.painting_services import Stroke, generate_sheet, paint_map, place_background, undo_stroke
from kingdom.map.queries import find_map, forget_map, load_map_state
from kingdom.models import Campaign, Scope
from kingdom.pictures.api import PictureSerializer
from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.geometry import label_of
from rules.hexes.mapfile import document
from rules.hexes.orders import choices_in
from rules.hexes.terrain import MapKind

# Serializers of map documents (HX-7).


class MapEdgeSerializer(serializers.Serializer):
    """An obstacle between two hexes."""

    between = serializers.ListField(child=serializers.CharField())
    obstacle = serializers.CharField()


class MapDocumentSerializer(Open, serializers.Serializer):
    """The document of a map. Unknown members are kept and written back."""

    format = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)
    name = serializers.CharField(required=False)
    kind = serializers.CharField(required=False, allow_blank=True)
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    terrain = serializers.ListField(child=serializers.CharField())
    heights = serializers.DictField(child=serializers.IntegerField(), required=False)
    edges = MapEdgeSerializer(many=True, required=False)
    roads = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    rivers = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    labels = serializers.DictField(child=serializers.CharField(), required=False)
    credits = serializers.CharField(required=False)
    claims = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), required=False)


class MapLaidSerializer(MapDocumentSerializer):
    """The map now in use. `told`: a sentence that says what was done, and which armies left the map."""

    told = serializers.CharField()


PICTURES = ("svg", "png")
EXAMPLES = [
    OpenApiExample("Terrain", {"command": "paint", "at": "C7", "size": "3", "terrain": "forest"}, request_only=True),
    OpenApiExample("A road", {"command": "road", "start": "C7", "to": "F3"}, request_only=True),
    OpenApiExample("A name", {"command": "label", "hex": "C7", "text": "Old wood"}, request_only=True),
    OpenApiExample("A border", {"command": "claim", "hexes": ["C7", "C8"], "kingdom": None}, request_only=True),
]


class HexesMembers(Input):
    """The hexes, one by one or as a brush of a size covers them."""

    hexes = serializers.ListField(child=serializers.CharField(), required=False)
    at = serializers.CharField(required=False)
    size = serializers.CharField(required=False)


class MapPaintStroke(HexesMembers):
    """Paint a terrain."""

    command = TypeField("paint")
    terrain = serializers.CharField()


class MapRaiseStroke(HexesMembers):
    """Set a height; without one the hexes become flat."""

    command = TypeField("raise")
    height = serializers.IntegerField(required=False)


class MapEdgeStroke(Input):
    """Put an obstacle between two hexes; without `obstacle` it is removed."""

    command = TypeField("edge")
    between = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    obstacle = serializers.CharField(required=False)


class LineStroke(Input):
    """A line along these hexes, or from `start` to `to`; `there` false removes it."""

    hexes = serializers.ListField(child=serializers.CharField(), required=False)
    start = serializers.CharField(required=False)
    to = serializers.CharField(required=False)
    there = serializers.BooleanField(required=False)


class MapRoadStroke(LineStroke):
    """A road along these hexes, or from `start` to `to`; `there` false removes it."""

    command = TypeField("road")


class MapRiverStroke(LineStroke):
    """A river along these hexes, or from `start` to `to`; `there` false removes it."""

    command = TypeField("river")


class MapLabelStroke(Input):
    """Name a hex; without `text` the name is removed."""

    command = TypeField("label")
    hex = serializers.CharField()
    text = serializers.CharField(required=False, allow_null=True, allow_blank=True)


class MapClaimStroke(HexesMembers):
    """Assign hexes to a kingdom; `kingdom` null assigns them to nobody."""

    command = TypeField("claim")
    kingdom = serializers.UUIDField(required=False, allow_null=True)


class SidesMembers(Input):
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()


class MapResizeStroke(SidesMembers):
    """Change the size of the map."""

    command = TypeField("resize")


class LandMembers(SidesMembers):
    kind = serializers.CharField()
    seed = serializers.CharField()
    river = serializers.BooleanField(required=False)
    roads = serializers.BooleanField(required=False)
    symmetric = serializers.BooleanField(required=False)


class MapGenerateStroke(LandMembers):
    """Generate a new map from a seed."""

    command = TypeField("generate_map")


class LandInput(LandMembers):
    """A map generated from a seed; `confirm` makes it the campaign's map."""

    confirm = serializers.BooleanField(required=False)


class MapLoadStroke(Input):
    """Replace the map by this document."""

    command = TypeField("load_map")
    map = MapDocumentSerializer()


STROKES: Mapping[str, type[Input]] = {
    "paint": MapPaintStroke, "raise": MapRaiseStroke, "edge": MapEdgeStroke, "road": MapRoadStroke,
    "river": MapRiverStroke, "label": MapLabelStroke, "claim": MapClaimStroke, "resize": MapResizeStroke,
    "load_map": MapLoadStroke, "generate_map": MapGenerateStroke,
}  # fmt: skip
STROKE = build_typed_shape("MapStroke", STROKES, "command")


class HexDrawn(serializers.Serializer):
    hex = serializers.CharField()
    terrain = serializers.CharField()


class StrokeSerializer(serializers.Serializer):
    """`changed` are the hexes that look different now; `whole`: the map was replaced, read it anew. `told`: a sentence
    that says what was done, and which armies left the map because their hexes became impassable.
    """

    version = serializers.IntegerField()
    whole = serializers.BooleanField()
    changed = HexDrawn(many=True)
    told = serializers.CharField()


def _answer(stroke: Stroke, told: str) -> Response:
    field = load_map_state(stroke.drawn).field
    changed = sorted(stroke.hexes, key=lambda at: (at.r, at.q))
    return Response(
        {
            "version": stroke.drawn.version,
            "whole": stroke.whole,
            "changed": [] if stroke.whole else [{"hex": label_of(at), "terrain": field.at(at).slug} for at in changed],
            "told": told,
        }
    )


class OfTheMap(ApiView):
    """Base of the views of one campaign's map."""

    scope = Scope.MANAGE
    request: ApiRequest

    def campaign(self) -> Campaign:
        return get_campaign_for(self.request.user, self.kwargs["pk"])


class StrokesView(OfTheMap):
    @extend_schema(
        request=STROKE,
        responses=StrokeSerializer,
        examples=EXAMPLES,
        summary="Paint the map: one stroke (GM)",
        description="Commands `paint`, `raise`, `edge`, `road`, `river`, `label`, `claim`, `resize`, `load_map` and "
        "`generate_map`. A stroke is painted on the map as it is when its turn comes.",
    )
    def post(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.campaign()
        stroke = paint_map(by=request.user, campaign=campaign, command=request.data)
        done = stroke.hexes or stroke.whole
        return _answer(stroke, describe_stroke(request.user, campaign, stroke.text) if done else "")


class StrokeUndoView(OfTheMap):
    @extend_schema(request=None, responses=StrokeSerializer, summary="Take back your latest stroke (GM)")
    def post(self, request: ApiRequest, pk: str) -> Response:
        validate_body(NoInput(data=request.data))
        stroke = undo_stroke(by=request.user, campaign=self.campaign())
        return _answer(stroke, render(read_stroke(stroke.undone)) if stroke.undone else "")


class LandView(OfTheMap):
    @extend_schema(
        request=LandInput,
        responses={200: MapDocumentSerializer, 201: MapLaidSerializer},
        examples=[
            OpenApiExample(
                "A coast",
                {"kind": "coast", "columns": 24, "rows": 16, "seed": "7", "river": True, "roads": True},
                request_only=True,
            )
        ],
        summary="A land from a seed: its document; with `confirm` it is the campaign's map (GM)",
        description="Where it becomes the map, `told` says what was done, and which armies left the map with it.",
    )
    def post(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.campaign()
        require_gm(request.user, campaign)
        choices = choices_in(request.data, MapKind.CAMPAIGN, "confirm")
        if isinstance(request.data, dict) and request.data.get("confirm") is True:
            before = find_last_stroke(request.user, campaign)
            drawn = generate_sheet(by=request.user, campaign=campaign, choices=choices)
            told = describe_since(request.user, campaign, before)
            return Response({**document(load_map_state(drawn).field), "told": told}, status=201)
        return Response(document(sheet_of(choices, campaign.name)))


class PictureView(OfTheMap):
    counted = "costly"

    @extend_schema(
        parameters=[OpenApiParameter("as", str, enum=PICTURES)],
        responses={(200, "image/svg+xml"): OpenApiTypes.BINARY, (200, "image/png"): OpenApiTypes.BINARY},
        summary="The map as you see it, as a picture",
    )
    def get(self, request: ApiRequest, pk: str) -> Any:
        refuse_unknown(request, {"as"})
        wanted = request.query_params.get("as", PICTURES[0])
        demand(wanted in PICTURES, _("Choose one of: {choices}."), field="/as", choices=", ".join(PICTURES))
        picture = map_picture(request.user, self.campaign())
        if picture is None:
            raise Http404
        if wanted == "png":
            return HttpResponse(png_of(picture), "image/png")
        return HttpResponse(draw_svg(picture), "image/svg+xml")


class NumberField(serializers.FloatField):
    """A JSON number; texts and booleans are refused."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class BackgroundInput(Input):
    """Position of the picture below the map, in widths of a hex from the map's corner. `width`: null for that of the
    map; `opacity` in percent.
    """

    width = NumberField(allow_null=True)
    left = NumberField()
    top = NumberField()
    opacity = WholeField()


class BackgroundSerializer(serializers.Serializer):
    """The picture below the map as far as you see the map (null without one), and where it lies, as it is sent.
    `upload`: the address that takes its file (PUT) and removes it (DELETE).
    """

    width = serializers.FloatField(allow_null=True)
    left = serializers.FloatField()
    top = serializers.FloatField()
    opacity = serializers.IntegerField()
    picture = PictureSerializer(allow_null=True)
    upload = serializers.URLField()


class BackgroundView(OfTheMap):
    @extend_schema(responses=BackgroundSerializer, summary="The picture below the map, and where it lies")
    def get(self, request: ApiRequest, pk: str) -> Response:
        refuse_unknown(request, set())
        return answer_conditionally(request, self._told(self.campaign()))

    @extend_schema(
        request=BackgroundInput, responses=BackgroundSerializer, summary="Place the picture below the map (GM)"
    )
    def put(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.campaign()
        require_gm(request.user, campaign)
        given = validate_body(BackgroundInput(data=request.data))
        place_background(by=request.user, campaign=campaign, **given)
        forget_map(campaign)
        return self._told(campaign)

    def _told(self, campaign: Campaign) -> Response:
        drawn = find_map(campaign)
        if drawn is None:
            raise Http404
        found = find_background(self.request.user, campaign, drawn)
        upload = build_absolute_url(self.request, reverse("picture", args=[campaign.pk, KIND, drawn.pk]))
        told = {**read_placement(drawn)._asdict(), "picture": found.picture if found else None, "upload": upload}
        return Response(BackgroundSerializer(told, context={"request": self.request, "campaign": campaign}).data)

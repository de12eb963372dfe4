"""API of `unit-types/`: the library, the campaign's own types, and files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from armies.pathfinder.api.inputs import UnitField
from armies.pathfinder.forces.access import get_campaign_here
from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types import unit_files as unit_types_unit_files
from armies.pathfinder.unit_types.queries import (
    CRS,
    TERRAINS,
    UnitEntry,
    UnitsSought,
    load_unit_types,
    search_unit_types,
)
from armies.pathfinder.unit_types.services import import_unit_types, remove_unit_type, save_unit_type
from core.api.problems import point_at
from core.api.serializers import Input, refuse_unknown
from core.clean_input import clean_slug
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import require_gm
from kingdom.accounts.authentication import Scoped
from kingdom.api.base_views import validate_body
from kingdom.api.fields import SaidField
from kingdom.api.idempotency import Idempotent
from kingdom.models import Campaign, Scope
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import SOUGHT_MAX
from rules.core.errors import Refusal, demand
from rules.core.text import _
from rules.pathfinder.catalogue.units import FAMILIES
from rules.pathfinder.rulebook import CREATURE_TYPES

CAMPAIGN = OpenApiParameter("campaign", OpenApiTypes.UUID, required=True)
AMONG: dict[str, Collection[str]] = {
    "family": FAMILIES, "least": CRS, "most": CRS, "type": CREATURE_TYPES, "ability": (), "terrain": TERRAINS,
}  # fmt: skip
"""Words of each filter; those of `ability` are the campaign's."""
NARROWED = [
    OpenApiParameter("q", str, description="Words of its name, its creature type and its abilities."),
    OpenApiParameter("family", str, enum=list(FAMILIES)),
    OpenApiParameter("least", str, enum=CRS, description="The lowest CR."),
    OpenApiParameter("most", str, enum=CRS, description="The highest CR."),
    OpenApiParameter("type", str, enum=list(CREATURE_TYPES)),
    OpenApiParameter("ability", str, description="Slug of a special ability, the campaign’s own too."),
    OpenApiParameter("terrain", str, enum=list(TERRAINS), description="At home there, or in any terrain."),
]
FORMS = ("json", "csv")


class UnitTypeInput(Input):
    campaign = serializers.UUIDField()
    slug = serializers.CharField(required=False, allow_blank=True, max_length=80)
    family = serializers.CharField(default="other")
    unit = UnitField()


class UnitRowSerializer(serializers.Serializer):
    slug = serializers.CharField(required=False)
    family = serializers.CharField(required=False)
    unit = UnitField()


@extend_schema_field(UnitRowSerializer(many=True))
class UnitRowsField(serializers.JSONField):
    """Rows of unit types; the service validates them."""


class UnitTypesInput(Input):
    """Either rows in the shape of the export, or the text of a JSON or CSV file."""

    campaign = serializers.UUIDField()
    units = UnitRowsField(required=False)
    file = serializers.CharField(required=False, trim_whitespace=False)


class UnitTypeSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    family = serializers.CharField()
    library = serializers.BooleanField(source="in_library")
    own = serializers.SerializerMethodField()
    terrains = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Where it is at home; none means any."
    )
    unit = UnitField()

    def get_own(self, entry: UnitEntry) -> bool:
        return entry.pk is not None


@extend_schema_serializer(many=False)
class UnitTypePageSerializer(serializers.Serializer):
    """Page with all unit types: `next` and `previous` are always null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = UnitTypeSerializer(many=True)


class UnitOfFileSerializer(serializers.Serializer):
    slug = serializers.CharField()
    family = serializers.CharField()
    unit = UnitField()


class UnitFileSerializer(serializers.Serializer):
    """The shape that `import` takes too."""

    format = serializers.CharField()
    version = serializers.IntegerField()
    units = UnitOfFileSerializer(many=True)


class MonsterInput(Input):
    """`text`: an NPC actor of Foundry as JSON, or a stat block in English or French."""

    campaign = serializers.UUIDField()
    text = serializers.CharField(
        max_length=unit_types_unit_files.MOST_CHARACTERS, trim_whitespace=False, allow_blank=True, default=""
    )


class MonsterLineSerializer(serializers.Serializer):
    """A line of the source."""

    text = serializers.CharField()
    used = serializers.ListField(child=SaidField(), help_text="what the unit type has of it")
    unused = serializers.ListField(child=serializers.CharField(), help_text="what it says beyond that")


class MonsterSerializer(serializers.Serializer):
    """A proposed unit type. Send `unit` and `family` to `unit-types/` to save it. `notes`: what to check first."""

    unit = UnitField()
    family = serializers.CharField()
    lines = MonsterLineSerializer(many=True)
    notes = serializers.ListField(child=SaidField())


class UnitTypeViewSet(Idempotent, Scoped, ViewSet):
    """Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the
    campaign's own.
    """

    scope = Scope.MANAGE
    permission_classes = (IsAuthenticated,)
    lookup_value_regex = "[a-z0-9_-]+"
    request: ApiRequest

    @extend_schema(
        operation_id="unit_types_list",
        parameters=[CAMPAIGN, *NARROWED],
        responses=UnitTypePageSerializer,
        summary="Unit types of a campaign",
    )
    def list(self, request: ApiRequest) -> Response:
        refuse_unknown(request, {"campaign", "q", *AMONG})
        campaign = self._campaign()
        entries = search_unit_types(load_unit_types(campaign), _sought(campaign, request.query_params))
        return Response({"next": None, "previous": None, "results": UnitTypeSerializer(entries, many=True).data})

    @extend_schema(parameters=[CAMPAIGN], responses=UnitTypeSerializer, summary="A unit type")
    def retrieve(self, request: ApiRequest, pk: str) -> Response:
        return self._drawn(self._campaign(), pk)

    @extend_schema(request=UnitTypeInput, responses={201: UnitTypeSerializer}, summary="Write a unit type (GM)")
    def create(self, request: ApiRequest) -> Response:
        given = validate_body(UnitTypeInput(data=request.data))
        campaign = self._named(given.pop("campaign"))
        row = save_unit_type(by=request.user, campaign=campaign, **given)
        return self._drawn(campaign, row.slug, 201)

    @extend_schema(parameters=[CAMPAIGN], responses={204: None}, summary="Remove a unit type of the campaign (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        row = UnitType.objects.filter(campaign=self._campaign(), slug=pk).first()
        if row is None:
            raise Http404
        remove_unit_type(by=request.user, unit_type=row)
        return Response(status=204)

    @extend_schema(request=UnitTypesInput, responses={201: UnitTypeSerializer(many=True)}, summary="Import (GM)")
    @action(detail=False, methods=["post"], url_path="import")
    def bring(self, request: ApiRequest) -> Response:
        given = validate_body(UnitTypesInput(data=request.data))
        campaign = self._named(given["campaign"])
        rows = given["units"] if "units" in given else unit_types_unit_files.read(given.get("file", ""))
        rows = rows if isinstance(rows, list) else []
        written = import_unit_types(by=request.user, campaign=campaign, rows=rows)
        entries = load_unit_types(campaign)
        return Response(UnitTypeSerializer([entries[row.slug] for row in written], many=True).data, status=201)

    @extend_schema(
        request=MonsterInput, responses=MonsterSerializer, summary="Propose a unit type from a creature (GM)"
    )
    @action(detail=False, methods=["post"], counted="costly")
    def propose(self, request: ApiRequest) -> Response:
        given = validate_body(MonsterInput(data=request.data))
        campaign = self._named(given["campaign"])
        require_gm(request.user, campaign)
        try:
            found = unit_types_unit_files.read_monster(given["text"], get_ruleset(campaign))
        except Refusal as refusal:
            raise refusal.below("/text") from None
        return Response(MonsterSerializer(found).data)

    @extend_schema(
        parameters=[CAMPAIGN, OpenApiParameter("as", str, enum=FORMS)],
        responses={(200, "application/json"): UnitFileSerializer, (200, "text/csv"): OpenApiTypes.STR},
        summary="Export as JSON or CSV",
    )
    @action(detail=False, methods=["get"], counted="costly")
    def export(self, request: ApiRequest) -> HttpResponse:
        refuse_unknown(request, {"campaign", "as"})
        wanted = request.query_params.get("as", FORMS[0])
        demand(wanted in FORMS, _("Choose one of: {choices}."), field="/as", choices=", ".join(FORMS))
        return as_file(self._campaign(), wanted)

    def _campaign(self) -> Campaign:
        return self._named(self.request.query_params.get("campaign", ""))

    def _named(self, campaign: Any) -> Campaign:
        with point_at("/campaign"):
            return get_campaign_here(self.request.user, campaign)

    def _drawn(self, campaign: Campaign, slug: str, code: int = 200) -> Response:
        entry = load_unit_types(campaign).get(slug)
        if entry is None:
            raise Http404
        return Response(UnitTypeSerializer(entry).data, status=code)


def _sought(campaign: Campaign, given: Mapping[str, str]) -> UnitsSought:
    """The search in the query parameters. Raises `InvalidInput` for unknown words."""
    query = given.get("q", "")
    demand(len(query) <= SOUGHT_MAX, _("Use at most {most} characters; this has {count}."), field="/q",
           most=SOUGHT_MAX, count=len(query))  # fmt: skip
    asked, among = {name: given.get(name, "") for name in AMONG}, {**AMONG, "ability": get_ruleset(campaign).abilities}
    for name, word in asked.items():
        if word:
            clean_slug(word, field=f"/{name}", among=among[name])
    asked["creature_type"] = asked.pop("type")
    return UnitsSought(query=query, **asked)


def as_file(campaign: Campaign, form: str) -> HttpResponse:
    """Download of the campaign's unit types."""
    entries = load_unit_types(campaign).values()
    text, kind = (
        (unit_types_unit_files.dump_csv(entries), "csv")
        if form == "csv"
        else (unit_types_unit_files.dump_json(entries), "json")
    )
    media = "text/csv" if kind == "csv" else "application/json"
    response = HttpResponse(text, content_type=f"{media}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="unit-types.{kind}"'
    return response

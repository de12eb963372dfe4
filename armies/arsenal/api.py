"""API of `arsenal/`: a campaign's own entries beside the ruleset's tables."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from armies.arsenal.own_things import OwnThings, Thing, arsenal_of, find_own_things, find_thing
from armies.arsenal.services import remove_thing, save_thing
from armies.ruleset_ui import list_army_uis
from core.api.problems import point_at
from core.api.serializers import Input, refuse_unknown
from core.clean_input import clean_slug
from core.shapes.serializers import ApiShapes
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.accounts.authentication import Scoped
from kingdom.api.base_views import validate_body
from kingdom.api.idempotency import Idempotent
from kingdom.models import Campaign, Scope

CAMPAIGN = OpenApiParameter("campaign", OpenApiTypes.UUID, required=True)
NAMED = OpenApiParameter("id", str, OpenApiParameter.PATH, description="kind and slug: `weapons:blunderbuss`")
KNOWN: tuple[OwnThings, ...] = tuple(ui.own_things for ui in list_army_uis() if ui.own_things)
KINDS = tuple(dict.fromkeys(kind for known in KNOWN for kind in known.kinds))
KINDS_TOLD = " · ".join(KINDS)
SOMEBODY = "0198c5f0-0000-7000-8000-000000000001"


def _serializers(known: OwnThings) -> list[Any]:
    """Serializers of the declared shapes, for the OpenAPI document."""
    called = {cls: f"{name}Serializer" for cls, name in known.names.items()}
    things = ApiShapes(called=called, base=serializers.Serializer, bounds=False, words=dict.fromkeys(known.silent, ""))
    return [things.of(shape) for shape in known.shapes.values()]


@extend_schema_field(
    PolymorphicProxySerializer(
        "OwnThing",
        [shape for known in KNOWN for shape in _serializers(known)],
        None,
    )
)
class ThingField(serializers.JSONField):
    """An entry of a campaign's own, with members by its `kind`. The rules validate them."""


class ThingSerializer(serializers.Serializer):
    """An entry of a campaign's own; `thing` has the shape in which it was sent."""

    id = serializers.CharField()
    kind = serializers.CharField(help_text=KINDS_TOLD)
    slug = serializers.CharField()
    name = serializers.CharField()
    thing = ThingField(source="kept")

    def to_representation(self, thing: Thing) -> dict[str, Any]:
        return {"id": f"{thing.kind}:{thing.slug}", "kind": thing.kind, "slug": thing.slug, "name": thing.name,
                "thing": thing.kept}  # fmt: skip


@extend_schema_serializer(
    examples=[
        OpenApiExample(name, {"campaign": SOMEBODY, "kind": kind, "thing": thing}, request_only=True)
        for known in KNOWN
        for name, (kind, thing) in known.examples.items()
    ]
)
class ThingInput(Input):
    """`slug`: that of the entry to replace. Without it a new entry gets one made from its name."""

    campaign = serializers.UUIDField()
    kind = serializers.CharField(help_text=KINDS_TOLD)
    slug = serializers.CharField(required=False, allow_blank=True, max_length=80)
    thing = ThingField()


@extend_schema_serializer(many=False)
class ThingPageSerializer(serializers.Serializer):
    """All entries at once: there is never another page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ThingSerializer(many=True)


class ArsenalViewSet(Idempotent, Scoped, ViewSet):
    """A campaign's own entries. Units name them by slug, as they name entries of the ruleset's tables."""

    scope = Scope.MANAGE
    permission_classes = (IsAuthenticated,)
    lookup_value_regex = "[a-z_]+:[a-z0-9-]+"
    request: ApiRequest

    @extend_schema(
        operation_id="arsenal_list", parameters=[CAMPAIGN, OpenApiParameter("kind", str, enum=KINDS)],
        responses=ThingPageSerializer, summary="What a campaign has of its own",
    )  # fmt: skip
    def list(self, request: ApiRequest) -> Response:
        refuse_unknown(request, {"campaign", "kind"})
        asked = request.query_params.get("kind", "")
        if asked:
            clean_slug(asked, field="/kind", among=KINDS)
        found = [thing for kind in arsenal_of(self._campaign()) if asked in ("", kind.kind) for thing in kind.things]
        return Response({"next": None, "previous": None, "results": ThingSerializer(found, many=True).data})

    @extend_schema(parameters=[CAMPAIGN, NAMED], responses=ThingSerializer, summary="One of them")
    def retrieve(self, request: ApiRequest, pk: str) -> Response:
        kind, slug = pk.split(":")
        return _drawn(self._campaign(), kind, slug)

    @extend_schema(request=ThingInput, responses={201: ThingSerializer}, summary="Write one (GM)")
    def create(self, request: ApiRequest) -> Response:
        given = validate_body(ThingInput(data=request.data))
        campaign = self._named(given["campaign"])
        thing = given["thing"] if isinstance(given["thing"], dict) else {}
        slug = save_thing(by=request.user, campaign=campaign, kind=given["kind"], thing=thing,
                          slug=given.get("slug", ""))  # fmt: skip
        return _drawn(campaign, given["kind"], slug, 201)

    @extend_schema(parameters=[CAMPAIGN, NAMED], responses={204: None}, summary="Strike one that nobody uses (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        campaign = self._campaign()
        kind, slug = pk.split(":")
        require_gm(request.user, campaign)
        if find_thing(campaign, kind, slug) is None:
            raise Http404
        remove_thing(by=request.user, campaign=campaign, kind=kind, slug=slug)
        return Response(status=204)

    def _campaign(self) -> Campaign:
        return self._named(self.request.query_params.get("campaign", ""))

    def _named(self, campaign: Any) -> Campaign:
        with point_at("/campaign"):
            found = get_campaign_for(self.request.user, campaign)
            find_own_things(found)
            return found


def _drawn(campaign: Campaign, kind: str, slug: str, code: int = 200) -> Response:
    thing = find_thing(campaign, kind, slug)
    if thing is None:
        raise Http404
    return Response(ThingSerializer(thing).data, status=code)

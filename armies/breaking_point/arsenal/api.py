"""API of `arsenal/`: what a campaign has beside the starter tables of the rules."""

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

from armies.breaking_point.api.serializers import MachineSerializer, WeaponsField
from armies.breaking_point.arsenal.queries import Thing, arsenal_of, find_thing
from armies.breaking_point.arsenal.services import remove_thing, save_thing
from armies.forces.access import campaign_of
from core.api.filters import refuse_unknown
from core.api.input_serializers import Input
from core.api.problems import point_at
from core.clean_input import clean_slug
from kingdom.access.queries import require_gm
from kingdom.access.request_types import ApiRequest
from kingdom.accounts.token_scopes import Scoped
from kingdom.api.base_views import validate_body
from kingdom.api.idempotency import Idempotent
from kingdom.models import Campaign, Scope
from rules.breaking_point.own import KINDS, TYPE_FLAGS

CAMPAIGN = OpenApiParameter("campaign", OpenApiTypes.UUID, required=True)
NAMED = OpenApiParameter("id", str, OpenApiParameter.PATH, description="kind and slug: `weapons:blunderbuss`")
FAMILY = "breaking_point"
KINDS_TOLD = " · ".join(KINDS)
BLUNDERBUSS = {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}
WALKER = {"name": "Walker", "toughness": 120, "armour": 30, "mobility": 2, "attack": 1,
          "weapons": [{"slug": "blunderbuss", "number": 2}, "sword"]}  # fmt: skip
GRYPHONS = {"name": "Gryphon riders", "toughness": 30, "charge": 4, "mounted": True, "flies": True}
SOMEBODY = "0198c5f0-0000-7000-8000-000000000001"


class OwnWeaponSerializer(serializers.Serializer):
    name = serializers.CharField()
    damage = serializers.IntegerField()
    rate = serializers.CharField(required=False)
    range = serializers.CharField(required=False)
    area = serializers.IntegerField(required=False)
    accuracy = serializers.IntegerField(required=False)
    bursts = serializers.BooleanField(required=False)
    thrown = serializers.BooleanField(required=False)
    secondary = serializers.BooleanField(required=False)
    firearm = serializers.BooleanField(required=False)
    siege = serializers.BooleanField(required=False)


class OwnArmourSerializer(serializers.Serializer):
    """`worn`: by the rules half of `full`, where it is not given."""

    name = serializers.CharField()
    full = serializers.IntegerField()
    worn = serializers.IntegerField(required=False)


class OwnMachineSerializer(MachineSerializer):
    name = serializers.CharField()
    weapons = WeaponsField(required=False)


class OwnTypeSerializer(serializers.Serializer):
    name = serializers.CharField()
    toughness = serializers.IntegerField()
    charge = serializers.IntegerField(required=False)
    starves = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        flags = {name: serializers.BooleanField(required=False) for name in TYPE_FLAGS}
        return {**super().get_fields(), **flags}


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="OwnThing",
        serializers=[OwnWeaponSerializer, OwnArmourSerializer, OwnMachineSerializer, OwnTypeSerializer],
        resource_type_field_name=None,
    )
)
class ThingField(serializers.JSONField):
    """A weapon, an armour, a machine or a type of troops, by its `kind`; the rules check its members."""


class ThingSerializer(serializers.Serializer):
    """A weapon, armour, machine or type of troops; `thing` in the shape it was given."""

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
        for name, kind, thing in (
            ("A weapon", "weapons", BLUNDERBUSS),
            ("An armour", "armours", {"name": "Bark", "full": 3, "worn": 1}),
            ("A machine", "machines", WALKER),
            ("A type of troops", "unit_types", GRYPHONS),
        )
    ]
)
class ThingInput(Input):
    """`slug`: of the one to be written anew; without it one is made from the name."""

    campaign = serializers.UUIDField()
    kind = serializers.CharField(help_text=KINDS_TOLD)
    slug = serializers.CharField(required=False, allow_blank=True, max_length=80)
    thing = ThingField()


@extend_schema_serializer(many=False)
class ThingPageSerializer(serializers.Serializer):
    """All of them at once: there is never another page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ThingSerializer(many=True)


class ArsenalViewSet(Idempotent, Scoped, ViewSet):
    """What a campaign has of its own; units name it by its slug as they name what is in the tables."""

    scope = Scope.MANAGE
    permission_classes = (IsAuthenticated,)
    lookup_value_regex = "[a-z_]+:[a-z0-9-]+"
    request: ApiRequest

    @extend_schema(
        operation_id="arsenal_list", parameters=[CAMPAIGN, OpenApiParameter("kind", str, enum=tuple(KINDS))],
        responses=ThingPageSerializer, summary="What a campaign has of its own",
    )  # fmt: skip
    def list(self, request: ApiRequest) -> Response:
        refuse_unknown(request, {"campaign", "kind"})
        asked = request.query_params.get("kind", "")
        if asked:
            clean_slug(asked, field="/kind", among=tuple(KINDS))
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
            return campaign_of(self.request.user, campaign, FAMILY)


def _drawn(campaign: Campaign, kind: str, slug: str, code: int = 200) -> Response:
    thing = find_thing(campaign, kind, slug)
    if thing is None:
        raise Http404
    return Response(ThingSerializer(thing).data, status=code)

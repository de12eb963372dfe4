"""API of `places/` and `sieges/`, with the commands of sieges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.breaking_point.forces.specs import ROLLS
from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges import place_services, queries, services
from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.command_shapes import MEMBERS, SIEGE_COMMAND, SiegeCommandInput
from armies.forces.access import get_army_run_by
from armies.models import Army
from core.api.concurrency import answer_conditionally, required_version
from core.api.problems import DICE_NEEDED, build_problem, point_at
from core.api.serializers import Input
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_kingdom_for, get_settlement_for, require_gm, share_campaigns
from kingdom.api.base_views import ApiViewSet
from kingdom.api.fields import BreakdownField, SaidField, WholeField
from kingdom.models import Kingdom, Scope, Settlement
from rules.core.dice import Ask, DiceNeeded, TypedDie
from rules.core.errors import InvalidInput
from rules.core.text import _, say

IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True, description="the version you saw")


class PlaceSerializer(serializers.ModelSerializer):
    """A fortified place. `siege`: the running one; `stationed`: null for readers who may not read its kingdom."""

    siege = serializers.SerializerMethodField()
    stationed = serializers.SerializerMethodField()

    class Meta:
        model = FortifiedPlace
        fields = ("id", "campaign", "kingdom", "settlement", "name", "kind", "garrison", "outer", "siege", "stationed")

    def get_siege(self, place: FortifiedPlace) -> str | None:
        return next((str(siege.pk) for siege in place.besieged), None)  # type: ignore[attr-defined]

    def get_stationed(self, place: FortifiedPlace) -> list[str] | None:
        return queries.stationed_ids(self.context["request"].user, place)


class PlaceInput(Input):
    kingdom = serializers.UUIDField()
    name = serializers.CharField(max_length=120)
    kind = serializers.CharField()
    garrison = WholeField()
    settlement = serializers.UUIDField(allow_null=True, required=False)
    outer = serializers.UUIDField(allow_null=True, required=False)


class PlaceArmyInput(Input):
    army = serializers.UUIDField()


class PlaceFilter(filters.FilterSet):
    campaign = filters.UUIDFilter()
    kingdom = filters.UUIDFilter()

    class Meta:
        model = FortifiedPlace
        fields = ("campaign", "kingdom")


@extend_schema_view(
    list=extend_schema(summary="Fortified places of your campaigns"),
    retrieve=extend_schema(summary="A fortified place"),
)
class PlaceViewSet(ApiViewSet):
    scope = Scope.MANAGE
    queryset = FortifiedPlace.objects.none()
    serializer_class = PlaceSerializer
    input_class = PlaceInput
    filterset_class = PlaceFilter

    def get_queryset(self) -> Any:
        return queries.list_places(self.request.user)

    def get_object(self) -> FortifiedPlace:
        return queries.get_place_for(self.request.user, self.kwargs["pk"])

    def list(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return self.answer_list(self.filter_queryset(self.get_queryset()), self._draw)

    def _draw(self, page: Sequence[FortifiedPlace], **options: Any) -> Any:
        share_campaigns([place.kingdom for place in page])
        return self.get_serializer(page, **options)

    @extend_schema(request=PlaceInput, responses={201: PlaceSerializer}, summary="Fortify a place (GM)")
    def create(self, request: ApiRequest) -> Response:
        given = self._named(self.input())
        require_gm(request.user, given["kingdom"].campaign)
        made = place_services.fortify(by=request.user, **given)
        return self.drawn(queries.get_place_for(request.user, made.pk), 201)

    @extend_schema(request=PlaceInput(partial=True), responses=PlaceSerializer, summary="Change a place (GM)")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        place = self.get_object()
        require_gm(request.user, place.campaign)
        self.refuse_stale(place)
        place_services.update_place(by=request.user, place=place, **self._named(self.change_of(place)))
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Raze a place (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        place_services.raze_place(by=request.user, place=self.get_object())
        return Response(status=204)

    @extend_schema(request=PlaceArmyInput, responses=PlaceSerializer, summary="An army garrisons the place")
    @action(detail=True, methods=["post"])
    def enter(self, request: ApiRequest, pk: str) -> Response:
        place = self.get_object()
        place_services.enter_place(by=request.user, army=self._army(), place=place)
        return self.drawn(self.get_object())

    @extend_schema(request=PlaceArmyInput, responses=PlaceSerializer, summary="An army leaves the place")
    @action(detail=True, methods=["post"])
    def leave(self, request: ApiRequest, pk: str) -> Response:
        self.get_object()
        place_services.leave_place(by=request.user, army=self._army())
        return self.drawn(self.get_object())

    def _army(self) -> Army:
        with point_at("/army"):
            return get_army_run_by(self.request.user, self.input(using=PlaceArmyInput)["army"])

    def _named(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments with ids replaced by their rows."""
        finders: dict[str, Callable[[Any], Kingdom | Settlement | FortifiedPlace]] = {
            "kingdom": lambda pk: get_kingdom_for(self.request.user, pk),
            "settlement": lambda pk: get_settlement_for(self.request.user, pk),
            "outer": lambda pk: queries.get_place_for(self.request.user, pk),
        }
        for name in finders.keys() & given.keys():
            if given[name] is not None:
                with point_at(f"/{name}"):
                    given[name] = finders[name](given[name])
        return given


class SiegeSideSerializer(serializers.Serializer):
    """`heads`: rounded to one figure where `about`. `force`, `lost` and `breaks_at` in points, null where you may not
    know them.
    """

    armies = serializers.SerializerMethodField()
    share_lost = serializers.IntegerField(source="share")
    heads = serializers.IntegerField(allow_null=True)
    about = serializers.BooleanField()
    force = serializers.IntegerField(allow_null=True)
    lost = serializers.IntegerField(allow_null=True)
    breaks_at = serializers.IntegerField(allow_null=True)
    commands = serializers.BooleanField()

    def get_armies(self, side: queries.SiegeSide) -> list[str]:
        return [str(army.pk) for army in side.armies]


class SiegeLogSerializer(serializers.Serializer):
    """`typed_by`: who typed each of the `dice`, "" for the server's; empty where all are the server's."""

    day = serializers.IntegerField()
    text = SaidField()
    rule = serializers.CharField()
    dice = serializers.ListField(child=serializers.IntegerField())
    typed_by = serializers.ListField(child=serializers.CharField(allow_blank=True))


class SiegeSerializer(serializers.Serializer):
    """A siege as far as you may know it. `damage`: percent of their force that both sides have lost. `hold`: weeks that
    the garrison can hold, with breakdown, null for the besieger. `price`: what the garrison is worth in Build Points,
    null for the besieger. `hears`: whether it hears terms.
    """

    id = serializers.UUIDField(source="row.pk")
    campaign = serializers.UUIDField(source="row.campaign_id")
    place = serializers.UUIDField(source="row.place_id")
    began = serializers.IntegerField(source="row.began")
    status = serializers.CharField(source="row.status")
    weeks = serializers.IntegerField(source="state.weeks")
    thin = serializers.IntegerField(source="state.thin")
    bombards = serializers.BooleanField(source="state.bombards")
    answers = serializers.BooleanField(source="state.answers")
    hears = serializers.BooleanField(source="state.hears")
    hold = serializers.SerializerMethodField()
    hold_lines = BreakdownField(source="hold", allow_null=True)
    price = serializers.IntegerField(allow_null=True)
    damage = serializers.SerializerMethodField()
    garrison = SiegeSideSerializer()
    besiegers = SiegeSideSerializer(source="besieger")
    log = SiegeLogSerializer(many=True)
    version = serializers.IntegerField(source="row.version")

    def get_hold(self, page: queries.SiegePage) -> int | None:
        return page.hold.total if page.hold is not None else None

    def get_damage(self, page: queries.SiegePage) -> dict[str, int]:
        return {side.side: side.share for side in page.sides}


class SiegeLineSerializer(serializers.ModelSerializer):
    """A siege in a list."""

    weeks = serializers.IntegerField(source="state.weeks")

    class Meta:
        model = SiegeRow
        fields = ("id", "campaign", "place", "began", "status", "weeks", "version")


class SiegeInput(Input):
    place = serializers.UUIDField()
    armies = serializers.ListField(child=serializers.UUIDField(), max_length=services.MOST)
    chief = serializers.UUIDField(allow_null=True, required=False)


SERVICES: Mapping[str, Callable[..., SiegeRow]] = {
    "terms": sieges_services.offer_terms,
    "assault": sieges_services.begin_assault,
    "sortie": sieges_services.begin_sortie,
    "lift": sieges_services.lift_siege,
    "surrender": sieges_services.surrender_place,
    "relief": sieges_services.begin_relief,
    "orders": sieges_services.order_siege,
    "fought": sieges_services.end_siege_battle,
}


class SiegeFilter(filters.FilterSet):
    campaign = filters.UUIDFilter()
    place = filters.UUIDFilter()

    class Meta:
        model = SiegeRow
        fields = ("campaign", "place", "status")


@extend_schema_view(list=extend_schema(responses=SiegeLineSerializer(many=True), summary="Sieges of your campaigns"))
class SiegeViewSet(ApiViewSet):
    scope = Scope.MANAGE
    queryset = SiegeRow.objects.none()
    serializer_class = SiegeLineSerializer
    input_class = SiegeInput
    filterset_class = SiegeFilter

    def get_queryset(self) -> Any:
        return queries.list_sieges(self.request.user)

    def get_object(self) -> SiegeRow:
        return queries.get_siege_for(self.request.user, self.kwargs["pk"])

    @extend_schema(responses=SiegeSerializer, summary="A siege, as far as you may know it")
    def retrieve(self, request: ApiRequest, pk: str) -> Response:
        return answer_conditionally(request, self._shown(self.get_object()))

    @extend_schema(request=SiegeInput, responses={201: SiegeSerializer}, summary="Lay siege to a place")
    def create(self, request: ApiRequest) -> Response:
        given = self.input()
        with point_at("/place"):
            place = queries.get_place_for(request.user, given["place"])
        armies = [self._army(pk, f"/armies/{nth}") for nth, pk in enumerate(given["armies"])]
        chief = given.get("chief") and self._army(given["chief"], "/chief")
        begun = services.begin_siege(by=request.user, place=place, armies=armies, chief=chief or None)
        return self._shown(queries.get_siege_for(request.user, begun.pk), 201)

    @extend_schema(
        request=SIEGE_COMMAND, parameters=[IF_MATCH], responses=SiegeSerializer, summary="Command in a siege"
    )
    @action(detail=True, methods=["post"], scope=Scope.PLAY)
    def commands(self, request: ApiRequest, pk: str) -> Response:
        siege = self.get_object()
        version = required_version(request)
        given = self.input(using=SiegeCommandInput)
        kind = given.pop("type")
        _refuse_strange(kind, given)
        if version != siege.version:
            raise sieges_services.SiegeMovedOn(siege.version)
        if kind == "join":
            army = self._army(given.get("army", ""), "/army")
            services.join_siege(by=request.user, siege=siege, army=army)
        else:
            SERVICES[kind](by=request.user, siege=siege, version=version, **_arguments(kind, given))
        return self._shown(self.get_object())

    def handle_exception(self, exc: Exception) -> Response:
        """Responses for a stale version (412) and for dice that must be typed first (409)."""
        match exc:
            case sieges_services.SiegeMovedOn():
                return _refused(412, render(exc.message), version=exc.version)
            case DiceNeeded():
                return _refused(
                    409, gettext("Enter these dice first."), kind=DICE_NEEDED, asks=[_asked(ask) for ask in exc.asks]
                )
        return super().handle_exception(exc)

    def _army(self, pk: Any, pointer: str) -> Army:
        with point_at(pointer):
            return get_army_run_by(self.request.user, pk)

    def _shown(self, row: SiegeRow, code: int = 200) -> Response:
        data = SiegeSerializer(queries.build_siege_page(self.request.user, row)).data
        return Response(data, status=code, headers={"ETag": f'"{row.version}"'})


def _asked(ask: Ask) -> dict[str, Any]:
    """`need`: the target of the roll, null for users who may not know it."""
    told = {"label": render(ROLLS[ask.name]), "need": render(ask.need) or None}
    return {"army": ask.army, "roll": ask.name, "die": ask.die, **told}


def _refused(code: int, detail: str, **members: Any) -> Response:
    response = build_problem(code, detail, **members)
    response.exception = True
    return response


def _refuse_strange(kind: str, given: Mapping[str, Any]) -> None:
    if kind not in MEMBERS:
        raise InvalidInput(say(_("Choose one of: {known}."), known=", ".join(MEMBERS)), "/type")
    for name in given:
        if name not in MEMBERS[kind]:
            raise InvalidInput(_("This field doesn’t belong to this command. Remove it."), f"/{name}")


def _arguments(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of the service."""
    if kind == "terms":
        dice = given.pop("dice", ())
        given["typed"] = [
            TypedDie(str(die["army"]), die["roll"], tuple(die["values"]), at=f"/dice/{place}/values")
            for place, die in enumerate(dice)
        ]
    if kind == "fought" and "outcome" not in given:
        raise InvalidInput(_("Choose how the battle ended."), "/outcome")
    return given

"""API of `armies/`, `commanders/` and `stores/` under mass combat, with the armies' orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django_filters import rest_framework as filters
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.pathfinder.api.inputs import (
    AssignInput,
    BuyInput,
    DisbandInput,
    PromoteInput,
    RestInput,
    TacticInput,
    TransferInput,
    disposals_named,
    find_commander,
    shares_named,
    stock_named,
)
from armies.pathfinder.api.serializers import (
    ArmySerializer,
    BoonInput,
    CommanderSerializer,
    DisbandingSerializer,
    OfferSerializer,
    RestedSerializer,
    StockSerializer,
)
from armies.pathfinder.armies.disband_services import disband_army, preview_disband
from armies.pathfinder.armies.market import market
from armies.pathfinder.armies.purchase_services import buy_resource, issue_from_stores
from armies.pathfinder.armies.resource_services import transfer_resource
from armies.pathfinder.armies.rest_services import rest_army
from armies.pathfinder.armies.services import forget_tactic, teach_tactic
from armies.pathfinder.commanders.command_services import assign_commander, promote_soldier, ransom_commander
from armies.pathfinder.commanders.services import learn_boon
from armies.pathfinder.forces.access import get_army_for, get_commander_for, stores_visible_to
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from core.api.filters import refuse_unknown
from core.api.problems import repoint
from core.api.serializers import NoInput
from kingdom.access.queries import require_gm
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiActions, ApiViewSet
from kingdom.approvals.serializers import document_approval
from kingdom.models import Scope
from rules.pathfinder.catalogue.resources import RESOURCES

# Armies and their orders.

DISBANDED = PolymorphicProxySerializer("Disbanded", [ArmySerializer, DisbandingSerializer], None)


class ArmyActions(ApiActions):
    # Orders besides those of every ruleset (`armies.api`).
    scope = Scope.MANAGE
    queryset = PathfinderArmy.objects.none()
    serializer_class = ArmySerializer
    filterset_class: type[FilterSet] | None = None  # only the list has filters

    def get_object(self) -> PathfinderArmy:
        return get_army_for(self.request.user, self.kwargs["pk"])

    def again(self, code: int = 200) -> Response:
        """Response with the army's present state."""
        return self.drawn(self.get_object(), code)

    @extend_schema(
        methods=["GET"], responses=OfferSerializer(many=True), summary="What it may buy, and what is missing"
    )
    @extend_schema(
        methods=["POST"],
        request=BuyInput,
        responses=document_approval(ArmySerializer, 201),
        summary="Buy a resource, or issue one",
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None, pagination_class=None)
    def resources(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        if request.method != "POST":  # HEAD, too
            refuse_unknown(request, set())
            return Response(OfferSerializer(market(army), many=True).data)
        given = self.input(using=BuyInput)
        if "stock" in given:
            stock = stock_named(request.user, army, given["stock"])
            issue_from_stores(by=request.user, army=army, stock=stock, quantity=given.get("quantity", 1))
        else:
            buy_resource(by=request.user, army=army, **given)
        return self.again(201)

    @extend_schema(
        request=TransferInput, responses=document_approval(ArmySerializer), summary="Hand a resource to other armies"
    )
    @action(detail=True, methods=["post"])
    def transfer(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=TransferInput)
        shares = shares_named(request.user, army, given["to"], "/to")
        with repoint(_quantities(given["to"]), "/quantity"):
            transfer_resource(by=request.user, army=army, resource=given["resource"], to=shares)
        return self.again()

    @extend_schema(
        request=AssignInput, responses=document_approval(ArmySerializer), summary="Give or take away the command"
    )
    @action(detail=True, methods=["post"])
    def assign(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=AssignInput)
        commander = find_commander(request.user, army.campaign_id, given["commander"])
        assign_commander(by=request.user, army=army, commander=commander)
        return self.again()

    @extend_schema(
        request=PromoteInput, responses=document_approval(ArmySerializer, 201), summary="Promote a soldier to command"
    )
    @action(detail=True, methods=["post"])
    def promote(self, request: ApiRequest, pk: str) -> Response:
        promote_soldier(by=request.user, army=self.ordered(), **self.input(using=PromoteInput))
        return self.again(201)

    @extend_schema(request=TacticInput, responses={201: ArmySerializer}, summary="Learn or grant a tactic (GM)")
    @action(detail=True, methods=["post"])
    def tactics(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        require_gm(request.user, army.campaign)
        teach_tactic(by=request.user, army=army, **self.input(using=TacticInput))
        return self.again(201)

    @extend_schema(
        responses=document_approval(ArmySerializer),
        summary="Forget a tactic",
        parameters=[OpenApiParameter("tactic", str, OpenApiParameter.PATH)],
    )
    @action(detail=True, methods=["delete"], url_path="tactics/(?P<tactic>[a-z-]+)", url_name="tactic")
    def forget(self, request: ApiRequest, pk: str, tactic: str) -> Response:
        forget_tactic(by=request.user, army=self.ordered(), tactic=tactic)
        return self.again()

    @extend_schema(request=RestInput, responses=document_approval(RestedSerializer), summary="Rest a day")
    @action(detail=True, methods=["post"])
    def rest(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=RestInput)
        rested = rest_army(by=request.user, army=army, rally=given["loyalty_check"], dice=given.get("dice"))
        return Response(RestedSerializer(rested).data)

    @extend_schema(
        request=DisbandInput, responses=document_approval(DISBANDED), summary="Disband, or say what that would do"
    )
    @action(detail=True, methods=["post"])
    def disband(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=DisbandInput)
        choices = disposals_named(request.user, army, given.get("resources", []))
        if not given["confirm"]:
            return Response(DisbandingSerializer(preview_disband(army=army, choices=choices)).data)
        disband_army(by=request.user, army=army, choices=choices)
        return self.again()


def _quantities(to: Sequence[Mapping[str, Any]]) -> str:
    """Pointer to the quantity: that of the single receiver, else the list of receivers."""
    if len(to) != 1:
        return "/to"
    return "/to/0/quantity" if "quantity" in to[0] else "/to/0"


# Commanders and stores.


class CommanderActions(ApiActions):
    # Orders besides those of every ruleset (`armies.api`).
    scope = Scope.MANAGE
    queryset = PathfinderCommander.objects.none()
    serializer_class = CommanderSerializer

    def get_object(self) -> PathfinderCommander:
        return get_commander_for(self.request.user, self.kwargs["pk"])

    @extend_schema(request=BoonInput, responses=document_approval(CommanderSerializer, 201), summary="Learn a boon")
    @action(detail=True, methods=["post"])
    def boons(self, request: ApiRequest, pk: str) -> Response:
        commander, given = self.ordered(), self.input(using=BoonInput)
        learn_boon(by=request.user, commander=commander, **given)
        return self.drawn(self.get_object(), 201)

    @extend_schema(
        request=None,
        responses=document_approval(CommanderSerializer),
        summary="Pay a captive's ransom from the treasury",
    )
    @action(detail=True, methods=["post"])
    def ransom(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        self.input(NoInput)
        ransom_commander(by=request.user, commander=commander)
        return self.drawn(self.get_object())


class StockFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    kingdom = filters.UUIDFilter(field_name="kingdom")
    resource = filters.ChoiceFilter(choices=[(slug, item.name) for slug, item in RESOURCES.items()])


@extend_schema_view(
    list=extend_schema(summary="What your kingdoms keep in store"),
    retrieve=extend_schema(summary="A resource in store"),
)
class StockViewSet(ApiViewSet):
    scope = Scope.MANAGE
    queryset = KingdomStock.objects.none()
    serializer_class = StockSerializer
    filterset_class = StockFilter

    def get_queryset(self) -> Any:
        return stores_visible_to(self.request.user)

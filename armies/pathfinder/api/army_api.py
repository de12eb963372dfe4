"""API of `armies/`, `commanders/` and `stores/` under mass combat, with the armies' orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django_filters import rest_framework as filters
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.forces.declared_figures import copy_raised
from armies.pathfinder.api.inputs import (
    ArmyChange,
    ArmyInput,
    AssignInput,
    BuyInput,
    DisbandInput,
    PathfinderMarchInput,
    PromoteInput,
    RestInput,
    TacticInput,
    TransferInput,
    disposals_named,
    find_commander,
    shares_named,
    stock_named,
)
from armies.pathfinder.api.reform_api import ReformActions, ReformedSerializer, ReformInput, answer_reform
from armies.pathfinder.api.serializers import (
    ArmySerializer,
    BoonInput,
    CommanderChange,
    CommanderInput,
    CommanderSerializer,
    DisbandingSerializer,
    MarchSerializer,
    OfferSerializer,
    RestedSerializer,
    StockSerializer,
)
from armies.pathfinder.armies.march_services import march_army, reckon_march, rest_army
from armies.pathfinder.armies.queries import market
from armies.pathfinder.armies.resource_services import transfer_resource
from armies.pathfinder.armies.services import change_army, forget_tactic, raise_armies, raise_army, teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource, disband_army, issue_from_stores, preview_disband
from armies.pathfinder.commanders.command_services import assign_commander, promote_soldier, ransom_commander
from armies.pathfinder.commanders.services import appoint_commander, learn_boon, remove_commander, update_commander
from armies.pathfinder.forces.access import get_army_for, get_commander_for, stores_visible_to
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from core.api.problems import repoint
from core.api.serializers import NoInput, refuse_unknown
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import require_gm
from kingdom.api.base_views import ApiActions, ApiViewSet, TellsChanges
from kingdom.approvals.serializers import document_approval
from kingdom.chronicle.last_changes import load_updated
from kingdom.models import Kingdom, Scope, User
from rules.army_law import CORRECTABLE, names_of
from rules.pathfinder.catalogue.tactics import RESOURCES
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

# Armies and their orders.

DISBANDED = PolymorphicProxySerializer("Disbanded", [ArmySerializer, DisbandingSerializer], None)


class ArmyActions(TellsChanges, ReformActions):
    # Orders besides those of every ruleset (`armies.api`).
    tracked = "army"
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
        load_updated("army", request.user, [rested.army])
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


class CommanderActions(TellsChanges, ApiActions):
    # Orders besides those of every ruleset (`armies.api`).
    tracked = "commander"
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


# Mass combat's part of `armies/` and `commanders/`.

STATE = names_of(MASS_COMBAT_FIGURES, CORRECTABLE)


class PathfinderApi:
    army_shape = ArmySerializer
    army_input = ArmyInput
    army_change = ArmyChange
    commander_shape = CommanderSerializer
    commander_input = CommanderInput
    commander_change = CommanderChange
    march_input = PathfinderMarchInput
    marched = (ArmySerializer, MarchSerializer)
    reform_input = ReformInput
    reformed = ReformedSerializer
    reform = staticmethod(answer_reform)

    def march_by_road(self, by: User, army: PathfinderArmy, given: dict[str, Any]) -> Any:
        road = Road(given["hexes"], given["difficult_hexes"], given["land"])
        if not given["confirm"]:
            return MarchSerializer(reckon_march(army=army, road=road)).data
        march_army(by=by, army=army, place=given["place"], road=road)
        return None

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderArmy:
        given["commander"] = find_commander(by, kingdom.campaign_id, given.get("commander"))
        return raise_army(by=by, kingdom=kingdom, **given)

    def raise_armies(
        self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]
    ) -> Sequence[PathfinderArmy]:
        given.pop("name", None)
        given["commander"] = find_commander(by, kingdom.campaign_id, given.get("commander"))
        return raise_armies(by=by, kingdom=kingdom, names=list(names), **given)

    def alike(self, army: PathfinderArmy) -> dict[str, Any]:
        sheet = {name: army.sheet[name] for name in ("unit", "count", "mount") if army.sheet.get(name) is not None}
        return {**sheet, **copy_raised(army, MASS_COMBAT_FIGURES)}

    def change_army(self, by: User, army: PathfinderArmy, given: dict[str, Any]) -> None:
        state = {name: given.pop(name) for name in STATE if name in given}
        if "commander" in given:
            given["commander"] = find_commander(by, army.campaign_id, given["commander"])
        change_army(by=by, army=army, state=state, **given)

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderCommander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: PathfinderCommander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)

    def remove_commander(self, by: User, commander: PathfinderCommander) -> None:
        remove_commander(by=by, commander=commander)

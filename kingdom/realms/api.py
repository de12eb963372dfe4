"""API of `kingdoms/` and `settlements/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from core.api.concurrency import BySeq
from core.api.problems import point_at
from core.api.serializers import refuse_unknown
from core.clean_input import clean_slug, parse_whole
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import (
    get_campaign_for,
    get_kingdom_for,
    get_settlement_for,
    reads_kingdom,
    require_gm,
    require_runs,
    share_campaigns,
)
from kingdom.api import fields
from kingdom.api.base_views import ApiViewSet, ChangedFilter, TellsChanges, validate_body
from kingdom.approvals.serializers import document_approval
from kingdom.campaign.queries import kingdoms_of, ledger_filtered, settlements_of
from kingdom.campaign.serializers import (
    CheckInput,
    CheckSerializer,
    KingdomInput,
    KingdomPatch,
    KingdomSerializer,
    LedgerInput,
    LedgerSerializer,
    PlannedInput,
    PlannedSerializer,
    SettlementChange,
    SettlementInput,
    SettlementSerializer,
)
from kingdom.models import Campaign, Kingdom, LedgerEntry, Scope, Settlement
from kingdom.realms.check_services import roll_check
from kingdom.realms.planned_services import change_line, plan_line, strike_line
from kingdom.realms.services import (
    dissolve_kingdom,
    found_kingdom,
    found_settlement,
    raze_settlement,
    update_kingdom,
    update_settlement,
)
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import demand
from rules.core.text import _

LEDGER_FILTERS = {"source": LedgerEntry.Origin.values, "direction": ["in", "out"]}
LEDGER_DAYS = {"since": "From this day on.", "until": "Up to this day."}


class KingdomFilter(ChangedFilter):
    tracked = "kingdom"


@extend_schema_view(
    list=extend_schema(summary="Kingdoms of your campaigns"),
    retrieve=extend_schema(summary="A kingdom"),
)
class KingdomViewSet(TellsChanges, ApiViewSet):
    tracked = "kingdom"
    scope = Scope.MANAGE
    queryset = Kingdom.objects.none()
    serializer_class = KingdomSerializer
    input_class = KingdomInput
    filterset_class = KingdomFilter

    def get_queryset(self) -> Any:
        return kingdoms_of(self.request.user)

    def list(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return self.answer_list(self.filter_queryset(self.get_queryset()), self._draw)

    def _draw(self, page: Sequence[Kingdom], **options: Any) -> Any:
        share_campaigns(page)
        return self.get_serializer(page, **options)

    def get_object(self) -> Kingdom:
        return get_kingdom_for(self.request.user, self.kwargs["pk"])

    @extend_schema(request=KingdomInput, responses={201: KingdomSerializer}, summary="Found a kingdom")
    def create(self, request: ApiRequest) -> Response:
        given = self.input()
        with point_at("/campaign"):
            campaign = get_campaign_for(request.user, given.pop("campaign"))
        require_gm(request.user, campaign)
        kingdom = found_kingdom(by=request.user, campaign=campaign, **_with_players(campaign, given))
        return self.drawn(kingdom, 201)

    @extend_schema(
        request=KingdomPatch(partial=True), responses=document_approval(KingdomSerializer), summary="Change a kingdom"
    )
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        kingdom = self.get_object()
        require_runs(request.user, kingdom)
        self.refuse_stale(kingdom)
        given = _with_players(kingdom.campaign, self.change_of(kingdom, KingdomPatch))
        _refuse_treasury(kingdom, given)
        return self.drawn(update_kingdom(by=request.user, kingdom=kingdom, **given))

    @extend_schema(responses={204: None}, summary="Dissolve a kingdom; undoing its entry brings it back")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        kingdom = self.get_object()
        self.refuse_stale(kingdom)
        dissolve_kingdom(by=request.user, kingdom=kingdom)
        return Response(status=204)

    @extend_schema(
        methods=["GET"],
        parameters=[
            *(OpenApiParameter(name, str, enum=known) for name, known in LEDGER_FILTERS.items()),
            *(OpenApiParameter(name, int, description=said) for name, said in LEDGER_DAYS.items()),
        ],
        responses=LedgerSerializer(many=True),
        summary="The treasury, entry by entry",
    )
    @extend_schema(
        methods=["POST"],
        request=LedgerInput,
        responses=document_approval(LedgerSerializer, 201),
        summary="Record BP gained or paid",
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None)
    def ledger(self, request: ApiRequest, pk: str) -> Response:
        kingdom = self.get_object()
        if request.method == "POST":
            require_runs(request.user, kingdom)
            entry = record_entry(by=request.user, kingdom=kingdom, **self.input(using=LedgerInput))
            return Response(LedgerSerializer(entry).data, status=201)
        if not reads_kingdom(request.user, kingdom):
            raise Http404
        entries = ledger_filtered(kingdom, **_ledger_filters(request), **_days(request))
        known = (*LEDGER_FILTERS, *LEDGER_DAYS)
        return self.answer_sublist(entries.order_by("seq"), LedgerSerializer, BySeq, known=known)

    @extend_schema(methods=["GET"], responses=PlannedSerializer(many=True), summary="Planned income and costs")
    @extend_schema(
        methods=["POST"],
        request=PlannedInput,
        responses=document_approval(PlannedSerializer, 201),
        summary="Plan a line",
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None, pagination_class=None)
    def planned(self, request: ApiRequest, pk: str) -> Response:
        kingdom = self.get_object()
        if request.method == "POST":
            require_runs(request.user, kingdom)
            line = plan_line(by=request.user, kingdom=kingdom, **self.input(using=PlannedInput))
            return Response(PlannedSerializer(line).data, status=201)
        if not reads_kingdom(request.user, kingdom):
            raise Http404
        refuse_unknown(request, set())
        return Response(PlannedSerializer(kingdom.planned_lines, many=True).data)

    @extend_schema(
        methods=["PATCH"], request=PlannedInput(partial=True), responses=document_approval(PlannedSerializer),
        summary="Plan a line otherwise",
    )  # fmt: skip
    @extend_schema(
        methods=["DELETE"], request=None, responses=document_approval(None, 204), summary="Strike a planned line"
    )
    @extend_schema(parameters=[OpenApiParameter("line", str, OpenApiParameter.PATH)])
    @action(detail=True, methods=["patch", "delete"], url_path="planned/(?P<line>[^/.]+)", url_name="planned-line")
    def planned_line(self, request: ApiRequest, pk: str, line: str) -> Response:
        kingdom = self.get_object()
        require_runs(request.user, kingdom)
        if request.method == "DELETE":
            strike_line(by=request.user, kingdom=kingdom, line=line)
            return Response(status=204)
        given = validate_body(PlannedInput(data=request.data, partial=True))
        return Response(PlannedSerializer(change_line(by=request.user, kingdom=kingdom, line=line, **given)).data)

    @extend_schema(request=CheckInput, responses=CheckSerializer, summary="Roll a kingdom check")
    @action(detail=True, methods=["post"], scope=Scope.PLAY)
    def check(self, request: ApiRequest, pk: str) -> Response:
        kingdom = self.get_object()
        require_runs(request.user, kingdom)
        result = roll_check(by=request.user, kingdom=kingdom, **self.input(using=CheckInput))
        return Response(CheckSerializer(result).data)


def _ledger_filters(request: ApiRequest) -> dict[str, Any]:
    given = {name: request.query_params[name] for name in LEDGER_FILTERS if name in request.query_params}
    return {name: clean_slug(value, field=f"/{name}", among=LEDGER_FILTERS[name]) for name, value in given.items()}


def _days(request: ApiRequest) -> dict[str, Any]:
    return {name: _day(name, request.query_params[name]) for name in LEDGER_DAYS if name in request.query_params}


def _day(name: str, given: str) -> int:
    found = parse_whole(given)
    demand(found is not None, _("Enter a whole number."), field=f"/{name}")
    return found or 0


def _with_players(campaign: Campaign, given: dict[str, Any]) -> dict[str, Any]:
    """Return the body with usernames replaced by members. Raises `InvalidInput`."""
    if "players" not in given:
        return given
    return {**given, "players": fields.members(campaign, given["players"], "/players")}


def _refuse_treasury(kingdom: Kingdom, given: dict[str, Any]) -> None:
    demand(
        given.pop("treasury", kingdom.treasury) == kingdom.treasury,
        _("The treasury is the sum of its ledger. Add a ledger entry instead."),
        field="/treasury",
    )


class SettlementFilter(ChangedFilter):
    tracked = "settlement"
    kingdom = filters.UUIDFilter(field_name="kingdom")


@extend_schema_view(
    list=extend_schema(summary="Settlements you may read"),
    retrieve=extend_schema(summary="A settlement"),
)
class SettlementViewSet(TellsChanges, ApiViewSet):
    tracked = "settlement"
    scope = Scope.MANAGE
    queryset = Settlement.objects.none()
    serializer_class = SettlementSerializer
    input_class = SettlementInput
    filterset_class = SettlementFilter

    def get_queryset(self) -> Any:
        return settlements_of(self.request.user)

    def get_object(self) -> Settlement:
        return get_settlement_for(self.request.user, self.kwargs["pk"])

    @extend_schema(
        request=SettlementInput, responses=document_approval(SettlementSerializer, 201), summary="Found a settlement"
    )
    def create(self, request: ApiRequest) -> Response:
        given = self.input()
        with point_at("/kingdom"):
            kingdom = get_kingdom_for(request.user, given.pop("kingdom"))
        return self.drawn(found_settlement(by=request.user, kingdom=kingdom, **given), 201)

    @extend_schema(
        request=SettlementChange(partial=True),
        responses=document_approval(SettlementSerializer),
        summary="Change a settlement",
    )
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        settlement = self.get_object()
        self.refuse_stale(settlement)
        given = self.change_of(settlement, SettlementChange)
        return self.drawn(update_settlement(by=request.user, settlement=settlement, **given))

    @extend_schema(responses=document_approval(None, 204), summary="Strike a settlement from the map")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        settlement = self.get_object()
        self.refuse_stale(settlement)
        raze_settlement(by=request.user, settlement=settlement)
        return Response(status=204)

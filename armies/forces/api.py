"""API of `armies/` and `commanders/` under any ruleset, which the ruleset's `ArmyApi` completes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any
from uuid import UUID

from django_filters import rest_framework as filters
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from armies.adjustments.queries import require_adjustable
from armies.adjustments.serializers import ADJUSTMENT, ENDS, AdjustmentInput
from armies.adjustments.services import adjust_army, end_adjustment
from armies.forces.access import (
    get_army_for,
    get_commander_for,
    list_army_names,
    list_visible_armies,
    list_visible_commanders,
)
from armies.forces.services import SEVERAL_MOST, remove_army
from armies.map.visibility import annotate_last_seen
from armies.marches.api import DAYS, REACH_DAYS, MarchingShape, MarchShape, march_shape, marching_shape
from armies.marches.queries import build_traveller, on_the_map, path_of
from armies.marches.services import halt_army, march_along
from armies.models import Army, Commander
from armies.ruleset_ui import ArmyUI, get_army_ui, list_army_uis
from core.api.concurrency import require_mark
from core.api.problems import point_at
from core.api.serializers import Input, NoInput, choose_shape, lists_of, refuse_unknown
from core.clean_input import NAME_MAX, parse_whole
from core.errors import NotInRuleset
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_kingdom_for, require_runs
from kingdom.api.base_views import ApiViewSet, ChangedFilter, validate_body
from kingdom.api.fields import NameField
from kingdom.approvals.serializers import document_approval
from kingdom.chronicle.last_changes import load_updated
from kingdom.models import Kingdom, Scope
from kingdom.onboarding import checklist
from rules.core.errors import demand
from rules.core.text import _


def combine_rulesets(name: str, member: str) -> Any:
    """Polymorphic shape for the OpenAPI document: one schema for each ruleset family, or the only one itself. `member`:
    attribute of `ArmyApi`.
    """
    return choose_shape(f"Any{name}", {ui.family: getattr(ui.api, member) for ui in list_army_uis()})


class ByLaw[Row: Army | Commander](ApiViewSet):
    """Endpoint whose rows and bodies have the shapes of their campaign's ruleset.

    `part`: "army" or "commander", the prefix of the members of `ArmyUI` and `ArmyApi`.
    """

    part: str

    def in_their_law(self, rows: Sequence[Row]) -> list[Row]:
        """Convert rows to instances of their rulesets' models, in the same order. Access was checked for these rows."""
        by_ui: dict[ArmyUI, list[UUID]] = defaultdict(list)
        for row in rows:
            by_ui[get_army_ui(row.campaign)].append(row.pk)
        found: dict[UUID, Row] = {row.pk: row for row in rows}
        for ui, ids in by_ui.items():
            kind = getattr(ui, self.part)
            if not isinstance(found[ids[0]], kind):
                found.update({row.pk: row for row in kind.objects.filter(pk__in=ids).complete()})
        return [found[row.pk] for row in rows]

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        return page if page is None else self.in_their_law(page)

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        if not rows:
            return super().get_serializer(**options)  # for the OpenAPI document
        load_updated(self.part, self.request.user, rows[0] if many else rows)
        return _Drawn([self._drawn_row(row) for row in rows[0]] if many else self._drawn_row(rows[0]))

    def _drawn_row(self, row: Row) -> Any:
        ui = get_army_ui(row.campaign)
        if ui not in self._shapes:
            self._shapes[ui] = getattr(ui.api, f"{self.part}_shape")()
        return self._shapes[ui].to_representation(row)

    @cached_property
    def _shapes(self) -> dict[ArmyUI, Any]:
        """One serializer a ruleset, for all rows of an answer: each builds its fields anew."""
        return {}

    def kingdom_named(self) -> Kingdom:
        """The kingdom in the body, if the user runs it. A body without one is refused by the first ruleset's
        serializer.
        """
        body = self.request.data
        named = body.get("kingdom") if isinstance(body, Mapping) else None
        try:
            wanted = serializers.UUIDField().run_validation(named)
        except ValidationError:
            validate_body(getattr(list_army_uis()[0].api, f"{self.part}_input")(data=body))
            raise
        with point_at("/kingdom"):
            kingdom = get_kingdom_for(self.request.user, wanted)
        require_runs(self.request.user, kingdom)
        return kingdom

    def given_for(self, kingdom: Kingdom) -> dict[str, Any]:
        """The validated body of a new row, in the shape of the kingdom's ruleset."""
        given = self.input(using=getattr(get_army_ui(kingdom.campaign).api, f"{self.part}_input"))
        given.pop("kingdom")
        return given


class _Drawn:
    """Stands in for a serializer: its `data` is ready."""

    def __init__(self, data: Any):
        self.data = data


# Several armies raised at once, under any ruleset.


TOLD = "As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first."


class DuplicateInput(Input):
    """`name`: the first name, from which the others are numbered; by default the army's own."""

    copies = serializers.IntegerField(min_value=1, max_value=SEVERAL_MOST, required=False, default=1)
    name = NameField(max_length=NAME_MAX, required=False)


def several_input(ui: ArmyUI) -> Any:
    """The ruleset's input of a new army, with a number of copies."""
    return _several(ui.api.army_input)


@cache
def _several(base: Any) -> Any:
    copies = serializers.IntegerField(min_value=1, max_value=SEVERAL_MOST)
    return type(f"Several{base.__name__}", (base,), {"__doc__": TOLD, "__module__": __name__, "copies": copies})


def several_of_every_law() -> Any:
    """Polymorphic shape for the OpenAPI document."""
    return choose_shape("AnySeveralArmiesInput", {ui.family: several_input(ui) for ui in list_army_uis()})


SHAPE, INPUT, CHANGE = (
    combine_rulesets(name, member)
    for name, member in (("Army", "army_shape"), ("ArmyInput", "army_input"), ("ArmyChange", "army_change"))
)
SHAPES = lists_of(SHAPE)


MARCH = combine_rulesets("MarchInput", "march_input")
MARCHED = PolymorphicProxySerializer(
    "Marched", [MarchShape, *dict.fromkeys(shape for ui in list_army_uis() for shape in ui.api.marched)], None
)


def combine_reforming(name: str, member: str) -> Any:
    """Polymorphic shape of the rulesets that divide and combine armies."""
    return choose_shape(f"Any{name}", {ui.family: getattr(ui.api, member) for ui in list_army_uis() if ui.reforms})


REFORM, REFORMED = combine_reforming("ReformInput", "reform_input"), combine_reforming("Reformed", "reformed")


class ArmyFilter(ChangedFilter):
    tracked = "army"
    kingdom = filters.UUIDFilter(field_name="kingdom")
    status = filters.ChoiceFilter(choices=Army.Status.choices)


@extend_schema_view(
    list=extend_schema(responses=SHAPE, summary="Armies whose sheet you may read"),
    retrieve=extend_schema(responses=SHAPE, summary="An army with its derived figures"),
)
class ArmyViewSet(ByLaw[Army]):
    scope = Scope.MANAGE
    queryset = Army.objects.none()
    serializer_class = SHAPE
    filterset_class = ArmyFilter
    part = "army"

    def get_queryset(self) -> Any:
        return list_visible_armies(self.request.user)

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        annotate_last_seen(self.request.user, *(rows[0] if rows and many else rows))
        return super().get_serializer(*rows, many=many, **options)

    def get_object(self) -> Army:
        return self.in_their_law([get_army_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(request=INPUT, responses=document_approval(SHAPE, 201), summary="Raise an army")
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        army = get_army_ui(kingdom.campaign).api.raise_army(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = army.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(
        request=several_of_every_law(), responses=document_approval(SHAPES, 201), summary="Raise several armies"
    )
    @action(detail=False, methods=["post"], filterset_class=None, pagination_class=None)
    def several(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        ui = get_army_ui(kingdom.campaign)
        given = self.input(using=several_input(ui))
        given.pop("kingdom")
        return self._raised(kingdom, given.pop("name"), given.pop("copies"), given)

    @extend_schema(request=DuplicateInput, responses=document_approval(SHAPES, 201), summary="Raise more like it")
    @action(detail=True, methods=["post"], filterset_class=None, pagination_class=None)
    def duplicate(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        given = self.input(using=DuplicateInput)
        alike = get_army_ui(army.campaign).api.alike(army)
        return self._raised(army.kingdom, given.get("name") or army.name, given["copies"], alike)

    def _raised(self, kingdom: Kingdom, name: str, copies: int, given: dict[str, Any]) -> Response:
        names = checklist.number_names(name, copies, list_army_names(kingdom))
        made = get_army_ui(kingdom.campaign).api.raise_armies(self.request.user, kingdom, names, given)
        found = {row.pk: row for row in self.get_queryset().filter(pk__in=[army.pk for army in made])}
        rows = self.in_their_law([found[army.pk] for army in made])
        return Response(self.get_serializer(rows, many=True).data, status=201)

    @extend_schema(request=CHANGE, responses=document_approval(SHAPE), summary="Change an army")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        api = get_army_ui(army.campaign).api
        api.change_army(request.user, army, self.change_of(army, api.army_change))
        return self.drawn(self.get_object())

    @extend_schema(
        methods=["GET"], parameters=[DAYS], responses=MarchingShape, summary="The way it is on, and what it can reach"
    )
    @extend_schema(
        methods=["POST"],
        request=MARCH,
        responses=document_approval(MARCHED),
        summary="Set out, or say what a march would be",
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None, pagination_class=None)
    def march(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        if request.method != "POST":  # HEAD, too
            return Response(marching_shape(army, on_the_map(request.user, army), self._days()))
        api = get_army_ui(army.campaign).api
        given = self.input(using=api.march_input)
        if not {"path", "to"} & given.keys():
            return self._by_road(api.march_by_road(request.user, army, given))
        manner = given.get("manner", [])
        who = build_traveller(request.user, army)
        found = who.along(given["path"], manner) if "path" in given else who.to(given["to"], manner)
        if given["confirm"]:
            march_along(by=request.user, army=army, path=path_of(found), manner=manner)
        return Response(march_shape(found, army.campaign.day))

    def _by_road(self, reckoned: Any) -> Response:
        """The ruleset's answer for a march by road, without a map. None stands for an army that has set out."""
        return self.drawn(self.get_object()) if reckoned is None else Response(reckoned)

    def _days(self) -> int:
        refuse_unknown(self.request, {"days"})
        days = parse_whole(self.request.query_params.get("days", "1"))
        demand(days and days <= REACH_DAYS, _("Enter {least} to {most} days."), field="/days", least=1, most=REACH_DAYS)
        return days or 1

    @extend_schema(request=None, responses=document_approval(SHAPE), summary="Halt where it stands today")
    @action(detail=True, methods=["post"])
    def halt(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        halt_army(by=request.user, army=self.ordered())
        return self.drawn(self.get_object())

    @extend_schema(
        request=REFORM,
        responses=document_approval(REFORMED),
        summary="Divide, combine or even out armies, or say what that would do",
    )
    @action(detail=True, methods=["post"])
    def reform(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        ui = get_army_ui(army.campaign)
        if not ui.reforms or ui.api.reform_input is None:
            raise NotInRuleset(army.campaign.ruleset)
        given = self.input(using=ui.api.reform_input)
        seen = require_mark(request, given["mark"]) if given["confirm"] else None
        return _answer(*ui.api.reform(request.user, army, given, seen))

    @extend_schema(request=AdjustmentInput, responses={201: SHAPE}, summary="Adjust a figure (GM)")
    @action(detail=True, methods=["post"], filterset_class=None, pagination_class=None)
    def adjustments(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        require_adjustable(request.user, army)
        adjust_army(by=request.user, army=army, **self.input(using=AdjustmentInput))
        return self.drawn(self.get_object(), 201)

    @extend_schema(responses=SHAPE, summary="End an adjustment (GM)", parameters=[ADJUSTMENT])
    @action(detail=True, methods=["delete"], url_path=ENDS, filterset_class=None, pagination_class=None)
    def adjustment(self, request: ApiRequest, pk: str, adjustment: str) -> Response:
        end_adjustment(by=request.user, army=self.ordered(), adjustment=adjustment)
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike an army that no battle remembers")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        remove_army(by=request.user, army=self.ordered())
        return Response(status=204)


def _answer(body: dict[str, Any], mark: str) -> Response:
    response = Response(body)
    response["ETag"] = f'"{mark}"'
    return response


# API of `commanders/` under any ruleset.


COMMANDER_SHAPE, COMMANDER_INPUT, CHANGE_COMMANDER = (
    combine_rulesets(name, member)
    for name, member in (
        ("Commander", "commander_shape"),
        ("CommanderInput", "commander_input"),
        ("CommanderChange", "commander_change"),
    )
)


class CommanderFilter(ChangedFilter):
    tracked = "commander"
    kingdom = filters.UUIDFilter(field_name="kingdom")
    status = filters.ChoiceFilter(choices=Commander.Status.choices)


@extend_schema_view(
    list=extend_schema(responses=COMMANDER_SHAPE, summary="Commanders you may read"),
    retrieve=extend_schema(responses=COMMANDER_SHAPE, summary="A commander with his derived figures"),
)
class CommanderViewSet(ByLaw[Commander]):
    scope = Scope.MANAGE
    queryset = Commander.objects.none()
    serializer_class = COMMANDER_SHAPE
    filterset_class = CommanderFilter
    part = "commander"

    def get_queryset(self) -> Any:
        return list_visible_commanders(self.request.user)

    def get_object(self) -> Commander:
        return self.in_their_law([get_commander_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(
        request=COMMANDER_INPUT, responses=document_approval(COMMANDER_SHAPE, 201), summary="Appoint a commander"
    )
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        found = get_army_ui(kingdom.campaign).api.appoint_commander(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = found.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(request=CHANGE_COMMANDER, responses=document_approval(COMMANDER_SHAPE), summary="Change a commander")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        api = get_army_ui(commander.campaign).api
        api.change_commander(request.user, commander, self.change_of(commander, api.commander_change))
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike a commander from the rolls (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        get_army_ui(commander.campaign).api.remove_commander(request.user, commander)
        return Response(status=204)

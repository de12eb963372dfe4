"""API of `battles/` and everything below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from battles.api.forecast_api import ANSWERS, Patient, answered
from battles.api.serializers import (
    AnswerSerializer,
    BattleFrame,
    BattleInput,
    BattleLineSerializer,
    BattleSerializer,
    CommandInput,
    DiceNeededSerializer,
    EventPageSerializer,
    EventSerializer,
    HaltSerializer,
    ProposalSerializer,
    ReplaySerializer,
    asks_of,
    follows_of,
)
from battles.api.serializers.forecast_shapes import ForecastInput
from battles.codec.forecasts import parse_forecast_request
from battles.codec.requests import request_of
from battles.field.table import figures_now
from battles.forecast.queries import load_foreseen
from battles.forecast.services import foretell
from battles.log.branch_services import throw_branch_away
from battles.log.queries import LogLine, add_commander_names, check_replay, log_of, tell_lines
from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn, UnknownArmy
from battles.play.event_log import read_of
from battles.play.services import Played, play, remind_awaited
from battles.queries import get_battle_alone, get_viewer, list_battles, list_changed_since, with_last_changes
from battles.ruleset_ui import get_battle_ui
from battles.setup.page import is_your_turn
from battles.setup.queries import find_dice_words, look_at
from battles.setup.services import open_battle
from core.api.concurrency import LIMITED, Cursor, answer_conditionally, required_version
from core.api.problems import DICE_NEEDED, build_problem, point_at
from core.api.problems import IfMatchFailed as Stale
from core.api.serializers import NoInput, is_asked, read_moment, refuse_unknown, serialize
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView, ApiViewSet, validate_body
from kingdom.models import Scope
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal, demand
from rules.core.text import _
from rules.law import Legal, Pending, Selection, Summary, Viewer

PICKED_MOST = 20
PICK = OpenApiParameter(
    "pick",
    str,
    many=True,
    description=(
        "what you have picked so far, in order; laws that go step by step answer by it. On a board: the unit, the hex"
        " it goes to, the target, each empty where it is not picked, then acts by their ids: `?pick=<unit>&pick=F7`."
    ),
)
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True, description="the version you saw")
AFTER = OpenApiParameter("after", OpenApiTypes.INT, description="only events with a higher number")
UNDONE = OpenApiParameter("undone", OpenApiTypes.BOOL, description="with what was taken back since: true or false")
LIMIT = OpenApiParameter("limit", LIMITED, description="how many to answer: 1 to 200. Only the last page is shorter")


class BattleFilter(filters.FilterSet):
    campaign = filters.UUIDFilter()
    changed_since = filters.IsoDateTimeFilter(method="filter_changed")
    army = filters.UUIDFilter(field_name="seats__army")

    class Meta:
        model = Battle
        fields = ("campaign", "status", "army")

    def filter_changed(self, rows: QuerySet[Any], name: str, _value: Any) -> QuerySet[Any]:
        moment = read_moment(self.request, name)
        return rows if moment is None else list_changed_since(rows, moment)


AFTERMATH = "aftermath"  # type of the command


class BattleShown(NamedTuple):
    """A battle at a glance and what its reader may do, for `BattleFrame`."""

    battle: Battle
    summary: Summary
    legal: Legal
    pending: tuple[Pending, ...]
    your_turn: bool


@extend_schema_view(list=extend_schema(responses=BattleLineSerializer(many=True), summary="Battles of your campaigns"))
class BattleViewSet(Patient, ApiViewSet):
    scope = Scope.MANAGE
    queryset = Battle.objects.none()
    serializer_class = BattleLineSerializer
    filterset_class = BattleFilter

    def get_queryset(self) -> Any:
        return with_last_changes(list_battles(self.request.user))

    def paginate_queryset(self, queryset: Any) -> Any:
        return look_at(super().paginate_queryset(queryset) or (), self.request.user)

    def get_object(self) -> Battle:
        return get_battle_alone(self.request.user, self.kwargs["pk"])

    @extend_schema(parameters=[PICK], responses=BattleSerializer, summary="A battle, as far as you may see it")
    def retrieve(self, request: ApiRequest, pk: str) -> Response:
        battle = self.get_object()
        picked = tuple(request.query_params.getlist("pick")[:PICKED_MOST])
        return answer_conditionally(request, self._drawn(battle, play_battle_state.load_state(battle), picked=picked))

    @extend_schema(request=BattleInput, responses={201: BattleSerializer}, summary="Open a battle (GM)")
    def create(self, request: ApiRequest) -> Response:
        body = _object(request.data)
        demand("campaign" in body, _("This is missing. Send a value."), field="/campaign")
        with point_at("/campaign"):
            campaign = get_campaign_for(request.user, str(body.pop("campaign")))
        demand("by" not in body, _("Unknown field “{name}”. Remove it."), field="/by", name="by")
        name, sides = body.pop("name", None), body.pop("sides", None)
        battle = open_battle(by=request.user, campaign=campaign, name=name, sides=sides, **body)
        return self._drawn(battle, play_battle_state.load_state(battle), 201)

    @extend_schema(responses={204: None}, summary="Delete a what-if for good (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        throw_branch_away(by=request.user, battle_id=pk)
        return Response(status=204)

    @extend_schema(
        request=CommandInput,
        parameters=[IF_MATCH],
        responses={200: AnswerSerializer, (409, "application/problem+json"): DiceNeededSerializer},
        summary="Give an order, resolve, undo…",
    )
    @action(detail=True, methods=["post"], scope=Scope.PLAY)
    def commands(self, request: ApiRequest, pk: str) -> Response:
        version = required_version(request)
        command, dice = request_of(request.data, self.get_object)
        done = play(by=request.user, battle_id=pk, version=version, command=command, **dice)
        if isinstance(done, Played):
            return self._drawn(done.battle, done.state, told=done)
        battle = self.get_object()
        return self._drawn(battle, play_battle_state.load_state(battle), told=done.thrown, proposal=done)

    @extend_schema(parameters=[AFTER, LIMIT, UNDONE], responses=EventPageSerializer, summary="What happened, in order")
    @action(detail=True, filterset_class=None, pagination_class=None)
    def events(self, request: ApiRequest, pk: str) -> Response:
        refuse_unknown(request, {"limit", "after", "undone"})
        battle = self.get_object()
        limit, after, undone = _limit(request), _after(request), is_asked(request, "undone")
        lines = self._log(battle, after, limit=limit + 1, undone=undone)
        page = lines[:limit]
        rest = f"?after={page[-1].seq}&limit={limit}{'&undone=true' if undone else ''}" if len(lines) > limit else ""
        more = request.build_absolute_uri(rest) if rest else None
        return Response({"next": more, "previous": None, "results": EventSerializer(page, many=True).data})

    @extend_schema(responses=ReplaySerializer, summary="The whole log, decided again from the recorded dice")
    @action(detail=True, filterset_class=None, pagination_class=None)
    def replay(self, request: ApiRequest, pk: str) -> Response:
        battle = self.get_object()
        replay = check_replay(battle)
        events = EventSerializer(self._log(battle), many=True).data
        return Response({"identical": replay.identical, "differs": replay.differs, "events": events})

    @extend_schema(request=ForecastInput, responses=ANSWERS, summary="What is to come, as far as you may know")
    @action(
        detail=True, methods=["post"], filterset_class=None, pagination_class=None, scope=Scope.PLAY, counted="costly"
    )
    def forecast(self, request: ApiRequest, pk: str) -> Response:
        battle = self.get_object()
        ahead = load_foreseen(request.user, battle)
        sides = tuple(side.name for side in ahead.summary.sides)
        asked = parse_forecast_request(request.data, play_battle_state.get_law(battle), sides, ahead.usual_table)
        found = foretell(by=request.user, foreseen=ahead, asked=asked, campaign=battle.campaign)
        return answered(request, found)

    def handle_exception(self, exc: Exception) -> Response:
        """Handle errors of battles only: outdated versions, dice to type first, unknown armies."""
        match exc:
            case BattleMovedOn():
                return self._refused(412, str(Stale.default_detail), version=exc.version)
            case DiceNeeded():
                return self._refused(409, gettext("Enter these dice first."), kind=DICE_NEEDED, **self._asks(exc))
            case UnknownArmy():
                detail = gettext("Not found, or you have no access to it.")
                return self._refused(404, detail, [(exc.pointer, detail)])
            case Refusal():
                exc = point_as_sent(exc, self.request.data)
        return super().handle_exception(exc)

    def _asks(self, needed: DiceNeeded) -> dict[str, Any]:
        """Return the dice needed, as the page describes them."""
        asks = asks_of(needed.asks, *find_dice_words(self.get_object()))
        return {"asks": asks, "follows": follows_of(needed.follows)}

    def _refused(self, code: int, detail: str, errors: Any = (), **members: Any) -> Response:
        response = build_problem(code, detail, errors, **members)
        response.exception = True
        return response

    def _log(self, battle: Battle, after: int = 0, *, limit: int | None = None, undone: bool = False) -> list[LogLine]:
        now = play_battle_state.load_state(battle)
        viewer = get_viewer(self.request.user, battle, now)
        state = play_battle_state.view_state(battle, now, viewer).state
        return add_commander_names(log_of(battle, state, viewer, after=after, limit=limit, undone=undone))

    def _drawn(
        self,
        battle: Battle,
        now: Any,
        code: int = 200,
        *,
        picked: Selection = (),
        told: Played | None = None,
        proposal: Any = None,
    ) -> Response:
        """Return the battle as the reader may see it; after a command with its events, or with a proposal."""
        law = play_battle_state.get_law(battle)
        viewer = get_viewer(self.request.user, battle, now)
        position = play_battle_state.view_state(battle, now, viewer)
        state, legal = position.state, law.battle.legal(position.state, viewer, picked)
        pending = tuple(law.battle.pending(state, viewer))
        turn = is_your_turn(battle, position.summary, legal, pending, viewer)
        shown = BattleShown(battle, position.summary, legal, pending, turn)
        own = get_battle_ui(law).shape(state, shown.summary, figures_now(battle, state), viewer, legal)
        data = {**serialize(BattleFrame, shown), **own}
        if battle.is_branch:  # a what-if has none
            data["legal"] = [command for command in data["legal"] if command != AFTERMATH]
        if not shown.pending:
            del data["pending"]
        if told is not None:
            lines = [line for record in told.records for line in _told(battle, record, state, viewer)]
            data["events"] = [serialize(EventSerializer, line) for line in lines]
            if told.stages:
                data["phases"] = [render(stage.label) for stage in told.stages]
            if told.halts:
                data["stopped"] = [serialize(HaltSerializer, halt) for halt in told.halts]
        if proposal is not None:
            data = {"events": [], **data, "proposal": ProposalSerializer(proposal).data}
        return Response(data, status=code, headers={"ETag": f'"{battle.version}"'})


def _told(battle: Battle, record: BattleRecord, state: Any, viewer: Viewer) -> list[LogLine]:
    """Return the events of a command just given."""
    names = {record.by_id: record.by.get_username()} if record.by else {}
    return add_commander_names(tell_lines(battle, read_of(battle, record), state, viewer), names)


def _object(data: Any) -> dict[str, Any]:
    demand(isinstance(data, dict), _("Enter a JSON object."))
    return dict(data)


def _after(request: ApiRequest) -> int:
    after = parse_whole(request.query_params.get("after", "0"))
    if after is None:
        raise ValidationError({"after": [gettext("Enter the number of an event.")]})
    return after


def _limit(request: ApiRequest) -> int:
    return Cursor().get_page_size(request)


# JSON pointers of refusals, in a body that may express the same in several ways.


CONDITION = "condition"
OF_A_CONDITION = ("value", "armies", "except", "parts")


def point_as_sent(refusal: Refusal, body: Any) -> Refusal:
    """Return the refusal with pointers as sent. A condition may be in a member of its own, and a single army may be
    given as `army`.
    """

    def where(pointer: str) -> str:
        parts = pointer.split("/")[1:]
        if _lies_in_a_member(body, parts):
            parts = [CONDITION, *parts]
        if parts and parts[-1] == "armies" and "army" in _found(body, parts[:-1]):
            parts[-1] = "army"
        return "".join(f"/{part}" for part in parts)

    return refusal.repointed(where)


def _lies_in_a_member(body: Any, parts: Sequence[str]) -> bool:
    """Whether this pointer is within a condition that has a member of its own."""
    if not parts or not isinstance(_found(body, ()).get(CONDITION), Mapping):
        return False
    return [*parts] == [CONDITION] or (parts[0] in OF_A_CONDITION and parts[0] not in body)


def _found(body: Any, parts: Sequence[str]) -> Mapping[str, Any]:
    """Return the object at this pointer; an empty one if there is none."""
    for part in parts:
        if isinstance(body, Sequence) and part.isdecimal() and int(part) < len(body):
            body = body[int(part)]
        else:
            body = body.get(part) if isinstance(body, Mapping) else None
    return body if isinstance(body, Mapping) else {}


# API that reminds players of a battle that waits for them.


class RemindedSerializer(serializers.Serializer):
    players = serializers.ListField(child=serializers.CharField(), help_text="names of those who were reminded")


class RemindView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        request=None, responses=RemindedSerializer, summary="Remind the players a battle waits for, once an hour (GM)"
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        validate_body(NoInput(data=request.data))
        page = request.build_absolute_uri(reverse("battles:battle", args=[pk]))
        return Response({"players": remind_awaited(by=request.user, battle_id=pk, page=page)})

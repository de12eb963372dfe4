"""API of sides that the computer commands."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from battles.api.forecast_api import Patient
from battles.codec.requests import Members
from battles.opponents.page import CounselShown, OpponentsPage, build_opponents_page
from battles.opponents.services import give_proposed, pause_engine, set_head
from battles.play.errors import BattleMovedOn
from core.api.concurrency import required_version
from core.api.problems import IfMatchFailed, build_problem
from core.api.serializers import Input, refuse_unknown
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.models import Scope
from rules.core.errors import demand
from rules.core.text import _
from rules.odds.opponents import LEANINGS

SIDES_MOST = 100
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True, description="the version you saw")

NOT_HERE = OpenApiResponse(description="The computer commands no side here, not this one, or it is still calculating.")


class AdvisedSerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    why = serializers.CharField(read_only=True)


class HeadSerializer(serializers.Serializer):
    """A side. `leaning` is null if people command it. `proposals` are the orders that the computer would give its
    armies now; null while it is computing, so ask again.
    """

    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    leaning = serializers.ChoiceField(choices=list(LEANINGS), read_only=True, allow_null=True)
    left = serializers.BooleanField(
        read_only=True, help_text="its orders are given when the GM resolves, its turns played as they come"
    )
    proposals = AdvisedSerializer(many=True, read_only=True, allow_null=True)


class OpponentsSerializer(serializers.Serializer):
    """`paused`: the computer plays no turns until the GM resumes it. `trouble` is the reason, null if the GM paused
    it.
    """

    sides = HeadSerializer(many=True, read_only=True)
    paused = serializers.BooleanField(read_only=True)
    trouble = serializers.CharField(read_only=True, allow_null=True)


class GivenByEngineSerializer(serializers.Serializer):
    """`refused` says by army why it keeps its order."""

    version = serializers.IntegerField(read_only=True)
    given = serializers.ListField(child=serializers.CharField(), read_only=True)
    refused = serializers.DictField(child=serializers.CharField(), read_only=True)


class SetHeadInput(Input):
    side = serializers.IntegerField(help_text="from 0")
    leaning = serializers.ChoiceField(choices=list(LEANINGS), allow_null=True, help_text="null: people command it")
    left = serializers.BooleanField(
        required=False, help_text="give its orders when the GM resolves, play its turns as they come"
    )


class PauseInput(Input):
    paused = serializers.BooleanField(help_text="false: go on")


class WhichSideInput(Input):
    side = serializers.IntegerField()


class OpponentsView(Patient, ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        responses=OpponentsSerializer, summary="Who commands which side, and what the computer would order (GM)"
    )
    def get(self, request: ApiRequest, pk: Any) -> Response:
        refuse_unknown(request, set())
        return Response(opponents_shape(build_opponents_page(request.user, pk)))

    @extend_schema(
        request=SetHeadInput,
        responses={200: OpponentsSerializer, 409: NOT_HERE},
        summary="Let the computer command a side, or people (GM)",
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        members = Members(request.data)
        side, left = members.whole("side", 0, SIDES_MOST), members.flag("left")
        leaning = members.slug_or("leaning", "")
        members.done()
        set_head(by=request.user, battle_id=pk, side=side, leaning=leaning, left=left)
        return Response(opponents_shape(build_opponents_page(request.user, pk)))


class PauseView(Patient, ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        request=PauseInput,
        responses={200: OpponentsSerializer, 409: NOT_HERE},
        summary="Pause the computer where sides take turns, or let it go on (GM)",
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        members = Members(request.data)
        demand(members.has("paused"), _("Use true or false."), field="/paused")
        paused = members.flag("paused")
        members.done()
        pause_engine(by=request.user, battle_id=pk, paused=paused)
        return Response(opponents_shape(build_opponents_page(request.user, pk)))


class CounselView(Patient, ApiView):
    scope = Scope.PLAY

    @extend_schema(
        request=WhichSideInput,
        parameters=[IF_MATCH],
        responses={200: GivenByEngineSerializer, 409: NOT_HERE},
        summary="Give a side what the computer proposes for it (GM)",
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        members = Members(request.data)
        side = members.whole("side", 0, SIDES_MOST)
        members.done()
        version = required_version(request)
        done = give_proposed(by=request.user, battle_id=pk, version=version, side=side)
        refused = {army: render(why) for army, why in done.refused.items()}
        told = {"version": done.battle.version, "given": list(done.given), "refused": refused}
        return Response(told, headers={"ETag": f'"{done.battle.version}"'})

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, BattleMovedOn):
            response = build_problem(412, str(IfMatchFailed.default_detail), version=exc.version)
            response.exception = True
            return response
        return super().handle_exception(exc)


def opponents_shape(page: OpponentsPage) -> dict[str, Any]:
    shown = {counsel.head.side: counsel for counsel in page.shown}
    return {
        "sides": [
            {
                "side": head.side,
                "name": head.name,
                "leaning": head.leaning or None,
                "left": head.left,
                "proposals": _proposals(shown.get(head.side)),
            }
            for head in page.heads
        ],
        "paused": any(head.paused for head in page.heads),
        "trouble": next((render(head.trouble) for head in page.heads if head.trouble), None),
    }


def _proposals(counsel: CounselShown | None) -> list[dict[str, str]] | None:
    if counsel is None:
        return []
    if counsel.orders is None:
        return None
    return [{"army": advised.army, "why": render(advised.why)} for advised in counsel.orders]

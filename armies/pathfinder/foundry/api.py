"""API of Foundry actors (`pf1-kingdom-sheet`): export and import of armies and kingdoms."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from armies.pathfinder.forces.access import get_army_for, get_campaign_here
from armies.pathfinder.foundry.services import (
    CHARACTERS_MOST,
    bring_in_actors,
    get_army_actor,
    get_kingdom_actor,
    propose_actors,
)
from armies.tables.api import BringingSerializer, build_answer
from core.api.concurrency import require_mark
from core.api.problems import point_at
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import kingdom_in, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.models import Scope


class ActorsInput(Input):
    """`file`: the JSON text of an actor, or of a list of them. `kingdom`: gets armies that name no kingdom of this
    campaign. To confirm, send the `mark` of the proposal.
    """

    file = serializers.CharField(max_length=CHARACTERS_MOST, trim_whitespace=False)
    kingdom = serializers.UUIDField(required=False, allow_null=True)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class ArmyActorView(ApiView):
    @extend_schema(responses=OpenApiTypes.OBJECT, summary="An army as an actor of Foundry")
    def get(self, request: ApiRequest, army_id: UUID) -> Response:
        return Response(get_army_actor(request.user, get_army_for(request.user, army_id)))


class KingdomActorView(ApiView):
    @extend_schema(responses=OpenApiTypes.OBJECT, summary="A kingdom as an actor of Foundry")
    def get(self, request: ApiRequest, kingdom_id: UUID) -> Response:
        return Response(get_kingdom_actor(request.user, kingdom_id)[1])


class ActorsView(ApiView):
    scope, counted = Scope.MANAGE, "costly"

    @extend_schema(
        request=ActorsInput,
        responses=BringingSerializer,
        summary="Bring actors of Foundry in (GM): the proposal, or with confirm what was done",
    )
    def post(self, request: ApiRequest, pk: UUID) -> Response:
        campaign = get_campaign_here(request.user, pk)
        require_gm(request.user, campaign)
        given = validate_body(ActorsInput(data=request.data))
        asked: dict[str, Any] = {"text": given["file"], "kingdom": None}
        if given.get("kingdom"):
            with point_at("/kingdom"):
                asked["kingdom"] = kingdom_in(campaign, given["kingdom"])
        if not given["confirm"]:
            return build_answer(request, propose_actors(by=request.user, campaign=campaign, **asked))
        mark = require_mark(request, given["mark"])
        return build_answer(request, *bring_in_actors(by=request.user, campaign=campaign, mark=mark, **asked))

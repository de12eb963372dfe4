"""API of `campaigns/{id}/kanka/`: import of a Kanka export."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from armies.kanka.kanka_export import CHARACTERS_MOST
from armies.kanka.services import bring_in_kanka, propose_kanka
from armies.tables.api import BringingSerializer, build_answer
from core.api.concurrency import require_mark
from core.api.problems import point_at
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, kingdom_in, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.models import Scope


class KankaInput(Input):
    """`file`: a JSON text with the entities of the export, `{"organisations": [], "characters": [], "notes": []}`, each
    as in its file. `kingdom`: gets characters who belong to no imported organization. To confirm, send the `mark` of
    the proposal.
    """

    file = serializers.CharField(max_length=CHARACTERS_MOST, trim_whitespace=False)
    kingdom = serializers.UUIDField(required=False, allow_null=True)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class KankaView(ApiView):
    scope, counted = Scope.MANAGE, "costly"

    @extend_schema(
        request=KankaInput,
        responses=BringingSerializer,
        summary="Import a Kanka export (GM): the proposal, or with confirm what was done",
    )
    def post(self, request: ApiRequest, pk: UUID) -> Response:
        campaign = get_campaign_for(request.user, pk)
        require_gm(request.user, campaign)
        given = validate_body(KankaInput(data=request.data))
        asked: dict[str, Any] = {"text": given["file"], "kingdom": None}
        if given.get("kingdom"):
            with point_at("/kingdom"):
                asked["kingdom"] = kingdom_in(campaign, given["kingdom"])
        if not given["confirm"]:
            return build_answer(request, propose_kanka(by=request.user, campaign=campaign, **asked))
        mark = require_mark(request, given["mark"])
        return build_answer(request, *bring_in_kanka(by=request.user, campaign=campaign, mark=mark, **asked))

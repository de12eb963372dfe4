"""Views of what-ifs: branch one from a battle, delete it, by page and API."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from battles.log.branch_services import branch_battle, throw_branch_away
from battles.models import Battle
from battles.queries import get_battle_alone, list_branches
from core.api.serializers import Input, refuse_unknown
from core.clean_input import NAME_MAX, parse_whole
from core.text import render
from kingdom.access.permissions import ApiRequest, PageRequest
from kingdom.access.queries import require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import NameField, WholeField
from kingdom.models import Scope
from kingdom.rendering import go
from rules.core.errors import Refusal

# Views of the pages about what-ifs.


@login_required
@require_POST
def what_if(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Branches a what-if after the event `at`, and goes there."""
    at, name = parse_whole(request.POST.get("at")), request.POST.get("name", "").strip()
    try:
        branch = branch_battle(by=request.user, battle_id=battle_id, at=-1 if at is None else at, name=name)
    except Refusal as refusal:
        return _refused(request, battle_id, refusal)
    messages.success(request, _("This is your what-if. Play it on as you like."))
    return go(request, "battles:battle", branch.pk)


@login_required
@require_POST
def throw_away(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Deletes a what-if, and goes to the battle it came from."""
    try:
        original = throw_branch_away(by=request.user, battle_id=battle_id)
    except Refusal as refusal:
        return _refused(request, battle_id, refusal)
    messages.success(request, _("What-if deleted."))
    return go(request, "battles:battle", original)


def _refused(request: PageRequest, battle_id: UUID, refusal: Refusal) -> HttpResponse:
    messages.error(request, " ".join(render(message) for _pointer, message in refusal.errors))
    return go(request, "battles:battle", battle_id)


# API of a battle's what-ifs.


class WhatIfSerializer(serializers.ModelSerializer):
    """A what-if: a battle of its own (`GET battles/{id}/`), for the GM. Nothing in it touches the campaign."""

    by = serializers.CharField(source="created_by.username", read_only=True, default=None, allow_null=True)

    class Meta:
        model = Battle
        fields = ("id", "name", "branch_of", "branched_at", "version", "status", "by", "created_at")
        read_only_fields = fields


class WhatIfInput(Input):
    at = WholeField(help_text="`seq` of an event: the battle as it was right after its command. 0: the opening.")
    name = NameField(required=False, max_length=NAME_MAX, help_text="Without one, the battle’s, marked as a what-if.")


class WhatIfsView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(responses=WhatIfSerializer(many=True), summary="What-ifs branched from a battle (GM)")
    def get(self, request: ApiRequest, pk: Any) -> Response:
        refuse_unknown(request, set())
        battle = get_battle_alone(request.user, pk)
        require_gm(request.user, battle.campaign)
        rows = list_branches(battle).select_related("created_by")
        return Response(WhatIfSerializer(rows, many=True).data)

    @extend_schema(
        request=WhatIfInput, responses={201: WhatIfSerializer}, summary="Branch a what-if from a battle (GM)"
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        given = validate_body(WhatIfInput(data=request.data))
        branch = branch_battle(by=request.user, battle_id=pk, at=given["at"], name=given.get("name", ""))
        return Response(WhatIfSerializer(branch).data, status=201)

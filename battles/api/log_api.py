"""API of a battle's log as a file."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from battles.api.serializers import EventSerializer
from battles.log.export import as_json_lines, export_json, export_text, log_told
from battles.models import Battle
from battles.queries import get_battle_for
from core.api.filters import refuse_unknown
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.models import User
from rules.core.errors import demand
from rules.core.text import _


def _dump_event(event: object) -> dict[str, Any]:
    return EventSerializer(event).data


FORMS: dict[str, tuple[str, Any]] = {
    "jsonl": ("application/jsonl", lambda told: as_json_lines(told, _dump_event)),
    "txt": ("text/plain", export_text),
    "json": ("application/json", lambda told: export_json(told, _dump_event)),
}
AS = "as"


def log_response(user: User, battle: Battle, form: str) -> StreamingHttpResponse:
    """Return the log as a file of that ending, as far as this reader may know it."""
    media, write = FORMS[form]
    response = StreamingHttpResponse(write(log_told(user, battle)), content_type=f"{media}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(battle.name) or "battle"}.{form}"'
    return response


class LogExportView(ApiView):
    counted = "costly"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                AS,
                str,
                enum=tuple(FORMS),
                description="An event a line (jsonl, also without this), one object, or text.",
            )
        ],
        responses={
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
        summary="The whole log as a file, in your language, as far as you may know it",
    )
    def get(self, request: ApiRequest, pk: UUID) -> StreamingHttpResponse:
        battle = get_battle_for(request.user, pk)
        refuse_unknown(request, {AS})
        form = request.query_params.get(AS, "jsonl")
        demand(form in FORMS, _("Choose one of: {choices}."), field=f"/{AS}", choices=", ".join(FORMS))
        return log_response(request.user, battle, form)

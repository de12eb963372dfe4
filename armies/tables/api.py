"""API of `campaigns/{id}/tables/{table}/`: export and import of armies, unit types and commanders as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from armies.ruleset_ui import list_army_uis
from armies.tables.headings import complete_columns
from armies.tables.imports import Bringing, find_table, may_bring, propose
from armies.tables.services import bring_in_table
from armies.tables.tables import TableFile, pointer_of
from core.api.concurrency import require_mark
from core.api.serializers import Input
from core.csv_tables import CHARACTERS_MOST, build_csv_response
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import SaidField
from kingdom.approvals.serializers import document_approval
from kingdom.chronicle.wording import ChronicleSerializer, build_context
from kingdom.models import Campaign, ChronicleEntry, Scope

TABLES = tuple(sorted({table.slug for ui in list_army_uis() for table in ui.tables}))
TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, enum=TABLES)


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}, "nullable": True})
class ColumnsField(serializers.JSONField):
    """Columns by heading; the service validates them."""


class TableInput(Input):
    """`file`: the text of the CSV. To confirm, send the proposal's `mark`: 428 without it, 412 if it would differ by
    now.

    `columns`: for a table with other headings than ours, what they stand for: `{"Nom": "army", "Notes": ""}`, where
    "" is not imported. Headings left out are proposed, so `{}` asks for a whole proposal; `columns` of the answer has
    all of them. Send those with `confirm`; they are kept for the next table.
    """

    file = serializers.CharField(max_length=CHARACTERS_MOST, trim_whitespace=False, allow_blank=True)
    columns = ColumnsField(required=False, allow_null=True)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


@extend_schema_field({"oneOf": [{"type": "string", "nullable": True}, {"type": "number"}, {"type": "boolean"}]})
class CellField(serializers.JSONField):
    """A text, a number, or true or false."""


class CellSerializer(serializers.Serializer):
    """A cell of an entry that the CSV import would change. `row`: name of the row, where the entry has several."""

    row = serializers.CharField()
    column = serializers.CharField()
    before = CellField(allow_null=True)
    after = CellField(allow_null=True)


class TableProblemSerializer(serializers.Serializer):
    pointer = serializers.SerializerMethodField(help_text="`/rows/{line}/{column}` of the table")
    detail = serializers.SerializerMethodField()

    def get_pointer(self, problem: Any) -> str:
        return pointer_of(problem)

    def get_detail(self, problem: Any) -> str:
        return render(problem.told)


class TableLineSerializer(serializers.Serializer):
    """One entry of the table: new, changed (`differences`), the same, or wrong (`problems`)."""

    line = serializers.IntegerField()
    name = serializers.CharField()
    kingdom = serializers.CharField(source="under")
    what = serializers.ChoiceField(choices=("new", "changed", "same", "wrong"))
    differences = CellSerializer(many=True)
    problems = TableProblemSerializer(many=True)
    warnings = serializers.ListField(child=SaidField(), help_text="what is not taken over")
    kind = SaidField(help_text="what it becomes, where a file has several kinds; else empty")


class HeadingSerializer(serializers.Serializer):
    heading = serializers.CharField()
    column = serializers.CharField(help_text="empty: not imported")


class BringingSerializer(serializers.Serializer):
    """`entry`: the chronicle entry of the import, null for a proposal. `columns`: what headings stand for, where the
    request asked for it.
    """

    columns = HeadingSerializer(many=True)
    mark = serializers.CharField(source="bringing.mark")
    new = serializers.IntegerField(source="bringing.new")
    changed = serializers.IntegerField(source="bringing.changed")
    same = serializers.IntegerField(source="bringing.same")
    wrong = serializers.IntegerField(source="bringing.wrong")
    lines = TableLineSerializer(many=True, source="bringing.lines")
    entry = ChronicleSerializer(allow_null=True)


def build_answer(
    request: ApiRequest,
    found: Bringing,
    entry: ChronicleEntry | None = None,
    columns: Mapping[str, str] | None = None,
) -> Response:
    """The proposal, or with its chronicle entry the import. The mark is the ETag."""
    context = build_context(request.user, entry.campaign, [entry]) if entry else {}
    headings = [{"heading": heading, "column": column} for heading, column in (columns or {}).items()]
    body = {"bringing": found, "entry": entry, "columns": headings}
    response = Response(BringingSerializer(body, context=context).data)
    response["ETag"] = f'"{found.mark}"'
    return response


class TableView(ApiView):
    scope, counted = Scope.MANAGE, "costly"

    @extend_schema(
        parameters=[TABLE],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        summary="Armies whose sheet you may read, or unit types, as CSV",
    )
    def get(self, request: ApiRequest, pk: UUID, table: str) -> HttpResponse:
        campaign, kind = self._known(pk, table)
        found = kind.out(request.user, campaign)
        return build_csv_response(f"{campaign.name} {kind.slug}", found.head, found.rows)

    @extend_schema(
        parameters=[TABLE],
        request=TableInput,
        responses=document_approval(BringingSerializer),
        summary="Bring armies, unit types or commanders in as CSV: the proposal, or with confirm what was done",
    )
    def post(self, request: ApiRequest, pk: UUID, table: str) -> Response:
        campaign, kind = self._known(pk, table)
        if not may_bring(request.user, campaign, kind):
            raise PermissionDenied
        given = validate_body(TableInput(data=request.data))
        columns = None
        if given.get("columns") is not None:
            columns = complete_columns(campaign, kind, given["file"], given["columns"])
        if not given["confirm"]:
            found = propose(request.user, campaign, kind, given["file"], columns)
            return build_answer(request, found, columns=columns)
        mark = require_mark(request, given["mark"])
        done = bring_in_table(
            by=request.user, campaign=campaign, table=table, text=given["file"], mark=mark, columns=columns
        )
        return build_answer(request, *done, columns=columns)

    def _known(self, pk: UUID, table: str) -> tuple[Campaign, TableFile]:
        campaign = get_campaign_for(self.request.user, pk)
        kind = find_table(campaign, table)
        if kind is None:
            raise Http404
        return campaign, kind

"""API of `campaigns/{id}/story/`: chronicle and notes together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.pagination import Cursor as Position
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.concurrency import Cursor
from core.api.serializers import is_asked, refuse_unknown
from core.clean_input import clean_slug, parse_moment, parse_uuid, parse_whole
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView
from kingdom.chronicle.queries import DAYS, KINDS
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.notes.api import NoteSerializer, notes_context
from kingdom.story.queries import (
    LATEST_FIRST,
    NOTE,
    STORY_FILTERS,
    YES,
    StoryLook,
    StoryRow,
    build_lines,
    list_rows,
    story_sought,
)
from kingdom.story.views import markdown_response

FILTERS = [
    OpenApiParameter("kind", str, enum=[*ChronicleEntry.Kind.values, NOTE]),
    *(OpenApiParameter(kind, OpenApiTypes.UUID, description=f"Only what is about this {kind}.") for kind in KINDS),
    *(OpenApiParameter(name, OpenApiTypes.INT, description=f"Only {name} this day.") for name in DAYS),
    OpenApiParameter("undone", OpenApiTypes.BOOL, description="Also what was undone: true or false."),
    OpenApiParameter("order", str, enum=[LATEST_FIRST], description="The latest first."),
]
PAGING = [
    OpenApiParameter("limit", OpenApiTypes.INT, description="How many to answer: 1 to 200."),
    OpenApiParameter("cursor", str),
]


class StoryLineSerializer(serializers.Serializer):
    """A line of the story. `entry`: of the chronicle, with its id and sentence; `note`: the note itself."""

    type = serializers.CharField(help_text="`entry` or `note`")
    id = serializers.UUIDField()
    day = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    text = serializers.CharField(help_text="A sentence, or the note’s Markdown.")
    undone = serializers.BooleanField()
    note = NoteSerializer(allow_null=True)


class StoryPageSerializer(serializers.Serializer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = StoryLineSerializer(many=True)


class StoryCursor(Cursor):
    """Pagination of the story: a page begins after, or ends before, a position in the order."""

    def read(self, request: Request, user: User, campaign: Campaign, look: StoryLook) -> list[StoryRow]:
        self.base_url, self.cursor = request.build_absolute_uri(), self.decode_cursor(request)
        back, size = bool(self.cursor and self.cursor.reverse), self.get_page_size(request)
        place = _place(str(self.cursor.position)) if self.cursor else None
        down = look.latest != back
        rows = list_rows(user, campaign, look, _beyond(place, down) if place else None)
        found = [StoryRow(*row) for row in (rows.reverse() if back else rows)[: size + 1]]
        self.more, found = len(found) > size, found[:size]
        self.rows = found[::-1] if back else found
        self.forth, self.back = (bool(place), self.more) if back else (self.more, bool(place))
        return self.rows

    def answer(self, drawn: list[Any]) -> Response:
        ends = [_position(row) for row in (*self.rows[:1], *self.rows[-1:])]
        after = self.encode_cursor(Position._make((0, False, ends[-1]))) if self.forth and ends else None
        before = self.encode_cursor(Position._make((0, True, ends[0]))) if self.back and ends else None
        return Response({"next": after, "previous": before, "results": drawn})

    def knows(self, position: str) -> bool:
        return _place(position) is not None


def _position(row: StoryRow) -> str:
    return f"{row.day}|{row.at.isoformat()}|{row.id}"


def _place(position: str) -> tuple[int, datetime, UUID] | None:
    day, at, key = (*position.split("|"), "", "", "")[:3]
    number, moment, found = parse_whole(day), parse_moment(at), parse_uuid(key)
    return None if number is None or moment is None or found is None else (number, moment, found)


def _beyond(place: tuple[int, datetime, UUID], down: bool) -> Q:
    """Return the condition on positions later than this one; with `down`, earlier."""
    day, at, key = place
    than = "lt" if down else "gt"
    return (
        Q(**{f"day__{than}": day})
        | Q(day=day, **{f"at__{than}": at})
        | Q(day=day, at=at, **{f"id__{than}": key})
    )  # fmt: skip


class StoryView(ApiView):
    @extend_schema(
        parameters=[*FILTERS, *PAGING], responses=StoryPageSerializer, summary="The story of the war, day by day"
    )
    def get(self, request: ApiRequest, pk: UUID) -> Response:
        campaign = get_campaign_for(request.user, pk)
        refuse_unknown(request, {*STORY_FILTERS, "limit", "cursor"})
        pages = StoryCursor()
        rows = pages.read(request, request.user, campaign, _look(request))
        return pages.answer(_drawn(request.user, campaign, rows))


class StoryDocumentView(ApiView):
    counted = "costly"

    @extend_schema(
        parameters=FILTERS,
        responses={(200, "text/markdown"): OpenApiResponse(OpenApiTypes.STR)},
        summary="The story as one document in Markdown",
    )
    def get(self, request: ApiRequest, pk: UUID) -> Any:
        campaign = get_campaign_for(request.user, pk)
        refuse_unknown(request, set(STORY_FILTERS))
        return markdown_response(request.user, campaign, _look(request))


def _look(request: ApiRequest) -> StoryLook:
    """Return the filters of the query string. Unlike the page, the API refuses unknown values."""
    asked = request.query_params.dict()
    if order := asked.get("order", ""):
        clean_slug(order, field="/order", among=(LATEST_FIRST,))
    return story_sought({**asked, "undone": YES if is_asked(request, "undone") else ""})


def _drawn(user: User, campaign: Campaign, rows: Sequence[StoryRow]) -> list[dict[str, Any]]:
    lines = build_lines(user, campaign, rows)
    notes = [line.card.note for line in lines if line.card]
    context = notes_context(user, notes)
    return [_entry(line) if line.entry else _note(line, context) for line in lines]


def _entry(line: Any) -> dict[str, Any]:
    entry = line.entry
    by = entry.by.username if entry.by else None
    return {**_head(line), "by": by, "text": render(line.text), "undone": entry.undone, "note": None}


def _note(line: Any, context: dict[str, Any]) -> dict[str, Any]:
    drawn = NoteSerializer(line.card.note, context=context).data
    return {**_head(line), "by": drawn["by"], "text": drawn["text"], "undone": False, "note": drawn}


def _head(line: Any) -> dict[str, Any]:
    return {"type": line.row.what, "id": line.row.id, "day": line.row.day, "at": line.row.at}

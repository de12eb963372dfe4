"""API of `campaigns/{id}/story/chapters/`: the campaign's battles in prose."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from battles.story.page import BattleParagraph, SeasonChapter, divide_story, outline_story, write_chapters
from core.api.serializers import refuse_unknown
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView
from rules.core.errors import demand
from rules.core.text import _

PAGE = OpenApiParameter("page", OpenApiTypes.INT, description="1 is the first page. A page has whole seasons.")


class BattleParagraphSerializer(serializers.Serializer):
    """A battle in prose. `over`: false while it is still fought."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    day = serializers.IntegerField()
    date = serializers.CharField()
    over = serializers.BooleanField()
    text = serializers.CharField()


class StoryChapterSerializer(serializers.Serializer):
    """A season. `summary`: a sentence about all of its battles; null where there is only one."""

    title = serializers.CharField()
    summary = serializers.CharField(allow_null=True)
    battles = BattleParagraphSerializer(many=True)


class StoryChaptersSerializer(serializers.Serializer):
    pages = serializers.IntegerField(help_text="How many pages there are.")
    chapters = StoryChapterSerializer(many=True)


class StoryChaptersView(ApiView):
    counted = "costly"

    @extend_schema(
        parameters=[PAGE], responses=StoryChaptersSerializer, summary="The story of the war in prose, season by season"
    )
    def get(self, request: ApiRequest, pk: UUID) -> Response:
        campaign = get_campaign_for(request.user, pk)
        refuse_unknown(request, {"page"})
        pages = divide_story(outline_story(campaign))
        number = parse_whole(request.query_params.get("page", "1"))
        last = max(1, len(pages))
        demand(number and number <= last, _("Enter a page number from 1 to {last}."), field="/page", last=last)
        outline = pages[(number or 1) - 1] if pages else []
        chapters = write_chapters(request.user, campaign, outline)
        return Response({"pages": len(pages), "chapters": [_chapter(chapter) for chapter in chapters]})


def _chapter(chapter: SeasonChapter) -> dict[str, Any]:
    return {
        "title": render(chapter.title),
        "summary": render(chapter.sum) if chapter.sum else None,
        "battles": [_paragraph(battle) for battle in chapter.battles],
    }


def _paragraph(battle: BattleParagraph) -> dict[str, Any]:
    return {
        "id": battle.id,
        "name": battle.name,
        "day": battle.day,
        "date": render(battle.date),
        "over": battle.over,
        "text": " ".join(map(render, battle.sentences)),
    }

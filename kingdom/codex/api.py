"""API of the codex: every item of a ruleset by kind, with its rule id, text and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.concurrency import answer_conditionally
from core.api.serializers import Open, refuse_unknown
from core.clean_input import clean_slug
from core.text import render
from core.text_search import contains_words, split_words, strip_accents
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.authentication import Scoped
from kingdom.onboarding.checklist import list_templates
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import SOUGHT_MAX
from rules.core.content import SourceMark
from rules.core.errors import demand
from rules.core.text import _
from rules.law import Catalogue, Law
from rules.registry import RULESETS

SOURCES = [mark.value for mark in SourceMark if mark]


class Kinds:
    """The kinds of items in all rulesets, for OpenAPI."""

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(kind for law in RULESETS.values() for kind in law.catalogues))


class TemplateSerializer(serializers.Serializer):
    """A template a campaign may begin with."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()


class RulesetSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    templates = TemplateSerializer(many=True)


class RuleItemSerializer(Open, serializers.Serializer):
    """An item of a ruleset. Its figures are further members, by their names."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    rule = serializers.CharField()
    mark = serializers.ChoiceField(
        SOURCES,
        required=False,
        help_text="where it comes from: the document, a ruling on it, a reconstruction of what is lost, play that was "
        "seen; left out where the ruleset marks nothing",
    )
    off = serializers.BooleanField(required=False, help_text="true where the campaign does without it")


class RulesetItems(RulesetSerializer):
    """A ruleset with its items by kind."""

    def get_fields(self) -> dict[str, serializers.Field]:
        kinds = {kind: RuleItemSerializer(many=True, required=False) for kind in Kinds()}
        return {**super().get_fields(), **kinds}


class RulesetsView(Scoped, APIView):
    """The rulesets a campaign may use."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="rulesets_list",
        responses=RulesetSerializer(many=True),
        summary="The rulesets a campaign may choose",
    )
    def get(self, request: Request) -> Response:
        refuse_unknown(request, set())
        return Response([_heading(law) for law in RULESETS.values()])


class RulesView(Scoped, APIView):
    """A ruleset with all its items. `kind`, `mark` and `q` filter them; `campaign` applies that campaign's
    house rules.
    """

    permission_classes = (AllowAny,)

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", str, enum=Kinds()),  # type: ignore[arg-type]  # read as it is drawn
            OpenApiParameter("mark", str, enum=SOURCES),
            OpenApiParameter("q", str),
            OpenApiParameter("campaign", OpenApiTypes.UUID),
        ],
        responses=RulesetItems,
        summary="One ruleset, whole",
    )
    def get(self, request: Request, ruleset: str) -> Response:
        refuse_unknown(request, {"kind", "mark", "q", "campaign"})
        law = _law(request, ruleset)
        asked = request.query_params.get("kind", "")
        kinds = [clean_slug(asked, field="/kind", among=law.catalogues)] if asked else list(law.catalogues)
        mark = request.query_params.get("mark", "")
        mark = clean_slug(mark, field="/mark", among=SOURCES) if mark else ""
        query = request.query_params.get("q", "")
        demand(len(query) <= SOUGHT_MAX, _("Use at most {most} characters; this has {count}."), field="/q",
               most=SOUGHT_MAX, count=len(query))  # fmt: skip
        wanted = split_words(query)
        body = {**_heading(law), **{kind: _items(law.catalogues[kind], wanted, mark) for kind in kinds}}
        return answer_conditionally(request, Response(body))


def _law(request: Request, slug: str) -> Law:
    if slug not in RULESETS:
        raise Http404
    if "campaign" not in request.query_params:
        return RULESETS[slug]
    if not request.user.is_authenticated:
        raise Http404  # only members may know that a campaign exists
    law = get_ruleset(get_campaign_for(request.user, request.query_params["campaign"]))
    if law.slug != slug:
        raise Http404
    return law


def _heading(law: Law) -> dict[str, Any]:
    """Return the ruleset's head with the templates of campaigns."""
    templates = [
        {"slug": one.slug, "name": render(one.name), "description": render(one.text)}
        for one in list_templates(law.slug).values()
    ]
    return {"slug": law.slug, "name": render(law.name), "version": law.version, "templates": templates}


def _items(catalogue: Catalogue, wanted: list[str], mark: str = "") -> list[dict[str, Any]]:
    drawn = [_item(item, catalogue) for item in catalogue.items.values() if mark in ("", item.mark)]
    return [
        item
        for item in drawn
        if contains_words(strip_accents(f"{item['slug']} {item['name']} {item['description']}"), wanted)
    ]


def _item(item: Any, catalogue: Catalogue) -> dict[str, Any]:
    figures = {
        name: getattr(item, name) for name in catalogue.figures if getattr(item, name, None) not in (None, "", ())
    }
    body = {"slug": item.slug, "name": render(item.name), "description": render(item.summary), "rule": item.rule}
    body |= {name: _plain(value) for name, value in figures.items()}
    if getattr(item, "off", False):
        body["off"] = True
    if item.mark:
        body["mark"] = item.mark.value
    return {**body, **catalogue.members(item)}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

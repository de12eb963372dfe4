"""The codex: every item of a ruleset by kind, with its rule, its words in the asked language, and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kingdom.api.concurrency import conditional
from kingdom.api.filters import refuse_unknown
from kingdom.selectors import campaign_for, ruleset_of
from kingdom.text import render
from rules.content import Item
from rules.pathfinder.ruleset import Ruleset
from rules.registry import RULESETS

KINDS = ("sizes", "tactics", "strategies", "boons", "resources", "abilities", "conditions", "offices", "buildings")
# figures shown as they are declared; a kind has those its items have
FIGURES = (
    "units", "step", "defeat", "om", "dv", "damage", "leadership", "tier", "needs_tactic", "price", "consumption",
    "scaled", "several", "replaces", "value", "class_levels", "always_known", "boons", "defense",
)  # fmt: skip


class RulesetsView(APIView):
    """The rulesets a campaign may choose."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="rulesets_list", responses={200: {"type": "array", "items": {"type": "object"}}})
    def get(self, request: Request) -> Response:
        refuse_unknown(request, set())
        return Response([_heading(law) for law in RULESETS.values()])


class RulesView(APIView):
    """One ruleset, whole. `kind` and `q` narrow it; `campaign` shows it with that campaign's house rules."""

    permission_classes = (AllowAny,)

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", str, enum=KINDS),
            OpenApiParameter("q", str),
            OpenApiParameter("campaign", str),
        ],
        responses={200: {"type": "object"}},
    )
    def get(self, request: Request, ruleset: str) -> Response:
        refuse_unknown(request, {"kind", "q", "campaign"})
        law = _law(request, ruleset)
        kinds = [kind for kind in KINDS if request.query_params.get("kind", kind) == kind]
        wanted = request.query_params.get("q", "").strip().lower()
        body = {**_heading(law), **{kind: _items(getattr(law, kind), wanted) for kind in kinds}}
        return conditional(request, Response(body))


def _law(request: Request, slug: str) -> Ruleset:
    if slug not in RULESETS:
        raise Http404
    if "campaign" not in request.query_params:
        return RULESETS[slug]
    if not request.user.is_authenticated:
        raise Http404  # a campaign exists for its members
    law = ruleset_of(campaign_for(request.user, request.query_params["campaign"]))
    if law.slug != slug:
        raise Http404
    return law


def _heading(law: Ruleset) -> dict[str, Any]:
    return {"slug": law.slug, "name": render(law.name), "version": law.version}


def _items(catalogue: Mapping[str, Item], wanted: str) -> list[dict[str, Any]]:
    drawn = [_item(item) for item in catalogue.values()]
    return [item for item in drawn if wanted in f"{item['slug']} {item['name']} {item['description']}".lower()]


def _item(item: Any) -> dict[str, Any]:
    figures = {name: getattr(item, name) for name in FIGURES if getattr(item, name, None) not in (None, "", ())}
    body = {"slug": item.slug, "name": render(item.name), "description": render(item.summary), "rule": item.rule}
    body |= {name: _plain(value) for name, value in figures.items()}
    if getattr(item, "off", False):
        body["off"] = True
    if hasattr(item, "factor"):
        body["price_factor"] = str(item.factor)
    if getattr(item, "options", ()):
        body["options"] = [
            {"slug": o.slug, "kind": o.kind, "choices": list(o.choices), "required": o.required} for o in item.options
        ]
    if getattr(item, "buildings", ()):
        body["buildings"] = list(item.buildings)
    return body


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

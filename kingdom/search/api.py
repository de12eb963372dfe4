"""API of `find/`: one search over everything a user may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.serializers import refuse_unknown
from core.clean_input import clean_slug
from core.text import build_absolute_url
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.authentication import Scoped
from kingdom.search.search_registry import SOUGHT_MAX, FoundKind, find, kinds
from rules.core.errors import demand
from rules.core.text import _


class FoundKinds:
    """The kinds of results, for OpenAPI; apps contribute them."""

    def __iter__(self) -> Iterator[str]:
        return iter(kinds())


class FoundSerializer(serializers.Serializer):
    """`id`: of the resource of this kind (a `glimpse` is an army that the map shows but whose sheet is hidden); of a
    rule its ruleset, kind and slug. `url`: its page.
    """

    kind = serializers.CharField()
    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    campaign = serializers.UUIDField(source="campaign.pk")
    url = serializers.SerializerMethodField()

    def get_url(self, found: Any) -> str:
        return build_absolute_url(self.context["request"], found.url)


class FindSerializer(serializers.Serializer):
    """The best results of each kind, beginning with the kind of the best one. `more`: kinds with further results;
    search them alone.
    """

    results = FoundSerializer(many=True)
    more = serializers.ListField(child=serializers.CharField())


class FindView(Scoped, APIView):
    counted = "search"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        parameters=[
            OpenApiParameter("q", str, required=True, description="Words of a name; case and accents do not count."),
            OpenApiParameter(
                "campaign", OpenApiTypes.UUID, description="Its own come first; rules are looked up in it."
            ),
            OpenApiParameter("kind", str, enum=FoundKinds()),  # type: ignore[arg-type]  # read as it is drawn
        ],
        responses=FindSerializer,
        summary="Everything by that name that you may see, in all your campaigns",
    )
    def get(self, request: ApiRequest) -> Response:
        refuse_unknown(request, {"q", "campaign", "kind"})
        asked = request.query_params
        query, kind = asked.get("q", ""), asked.get("kind", "")
        demand(len(query) <= SOUGHT_MAX, _("Use at most {most} characters; this has {count}."), field="/q",
               most=SOUGHT_MAX, count=len(query))  # fmt: skip
        here = get_campaign_for(request.user, asked["campaign"]) if "campaign" in asked else None
        groups = find(request.user, query, here, clean_slug(kind, field="/kind", among=[*kinds()]) if kind else "")
        return Response(FindSerializer(_body(groups), context={"request": request}).data)


def _body(groups: list[FoundKind]) -> dict[str, Any]:
    found = [one for group in groups for one in group.found]
    return {"results": found, "more": [group.kind for group in groups if group.more]}

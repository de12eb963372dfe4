"""`campaigns/{id}/known-armies/` for everybody at the table; for the GM `campaigns/{id}/insights/` and
`armies/{id}/hidden/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.response import Response

from armies.access import army_for, knowledge_of, known_to
from armies.engagements import engaged_in
from armies.known.page import insights_in
from armies.models import Army, Insight, rows_of
from armies.selectors.glimpses import glimpse_of
from armies.services.knowledge import hide_army, let_know
from kingdom.api.base import ApiActions, ApiView, checked
from kingdom.api.bodies import Input
from kingdom.api.fields import KnowledgeField
from kingdom.api.problems import seen
from kingdom.models import Campaign, Kingdom, Knowledge, Scope
from kingdom.request_types import ApiRequest
from kingdom.selectors import campaign_for, kingdom_for, require_gm
from kingdom.text import render


class KnownArmySerializer(serializers.ModelSerializer):
    """An army as far as you know it. `kind`, `size` and `health` are words, null where no more than its name is known;
    who knows `all` of it reads it at `armies/{id}/`.
    """

    known = serializers.SerializerMethodField()
    kind = serializers.SerializerMethodField()
    size = serializers.SerializerMethodField()
    health = serializers.SerializerMethodField()

    class Meta:
        model = Army
        fields = ("id", "campaign", "kingdom", "name", "known", "kind", "size", "health")

    def get_known(self, army: Army) -> str:
        return Knowledge(knowledge_of(army)).name.lower()

    def get_kind(self, army: Army) -> str | None:
        return self._word(army, "kind")

    def get_size(self, army: Army) -> str | None:
        return self._word(army, "size")

    def get_health(self, army: Army) -> str | None:
        return self._word(army, "health")

    def _word(self, army: Army, member: str) -> str | None:
        glimpse = glimpse_of(army, self.context["engaged"].get(army.pk))
        return None if glimpse is None else render(getattr(glimpse, member))


class InsightInput(Input):
    """`army` or `realm`: of which army, or of whose, `kingdom` knows something. `mutual`: allies, each of the other's.

    `level` "nothing" takes it away.
    """

    kingdom = serializers.UUIDField()
    army = serializers.UUIDField(required=False)
    realm = serializers.UUIDField(required=False)
    mutual = serializers.BooleanField(required=False, default=False)
    level = KnowledgeField()


class InsightSerializer(serializers.ModelSerializer):
    level = KnowledgeField(read_only=True)

    class Meta:
        model = Insight
        fields = ("id", "kingdom", "army", "realm", "mutual", "level")


class HiddenInput(Input):
    hidden = serializers.BooleanField()


HIDDEN = inline_serializer("ArmyHidden", {"id": serializers.UUIDField(), "hidden": serializers.BooleanField()})


class KnownArmiesView(ApiActions):
    scope = Scope.MANAGE
    queryset = Army.objects.none()
    serializer_class = KnownArmySerializer

    @extend_schema(responses=KnownArmySerializer(many=True), summary="Armies, as far as you know of them")
    def list(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = campaign_for(request.user, campaign_id)
        rows = known_to(request.user, rows_of(Army).filter(campaign=campaign)).order_by("id")
        context = {"engaged": engaged_in(campaign)}

        def draw(page: Sequence[Army], **options: Any) -> KnownArmySerializer:
            for army in page:
                army.campaign = campaign
            return KnownArmySerializer(page, context=context, **options)

        return self.answer_sublist(rows, draw)


class InsightsView(ApiActions):
    scope = Scope.MANAGE
    queryset = Insight.objects.none()
    serializer_class = InsightSerializer

    @extend_schema(responses=InsightSerializer(many=True), summary="Spies and allies (GM)")
    def list(self, request: ApiRequest, campaign_id: UUID) -> Response:
        return self.answer_sublist(insights_in(self._campaign(campaign_id)).order_by("id"), InsightSerializer)

    @extend_schema(request=InsightInput, responses=InsightSerializer, summary="Let a kingdom know of armies (GM)")
    def create(self, request: ApiRequest, campaign_id: UUID) -> Response:
        self._campaign(campaign_id)
        given = checked(InsightInput(data=request.data))
        named: dict[str, Any] = {
            name: self._kingdom(name, given.pop(name)) for name in ("kingdom", "realm") if name in given
        }
        if "army" in given:
            with seen("/army"):
                given["army"] = army_for(request.user, given["army"], Army)
        found = let_know(by=request.user, **named, **given)
        return Response(InsightSerializer(found).data)

    def _campaign(self, campaign_id: UUID) -> Campaign:
        campaign = campaign_for(self.request.user, campaign_id)
        require_gm(self.request.user, campaign)
        return campaign

    def _kingdom(self, name: str, key: UUID) -> Kingdom:
        with seen(f"/{name}"):
            return kingdom_for(self.request.user, key)


class ArmyHiddenView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(request=HiddenInput, responses=HIDDEN, summary="Hide an army from the other players, or not (GM)")
    def post(self, request: ApiRequest, army_id: UUID) -> Response:
        army = army_for(request.user, army_id, Army)
        require_gm(request.user, army.campaign)
        army = hide_army(by=request.user, army=army, **checked(HiddenInput(data=request.data)))
        return Response({"id": army.pk, "hidden": army.hidden})

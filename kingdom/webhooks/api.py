"""API of `campaigns/{id}/webhooks/` and `webhooks/`, for GMs."""

from __future__ import annotations

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from core.api.concurrency import Cursor, answer_conditionally
from core.api.problems import Sealed
from core.api.serializers import Input, NoInput
from core.clean_input import NAME_MAX
from core.text import get_origin, render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import require_gm
from kingdom.api.base_views import UUID_PATTERN, ApiActions, CampaignActions
from kingdom.api.fields import NameField
from kingdom.models import DeliveryState, Scope, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.webhooks import event_types
from kingdom.webhooks.addresses import URL_MAX
from kingdom.webhooks.delivery import withheld_because
from kingdom.webhooks.queries import deliveries_of, delivery_of, get_webhook_for, webhooks_of
from kingdom.webhooks.services import (
    NewWebhook,
    create_webhook,
    delete_webhook,
    rotate_secret,
    send_again,
    send_test,
    switch_webhook,
    update_webhook,
)

EVENTS = [(slug, slug) for slug in event_types.list_slugs()]
SHAPE_HELP = "`standard`: ids and links, for programs; `discord`: a sentence that every player may read."
STATES = [("on", "on"), ("paused", "paused")]


class WebhookSerializer(serializers.Serializer):
    """`secret`: only in the response that creates it, later null. `failing_since`: no delivery has succeeded since
    then.
    """

    id = serializers.UUIDField(read_only=True)
    campaign = serializers.UUIDField(source="campaign_id", read_only=True)
    name = serializers.CharField(read_only=True)
    url = serializers.CharField(read_only=True)
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), read_only=True)
    shape = serializers.ChoiceField(choices=Webhook.Shape.choices, read_only=True, help_text=SHAPE_HELP)
    language = serializers.ChoiceField(choices=settings.LANGUAGES, read_only=True)
    state = serializers.ChoiceField(
        choices=WebhookState.choices, read_only=True, help_text="`off`: nothing came through for days"
    )
    failing_since = serializers.DateTimeField(read_only=True, allow_null=True)
    created_at = serializers.DateTimeField(read_only=True)
    secret = serializers.SerializerMethodField()

    def get_secret(self, webhook: Webhook) -> str | None:
        made: NewWebhook | None = self.context.get("made")
        return made.secret if made else None


class WebhookInput(Input):
    url = NameField(max_length=URL_MAX, help_text="https, a public address")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EVENTS), allow_empty=False, max_length=len(EVENTS)
    )
    name = NameField(max_length=NAME_MAX, required=False, allow_blank=True, help_text="default: as its host is called")
    shape = serializers.ChoiceField(choices=Webhook.Shape.choices, required=False, help_text=SHAPE_HELP)
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES, required=False, help_text="of sentences; default: that of your account"
    )


class WebhookChange(WebhookInput):
    name = NameField(max_length=NAME_MAX, required=False)
    state = serializers.ChoiceField(choices=STATES, required=False, help_text="pause it, or let it go on")


class WebhookAttemptSerializer(serializers.Serializer):
    """`status`: of the response, null if there was none. `answer`: its first lines."""

    at = serializers.DateTimeField(read_only=True)
    milliseconds = serializers.IntegerField(read_only=True)
    status = serializers.IntegerField(read_only=True, allow_null=True)
    trouble = serializers.ChoiceField(choices=WebhookAttempt.Hitch.choices, read_only=True)
    answer = serializers.CharField(read_only=True)


class WebhookDeliverySerializer(serializers.Serializer):
    """`message`: the id that receivers see, the same in every attempt."""

    id = serializers.UUIDField(read_only=True)
    message = serializers.CharField(source="message_id", read_only=True)
    event = serializers.CharField(read_only=True)
    at = serializers.DateTimeField(read_only=True)
    state = serializers.ChoiceField(choices=DeliveryState.choices, read_only=True)
    next_at = serializers.SerializerMethodField(help_text="of the next attempt, while it waits")
    why = serializers.SerializerMethodField(help_text="why nothing was sent, where it is `withheld`")
    attempts = WebhookAttemptSerializer(many=True, read_only=True)

    def get_why(self, delivery: WebhookDelivery) -> str | None:
        why = withheld_because(delivery)
        return render(why) if why else None

    def get_next_at(self, delivery: WebhookDelivery) -> str | None:
        return delivery.next_at.isoformat() if delivery.state == DeliveryState.WAITING else None


class CampaignWebhooks(Sealed, CampaignActions):
    scope = Scope.MANAGE
    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    input_class = WebhookInput
    filterset_class = None

    @extend_schema(responses=WebhookSerializer(many=True), summary="Webhooks of a campaign (GM)")
    def list(self, request: ApiRequest, campaign_id: str) -> Response:
        return self.answer_sublist(webhooks_of(request.user, self.campaign()), WebhookSerializer)

    @extend_schema(request=WebhookInput, responses={201: WebhookSerializer}, summary="Make a webhook (GM)")
    def create(self, request: ApiRequest, campaign_id: str) -> Response:
        campaign = self.campaign()
        require_gm(request.user, campaign)
        made = create_webhook(by=request.user, campaign=campaign, origin=get_origin(request), **self.input())
        return Response(WebhookSerializer(made.webhook, context={"made": made}).data, status=201)


class WebhookViewSet(Sealed, ApiActions):
    scope = Scope.MANAGE
    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    input_class = WebhookChange
    filterset_class = None

    def get_object(self) -> Webhook:
        return get_webhook_for(self.request.user, self.kwargs["pk"])

    @extend_schema(responses=WebhookSerializer, summary="A webhook (GM)")
    def retrieve(self, request: ApiRequest, pk: str) -> Response:
        return answer_conditionally(request, self.drawn(self.get_object()))

    @extend_schema(request=WebhookChange(partial=True), responses=WebhookSerializer, summary="Change a webhook (GM)")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        webhook = self.get_object()
        self.refuse_stale(webhook)
        given = self.change_of(webhook)
        state = given.pop("state", None)
        self.begin()
        webhook = update_webhook(by=request.user, webhook=webhook, origin=get_origin(request), **given)
        if state is not None:
            webhook = switch_webhook(by=request.user, webhook=webhook, on=state == WebhookState.ON)
        return self.drawn(webhook)

    @extend_schema(responses={204: None}, summary="Remove a webhook (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        webhook = self.get_object()
        self.refuse_stale(webhook)
        delete_webhook(by=request.user, webhook=webhook)
        return Response(status=204)

    @extend_schema(
        request=None, responses=WebhookSerializer, summary="A new secret; the old one signs along for a day (GM)"
    )
    @action(detail=True, methods=["post"])
    def secret(self, request: ApiRequest, pk: str) -> Response:
        webhook = self.get_object()
        self.input(NoInput)
        made = rotate_secret(by=request.user, webhook=webhook)
        return Response(WebhookSerializer(made.webhook, context={"made": made}).data)

    @extend_schema(request=None, responses={202: WebhookDeliverySerializer}, summary="Send a test (GM)")
    @action(detail=True, methods=["post"], counted="costly")
    def test(self, request: ApiRequest, pk: str) -> Response:
        webhook = self.get_object()
        self.input(NoInput)
        return _on_its_way(send_test(by=request.user, webhook=webhook))

    @extend_schema(responses=WebhookDeliverySerializer(many=True), summary="What it was told, newest first (GM)")
    @action(detail=True)
    def deliveries(self, request: ApiRequest, pk: str) -> Response:
        return self.answer_sublist(deliveries_of(self.get_object()), WebhookDeliverySerializer, NewestTold)

    @extend_schema(
        parameters=[OpenApiParameter("delivery", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        request=None,
        responses={202: WebhookDeliverySerializer},
        summary="Send a message again, under its own id (GM)",
    )
    @action(
        detail=True,
        methods=["post"],
        url_path=rf"deliveries/(?P<delivery>{UUID_PATTERN})/again",
        url_name="again",
        counted="costly",
    )
    def again(self, request: ApiRequest, pk: str, delivery: str) -> Response:
        webhook = self.get_object()
        self.input(NoInput)
        return _on_its_way(send_again(by=request.user, delivery=delivery_of(webhook, delivery)))


class NewestTold(Cursor):
    ordering = "-id"


def _on_its_way(delivery: WebhookDelivery) -> Response:
    return Response(WebhookDeliverySerializer(delivery).data, status=202)

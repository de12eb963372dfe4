"""API of `campaigns/{id}/shares/`: public links to battles and kingdoms, and their pictures."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from core.api.problems import NotVisible, Sealed, point_at
from core.api.serializers import Input, refuse_unknown
from core.clean_input import clean_slug, parse_uuid
from core.text import build_absolute_url
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView, CampaignActions
from kingdom.api.fields import WholeField
from kingdom.models import Scope, ShareLink
from kingdom.sharing.preview_image import png_of
from kingdom.sharing.queries import list_shares, preview_for, require_sharer, share_of
from kingdom.sharing.services import DAYS, DAYS_MOST, NewShare, create_share, revoke_share
from kingdom.sharing.share_kinds import list_kinds

KINDS = ("live", "replay", "report", "kingdom", "story")
KIND_HELP = "`live`, `replay` and `report` show a battle, `kingdom` the public page of one, `story` the war in prose."
THING_HELP = "the battle or the kingdom; for `story` the campaign"


class ShareLinkSerializer(serializers.Serializer):
    """`url`: the link itself, `picture`: the address of its preview image, a PNG. Both only in the response that
    creates the link; later they are null, since the token in them is not stored.
    """

    id = serializers.UUIDField(read_only=True)
    kind = serializers.ChoiceField(choices=KINDS, read_only=True, help_text=KIND_HELP)
    thing = serializers.UUIDField(read_only=True)
    url = serializers.SerializerMethodField()
    picture = serializers.SerializerMethodField()
    by = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(read_only=True)
    expires = serializers.DateTimeField(read_only=True, allow_null=True)
    last_used_at = serializers.DateTimeField(read_only=True, allow_null=True)

    @extend_schema_field({"type": "string", "format": "uri", "nullable": True})
    def get_url(self, link: ShareLink) -> str | None:
        return self._address("kingdom:shared")

    @extend_schema_field({"type": "string", "format": "uri", "nullable": True})
    def get_picture(self, link: ShareLink) -> str | None:
        return self._address("kingdom:shared_picture")

    def _address(self, page: str) -> str | None:
        made: NewShare | None = self.context.get("made")
        if made is None:
            return None
        return build_absolute_url(self.context["request"], reverse(page, args=[made.token]))

    def get_by(self, link: ShareLink) -> str | None:
        return link.created_by.username if link.created_by else None


class ShareLinkInput(Input):
    kind = serializers.ChoiceField(choices=KINDS, help_text=KIND_HELP)
    thing = serializers.UUIDField(help_text=THING_HELP)
    days = WholeField(
        required=False, allow_null=True, min_value=1, max_value=DAYS_MOST,
        help_text=f"how long it works; null: until it is revoked. Default: {DAYS}",
    )  # fmt: skip


class ShareViewSet(Sealed, CampaignActions):
    """Share links of a campaign that are not revoked: all for the GM, their own for others."""

    scope = Scope.MANAGE
    queryset = ShareLink.objects.none()
    serializer_class = ShareLinkSerializer
    input_class = ShareLinkInput
    filterset_class = None

    @extend_schema(responses=ShareLinkSerializer(many=True), summary="Share links")
    def list(self, request: ApiRequest, campaign_id: str) -> Response:
        return self.answer_sublist(list_shares(request.user, self.campaign()), self._draw)

    @extend_schema(request=ShareLinkInput, responses={201: ShareLinkSerializer}, summary="Make a share link")
    def create(self, request: ApiRequest, campaign_id: str) -> Response:
        campaign = self.campaign()
        require_sharer(request.user, campaign)
        given = self.input()
        with point_at("/thing"):
            made = create_share(by=request.user, campaign=campaign, **given)
        return Response(self._draw(made.link, made=made).data, status=201)

    @extend_schema(
        parameters=[OpenApiParameter("share", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses={204: None},
        summary="Revoke a share link",
    )
    def destroy(self, request: ApiRequest, campaign_id: str, share: str) -> Response:
        campaign = self.campaign()
        revoke_share(by=request.user, link=share_of(request.user, campaign, share))
        return Response(status=204)

    def _draw(self, *args: Any, made: NewShare | None = None, **options: Any) -> ShareLinkSerializer:
        context = {**self.get_serializer_context(), "made": made}
        return ShareLinkSerializer(*args, context=context, **options)


class SharePictureView(ApiView):
    """The preview image of a share link, for whoever may make that link. No link is made."""

    counted = "costly"

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", str, enum=KINDS, required=True, description=KIND_HELP),
            OpenApiParameter("thing", OpenApiTypes.UUID, required=True, description=THING_HELP),
        ],
        responses={(200, "image/png"): OpenApiTypes.BINARY},
        summary="The picture of a share link, without a link",
    )
    def get(self, request: ApiRequest, campaign_id: UUID) -> HttpResponse:
        refuse_unknown(request, {"kind", "thing"})
        campaign = get_campaign_for(request.user, campaign_id)
        require_sharer(request.user, campaign)
        kind = clean_slug(request.query_params.get("kind", ""), field="/kind", among=list_kinds())
        thing = parse_uuid(request.query_params.get("thing"))
        if thing is None:
            raise NotVisible("/thing")
        with point_at("/thing"):
            preview = preview_for(request.user, campaign, list_kinds()[kind], thing)
        return HttpResponse(png_of(preview), content_type="image/png")

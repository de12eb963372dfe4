"""API of `campaigns/{id}/pictures/`: portraits, banners, pictures of armies, unit types and below the map."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from core.api.serializers import Input, refuse_unknown
from core.text import build_absolute_url
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView, validate_body
from kingdom.models import Campaign, Scope
from kingdom.pictures.forms import read_upload
from kingdom.pictures.queries import ShownPicture, describe_picture, get_editable, get_picture, list_visible_pictures
from kingdom.pictures.services import remove_picture, save_picture
from kingdom.pictures.views import answer_picture

KINDS = ("army", "commander", "kingdom", "map", "unit")
THING = (
    OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=KINDS),
    OpenApiParameter("thing", str, OpenApiParameter.PATH, description="the id of the thing; of a unit type its slug"),
)


class PictureSerializer(serializers.Serializer):
    """`file`: the address of the WebP file, at most 512 × 512 pixels, below a map 4096 × 4096. `digest`: changes with
    what you see of the picture.
    """

    kind = serializers.ChoiceField(choices=KINDS)
    key = serializers.CharField(help_text="the id of the thing; of a unit type its slug")
    file = serializers.SerializerMethodField()
    digest = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_file(self, picture: ShownPicture) -> str:
        args = [self.context["campaign"].pk, picture.kind, picture.key]
        return build_absolute_url(self.context["request"], reverse("picture", args=args))


class PictureListSerializer(serializers.Serializer):
    """All pictures at once: there is only one page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PictureSerializer(many=True)


class PictureInput(Input):
    file = serializers.FileField(help_text="JPEG, PNG or WebP, at most 2 MB, below a map 8 MB", allow_empty_file=True)


class PicturesView(ApiView):
    """The pictures of a campaign."""

    @extend_schema(operation_id="pictures_list", responses=PictureListSerializer, summary="Pictures you may see")
    def get(self, request: ApiRequest, campaign_id: UUID) -> Response:
        refuse_unknown(request, set())
        campaign = get_campaign_for(request.user, campaign_id)
        found = list(list_visible_pictures(request.user, campaign))
        return Response({"next": None, "previous": None, "results": _draw(request, campaign, found, many=True)})


class PictureFileView(ApiView):
    """The picture of one object."""

    scope = Scope.MANAGE
    parser_classes = (MultiPartParser,)
    counted = "costly"

    @extend_schema(
        parameters=[*THING], responses={(200, "image/webp"): OpenApiTypes.BINARY}, summary="The picture of a thing"
    )
    def get(self, request: ApiRequest, campaign_id: UUID, kind: str, thing: str) -> HttpResponse:
        refuse_unknown(request, set())
        campaign = get_campaign_for(request.user, campaign_id)
        return answer_picture(get_picture(request.user, campaign, kind, thing))

    @extend_schema(
        parameters=[*THING],
        request={"multipart/form-data": PictureInput},
        responses=PictureSerializer,
        summary="Upload the picture of a thing",
    )
    def put(self, request: ApiRequest, campaign_id: UUID, kind: str, thing: str) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        owned = get_editable(request.user, campaign, kind, thing)  # permission is checked before the upload is read
        sent = read_upload(validate_body(PictureInput(data=request.data))["file"], owned.owner.limits)
        found = save_picture(by=request.user, campaign=campaign, kind=kind, key=thing, sent=sent)
        return Response(_draw(request, campaign, describe_picture(found)))

    @extend_schema(parameters=[*THING], responses={204: None}, summary="Remove the picture of a thing")
    def delete(self, request: ApiRequest, campaign_id: UUID, kind: str, thing: str) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        remove_picture(by=request.user, campaign=campaign, kind=kind, key=thing)
        return Response(status=204)


def _draw(request: ApiRequest, campaign: Campaign, found: Any, *, many: bool = False) -> Any:
    return PictureSerializer(found, many=many, context={"request": request, "campaign": campaign}).data

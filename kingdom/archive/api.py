"""API of `campaigns/{id}/export/` and `campaigns/import/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api.serializers import refuse_unknown
from core.text import load_said, render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView
from kingdom.archive.export_rows import document_for, get_import_for
from kingdom.archive.services import import_campaign, start_import, stop_import
from kingdom.campaign.serializers import CampaignSerializer
from kingdom.models import Campaign, CampaignImport, Scope
from rules.core.errors import demand
from rules.core.text import _

IN_MEMORY = 1_048_576  # bytes of a document held in memory; more go to a temporary file
CHUNK = 65_536
MEMBERS, ASKED, NOT_ASKED = "members", "true", "false"
DOCUMENT = {"application/json": OpenApiTypes.OBJECT}


class DocumentParser(BaseParser):
    """Parser that copies the document to disk, from where it is read piece by piece."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (closed with its request)
        copyfileobj(stream, file, CHUNK)
        return file


class PackedParser(DocumentParser):
    media_type = "application/gzip"


class BroughtInSerializer(CampaignSerializer):
    """The imported campaign, with warnings about what could not be imported."""

    warnings = serializers.SerializerMethodField()

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = (*CampaignSerializer.Meta.fields, "warnings")

    def get_warnings(self, campaign: Campaign) -> list[str]:
        return [render(one) for one in self.context["warnings"]]


def document_response(pieces: Iterator[bytes], campaign: Campaign) -> StreamingHttpResponse:
    """Return the document as a download."""
    response = StreamingHttpResponse(pieces, content_type="application/json")
    name = slugify(campaign.name) or "campaign"
    response["Content-Disposition"] = f'attachment; filename="{name}.warhost.json"'
    return response


class ExportView(ApiView):
    counted = "costly"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                MEMBERS, str, enum=(NOT_ASKED, ASKED), description="With the people at the table, by name."
            )
        ],
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
        summary="A campaign as one document, to be brought in elsewhere (GM)",
    )
    def get(self, request: ApiRequest, pk: UUID) -> StreamingHttpResponse:
        campaign = get_campaign_for(request.user, pk)
        refuse_unknown(request, {MEMBERS})
        asked = request.query_params.get(MEMBERS, NOT_ASKED)
        demand(asked in (ASKED, NOT_ASKED), _("Use true or false."), field=f"/{MEMBERS}")
        return document_response(document_for(request.user, campaign, named=asked == ASKED), campaign)


class ImportSerializer(serializers.ModelSerializer):
    """Progress of an import: `done` of `of` rows in this `step`; `of` is 0 while the number is unknown. `campaign`: the
    imported one; `faults`: what is wrong with the document, if nothing was imported.
    """

    state = serializers.ChoiceField(choices=CampaignImport.Status.choices)
    step = serializers.ChoiceField(choices=CampaignImport.ImportStep.values)
    campaign = serializers.UUIDField(source="campaign_id", allow_null=True)
    faults = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()

    class Meta:
        model = CampaignImport
        fields = ("id", "state", "step", "done", "of", "campaign", "faults", "warnings")

    @extend_schema_field(serializers.ListField(child=serializers.DictField(child=serializers.CharField())))
    def get_faults(self, found: CampaignImport) -> list[dict[str, str]]:
        return [{"pointer": pointer, "detail": render(load_said(said))} for pointer, said in found.faults]

    def get_warnings(self, found: CampaignImport) -> list[str]:
        return [render(load_said(said)) for said in found.warnings]


class ImportedView(ApiView):
    """A running import. Only the user who started it may read it; it is kept for a day."""

    scope = Scope.MANAGE
    beyond = ("get", "delete")

    @extend_schema(responses=ImportSerializer, summary="How far a campaign that is brought in is, and what came of it")
    def get(self, request: ApiRequest, import_id: UUID) -> Response:
        refuse_unknown(request, set())
        return Response(ImportSerializer(get_import_for(request.user, import_id)).data)

    @extend_schema(responses={204: None}, summary="Stop it: nothing is brought in then")
    def delete(self, request: ApiRequest, import_id: UUID) -> Response:
        stop_import(by=request.user, import_id=import_id)
        return Response(status=204)


class ImportView(ApiView):
    scope, counted = Scope.MANAGE, "costly"
    action, beyond = "create", ("create",)  # as for a new campaign
    parser_classes = (DocumentParser, PackedParser)

    @extend_schema(
        request={**DOCUMENT, "application/gzip": OpenApiTypes.BINARY},
        parameters=[
            OpenApiParameter("Prefer", str, OpenApiParameter.HEADER, description="`respond-async`: do not wait for it")
        ],
        responses={
            201: BroughtInSerializer,
            202: OpenApiResponse(ImportSerializer, description="It goes on: read it at `Location`."),
        },
        summary="Bring in a campaign from its document; whoever does is its GM",
    )
    def post(self, request: ApiRequest) -> Response:
        refuse_unknown(request, set())
        if "respond-async" in request.headers.get("Prefer", ""):
            begun = start_import(by=request.user, file=self._document())
            address = reverse("campaign_imported", args=[begun.pk], request=request)
            return Response(ImportSerializer(begun).data, status=202, headers={"Location": address})
        found = import_campaign(by=request.user, file=self._document())
        context = {"request": request, "warnings": found.warnings}
        return Response(BroughtInSerializer(found.campaign, context=context).data, status=201)

    def said(self, request: Any) -> Iterable[bytes]:
        file = self._document()
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk

    def _document(self) -> BinaryIO:
        data = self.request.data
        demand(hasattr(data, "read"), _("Send the campaign file as the request body."))
        return cast(BinaryIO, data)

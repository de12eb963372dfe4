"""Serializers for approvals: what players may do by themselves, and what they asked of the GM."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from core.api.input_serializers import Input
from core.text import from_json, render
from kingdom.access.request_types import ApiRequest
from kingdom.approvals.queries import visible_petition_changes
from kingdom.chronicle.serializers import ChangeSerializer
from kingdom.models import Petition


@extend_schema_serializer(component_name="ApprovalRequest")
class PetitionSerializer(serializers.ModelSerializer):
    """What a player asked of the GM: the kind of deed, in words, and the lines it would change (or has, if granted).

    `status`: waiting, granted, refused (perhaps with a `reason`) or withdrawn. `entry` is the chronicle entry that
    tells of the answer.
    """

    by = serializers.CharField(source="by.username", default=None, read_only=True, allow_null=True)
    text = serializers.SerializerMethodField()
    changes = serializers.SerializerMethodField()
    answered_by = serializers.CharField(source="answered_by.username", default=None, read_only=True, allow_null=True)

    class Meta:
        model = Petition
        fields = (
            "id", "campaign", "by", "day", "at", "kind", "text", "changes", "kingdoms", "status", "reason",
            "answered_by", "answered_at", "entry",
        )  # fmt: skip

    def get_text(self, petition: Petition) -> str:
        return render(from_json(petition.text))

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, petition: Petition) -> Any:
        changes = visible_petition_changes(self.context["request"].user, petition)
        return ChangeSerializer(changes, many=True).data


class RefuseInput(Input):
    reason = serializers.CharField(required=False, allow_blank=True)


def asked_response(petition: Petition, request: ApiRequest) -> Response:
    """202: it waits for the GM."""
    response = Response(PetitionSerializer(petition, context={"request": request}).data, status=202)
    response["Location"] = request.build_absolute_uri(reverse("request-detail", args=[petition.pk]))
    return response


def or_asked(answer: Any, code: int = 200) -> dict[int, Any]:
    """For the document: what a deed answers, or 202 with the request where a player needs leave."""
    return {code: answer, 202: PetitionSerializer}

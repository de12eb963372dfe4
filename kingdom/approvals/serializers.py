"""Serializers for approval requests."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from core.api.serializers import Input
from core.text import load_said, render
from kingdom.access.request_types import ApiRequest
from kingdom.approvals.queries import list_visible_changes
from kingdom.chronicle.serializers import ChangeSerializer
from kingdom.models import ApprovalRequest


@extend_schema_serializer(component_name="ApprovalRequest")
class ApprovalRequestSerializer(serializers.ModelSerializer):
    """An action a player asked of the GM: its kind, its text, and the fields it would change (or has changed, if
    granted).

    `status`: waiting, granted, refused (perhaps with a `reason`) or withdrawn. `entry` is the chronicle entry of the
    answer.
    """

    by = serializers.CharField(source="by.username", default=None, read_only=True, allow_null=True)
    text = serializers.SerializerMethodField()
    changes = serializers.SerializerMethodField()
    answered_by = serializers.CharField(source="answered_by.username", default=None, read_only=True, allow_null=True)

    class Meta:
        model = ApprovalRequest
        fields = (
            "id", "campaign", "by", "day", "at", "kind", "text", "changes", "kingdoms", "status", "reason",
            "answered_by", "answered_at", "entry",
        )  # fmt: skip

    def get_text(self, petition: ApprovalRequest) -> str:
        return render(load_said(petition.text))

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, petition: ApprovalRequest) -> Any:
        changes = list_visible_changes(self.context["request"].user, petition)
        return ChangeSerializer(changes, many=True).data


class RefuseInput(Input):
    reason = serializers.CharField(required=False, allow_blank=True)


def build_request_response(petition: ApprovalRequest, request: ApiRequest) -> Response:
    """Return a 202 with the waiting request."""
    response = Response(ApprovalRequestSerializer(petition, context={"request": request}).data, status=202)
    response["Location"] = request.build_absolute_uri(reverse("request-detail", args=[petition.pk]))
    return response


def document_approval(answer: Any, code: int = 200) -> dict[int, Any]:
    """Return the documented responses of an action: its answer, or 202 with the request if a player needs approval."""
    return {code: answer, 202: ApprovalRequestSerializer}

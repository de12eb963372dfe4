"""Serializers of chronicle entries and their lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.text import load_said, render
from kingdom.access.queries import reads_all
from kingdom.api.fields import SaidField
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.queries import list_visible_changes
from kingdom.models import Campaign, ChronicleEntry, User


class SideField(serializers.JSONField):
    """One side of a line, reduced to what readers of the line may know."""

    def get_attribute(self, instance: chronicle_changes.Change) -> Any:
        return chronicle_changes.serialize_value(instance.subject_kind, instance.field, super().get_attribute(instance))


class ChangeSerializer(serializers.Serializer):
    """A line of a proposal or of a chronicle entry: one changed field."""

    subject = serializers.SerializerMethodField()
    subject_kind = serializers.CharField(read_only=True)
    subject_id = serializers.CharField(read_only=True)
    field = serializers.CharField(read_only=True)
    before = SideField(read_only=True)
    after = SideField(read_only=True)
    rule = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]

    def get_subject(self, change: chronicle_changes.Change) -> str:
        return change.subject or change.subject_id


class ChronicleSerializer(serializers.ModelSerializer):
    """A chronicle entry. `changes` are the lines the reader may read.

    `seq` is null for a reader who may not read everything: gaps would show how many entries are hidden.
    """

    seq = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    by = serializers.CharField(source="by.username", default=None, read_only=True, allow_null=True)
    undone = serializers.BooleanField(read_only=True)
    undone_by = serializers.CharField(source="undone_by.username", default=None, read_only=True, allow_null=True)
    changes = serializers.SerializerMethodField()

    class Meta:
        model = ChronicleEntry
        fields = (
            "id",
            "seq",
            "day",
            "at",
            "by",
            "kind",
            "text",
            "battle_id",
            "undone",
            "undone_at",
            "undone_by",
            "changes",
        )

    def get_seq(self, entry: ChronicleEntry) -> int | None:
        return entry.seq if self.context["everything"] else None

    def get_text(self, entry: ChronicleEntry) -> str:
        return render(load_said(entry.text))

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, entry: ChronicleEntry) -> Any:
        return ChangeSerializer(self.context["lines"].get(entry.pk, ()), many=True).data


def build_context(user: User, campaign: Campaign, entries: Sequence[ChronicleEntry]) -> dict[str, Any]:
    """Return the context `ChronicleSerializer` needs for a reader of these entries."""
    return {
        "lines": list_visible_changes(user, campaign, entries),
        "everything": reads_all(user, campaign),
    }

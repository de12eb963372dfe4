"""Serializer fields that all apps share."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.problems import NotVisible
from core.clean_input import ORIGIN_MAX, ORIGINS_MOST
from core.queries import find_one
from core.text import render
from kingdom.models import Campaign, Knowledge, Membership, User
from rules.core.breakdown import Breakdown
from rules.core.odds import rounded


class WholeField(serializers.IntegerField):
    """A JSON integer; texts, booleans and fractions are refused instead of converted."""

    default_error_messages = {"whole": _("Enter a whole number.")}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("whole")
        return super().to_internal_value(data)


class ChanceField(serializers.FloatField):
    """A probability, from 0 to 1."""

    def __init__(self, **options: Any):
        super().__init__(min_value=0, max_value=1, **options)

    def to_representation(self, value: Any) -> Any:
        return rounded(float(value))


class NameField(serializers.CharField):
    """A JSON text; numbers are refused."""

    default_error_messages = {"text": _("Enter text here.")}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("text")
        return super().to_internal_value(data)


KNOWLEDGE = [level.name.lower() for level in Knowledge]


class OriginsField(serializers.ListField):
    """Websites whose pages may call the API."""

    child = serializers.CharField(max_length=ORIGIN_MAX)

    def __init__(self, **options: Any):
        told = "websites whose pages may call this API with a token, as in `https://tools.example.org`"
        super().__init__(max_length=ORIGINS_MOST, help_text=told, **options)


class KnowledgeField(serializers.ChoiceField):
    """The level of knowledge of an army, as a word. `least`: the lowest that may be written."""

    def __init__(self, least: int = Knowledge.NOTHING, **options: Any):
        super().__init__(choices=KNOWLEDGE[least:], **options)

    def to_internal_value(self, data: Any) -> Any:
        return int(Knowledge[super().to_internal_value(data).upper()])

    def to_representation(self, value: Any) -> str:
        return Knowledge(value).name.lower()


@extend_schema_field(serializers.CharField())
class SaidField(serializers.Field):
    """A term or message of the rules, in the reader's language."""

    def __init__(self, **kwargs: Any):
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> str:
        return render(value)


class LineSerializer(serializers.Serializer):
    """One line of a breakdown."""

    label = SaidField()  # type: ignore[assignment]
    value = serializers.IntegerField(read_only=True)
    rule = serializers.CharField(read_only=True)


@extend_schema_field(LineSerializer(many=True))
class BreakdownField(serializers.Field):
    """The lines of a figure: `[{label, value, rule}]`."""

    def __init__(self, **kwargs: Any):
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Breakdown) -> list[dict[str, Any]]:
        return serialize_lines(value)


def serialize_lines(breakdown: Breakdown) -> list[dict[str, Any]]:
    return [{"label": render(line.label), "value": line.value, "rule": line.rule} for line in breakdown.lines]


# Serializer field for users: by username.


def member(campaign: Campaign, name: str, pointer: str) -> User:
    """Return the member with this username (or id). Raises `NotVisible`, alike for strangers and unknown names."""
    members = User.objects.filter(pk__in=Membership.objects.filter(campaign=campaign).values("user"))
    found = None if "\0" in name else find_one(members.filter(username=name)) or _by_id(members, name)
    if found is None:
        raise NotVisible(pointer)
    return found


def members(campaign: Campaign, names: list[str], pointer: str) -> list[User]:
    return [member(campaign, name, f"{pointer}/{position}") for position, name in enumerate(names)]


def _by_id(users: object, name: str) -> User | None:
    try:
        return find_one(users.filter(pk=UUID(name)))  # type: ignore[attr-defined]
    except ValueError:
        return None

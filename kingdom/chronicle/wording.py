"""Wording of chronicle lines: names of fields, and values in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.clean_input import parse_uuid
from core.text import load_said, render
from kingdom.access.queries import reads_all
from kingdom.api.fields import SaidField
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.queries import FIRST, NO_LINES, FirstLines, list_visible_changes, load_first_lines
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.text import Said

NOBODY = "–"


class ChangeInWords(NamedTuple):
    """One line in words: the old and new value, and the reason (`label`, empty if the field says enough)."""

    subject: str
    field: Said
    before: Any
    after: Any
    rule: str
    label: Said | str


class EntryInWords(NamedTuple):
    entry: ChronicleEntry
    text: Any
    changes: list[ChangeInWords]


def entries_in_words(user: User, campaign: Campaign, entries: Sequence[ChronicleEntry]) -> list[EntryInWords]:
    """Return the entries with the lines the user may read."""
    lines = list_visible_changes(user, campaign, entries)
    names = _people(user, campaign, lines)
    return [
        EntryInWords(entry, load_said(entry.text), [_told(campaign, change, names) for change in lines[entry.pk]])
        for entry in entries
    ]


class EntryInShort(NamedTuple):
    """An entry in a list: the first `changes` of its lines, and the number of `lines` that the reader may read."""

    entry: ChronicleEntry
    text: Any
    changes: list[ChangeInWords]
    lines: int


def entries_in_short(user: User, campaign: Campaign, entries: Sequence[Any]) -> list[EntryInShort]:
    """Return entries read by `in_short`, with the first of the lines that the user may read."""
    cut = {entry.pk for entry in entries if hasattr(entry, "first")}
    rest = {entry.pk: entry.subjects for entry in entries if entry.pk not in cut}
    found = load_first_lines(user, campaign, rest, FIRST) if rest else {}
    found |= {
        entry.pk: FirstLines(chronicle_changes.read_lines(entry.first), entry.lines)
        for entry in entries
        if entry.pk in cut
    }
    short = {entry.pk: found.get(entry.pk, NO_LINES) for entry in entries}
    told = changes_in_words_by(user, campaign, {pk: first.lines for pk, first in short.items()})
    return [EntryInShort(entry, load_said(entry.text), told[entry.pk], short[entry.pk].total) for entry in entries]


def changes_in_words(
    user: User, campaign: Campaign, changes: Sequence[chronicle_changes.Change]
) -> list[ChangeInWords]:
    """Return the lines of a proposal in words. The user may read all of them."""
    return changes_in_words_by(user, campaign, {campaign.pk: list(changes)})[campaign.pk]


def changes_in_words_by(
    user: User, campaign: Campaign, lines: dict[UUID, list[chronicle_changes.Change]]
) -> dict[UUID, list[ChangeInWords]]:
    """Return lines of several objects in words, by object. The user may read all of them."""
    names = _people(user, campaign, lines)
    return {pk: [_told(campaign, change, names) for change in changes] for pk, changes in lines.items()}


def _told(campaign: Campaign, change: chronicle_changes.Change, names: dict[str, str]) -> ChangeInWords:
    word = chronicle_changes.word_of(change.subject_kind, change.field)
    return ChangeInWords(
        subject=change.subject,
        field=word,
        before=_value(campaign, change, change.before, names),
        after=_value(campaign, change, change.after, names),
        rule=change.rule,
        label="" if change.label == word else change.label,
    )


def _value(campaign: Campaign, change: chronicle_changes.Change, value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str) and value in names:
        return names[value]
    return chronicle_changes.format_value(campaign, change.subject_kind, change.field, value)


def _people(user: User, campaign: Campaign, lines: dict[UUID, list[chronicle_changes.Change]]) -> dict[str, str]:
    """Return the names of the commanders that appear as values. A deleted one has the name in the lines about them."""
    gone = {one.subject_id: one.subject for many in lines.values() for one in many if one.subject_kind == "commander"}
    values = (
        (change.before, change.after) for changes in lines.values() for change in changes if change.field == "commander"
    )
    ids = {value for pair in values for value in pair if isinstance(value, str) and parse_uuid(value)}
    known = chronicle_changes.list_things(user, campaign, "commander") if ids else None
    there = {} if known is None else {str(pk): name for pk, name in known.filter(pk__in=ids)}
    return {**dict.fromkeys(map(str, ids), NOBODY), **{pk: name for pk, name in gone.items() if name}, **there}


# Serializers of chronicle entries and their lines.


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
    updated_at = serializers.SerializerMethodField()
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
            "updated_at",
            "changes",
        )

    def get_seq(self, entry: ChronicleEntry) -> int | None:
        return entry.seq if self.context["everything"] else None

    def get_text(self, entry: ChronicleEntry) -> str:
        return render(load_said(entry.text))

    @extend_schema_field(serializers.DateTimeField(help_text="when it was written, or undone"))
    def get_updated_at(self, entry: ChronicleEntry) -> str:
        moment = max(entry.at, entry.undone_at or entry.at)
        return serializers.DateTimeField().to_representation(moment)

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, entry: ChronicleEntry) -> Any:
        return self._lines.to_representation(self.context["lines"].get(entry.pk, ()))

    @cached_property
    def _lines(self) -> Any:
        """The serializer of lines, built once for all entries."""
        return ChangeSerializer(many=True)


def build_context(user: User, campaign: Campaign, entries: Sequence[ChronicleEntry]) -> dict[str, Any]:
    """Return the context `ChronicleSerializer` needs for a reader of these entries."""
    return {
        "lines": list_visible_changes(user, campaign, entries),
        "everything": reads_all(user, campaign),
    }

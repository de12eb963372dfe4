"""API of `notes/`: notes and their versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from core.api.concurrency import Cursor
from core.api.problems import point_at
from core.api.serializers import Input, NoInput
from core.clean_input import LAST_DAY
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiViewSet
from kingdom.api.fields import NameField, WholeField
from kingdom.models import Note, NoteVersion, Scope
from kingdom.notes import queries as shelf
from kingdom.notes.page import name_audience
from kingdom.notes.services import TEXT_MAX, delete_note, edit_note, restore_note, write_note
from kingdom.notes.targets import make_ref, parse_ref
from rules.core.text import _

AUDIENCE_HELP = "`public` (the table), `gm`, or `kingdom:` and the id of a kingdom of the campaign."


class MentionSerializer(serializers.Serializer):
    """`name`: its present name."""

    word = serializers.CharField()
    about = serializers.CharField(help_text="`<kind>:<id>`")
    name = serializers.CharField()


class NoteSerializer(serializers.Serializer):
    """A note. `mentions`: the objects behind its words after “@”, as far as you may see them."""

    id = serializers.UUIDField(read_only=True)
    campaign = serializers.UUIDField(source="campaign_id", read_only=True)
    about = serializers.CharField(read_only=True, help_text="`<kind>:<id>`")
    audience = serializers.SerializerMethodField(help_text=AUDIENCE_HELP)
    text = serializers.CharField(read_only=True, help_text="Markdown, as it was written.")
    day = serializers.IntegerField(read_only=True)
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(read_only=True)
    edited_by = serializers.SerializerMethodField()
    edited_at = serializers.DateTimeField(read_only=True, allow_null=True)
    version = serializers.IntegerField(read_only=True)
    mentions = serializers.SerializerMethodField()

    def get_audience(self, note: Note) -> str:
        return name_audience(note)

    def get_by(self, note: Note) -> str | None:
        return note.by.username if note.by else None

    def get_edited_by(self, note: Note) -> str | None:
        return note.edited_by.username if note.edited_by else None

    @extend_schema_field(MentionSerializer(many=True))
    def get_mentions(self, note: Note) -> list[dict[str, str]]:
        known = self.context["known"]
        return [
            {"word": one["word"], "about": one["ref"], "name": known[one["ref"]].name}
            for one in note.mentions
            if one["ref"] in known
        ]


class NoteInput(Input):
    about = NameField(help_text="`<kind>:<id>`: a campaign, kingdom, settlement, commander, army or battle.")
    text = NameField(max_length=TEXT_MAX, trim_whitespace=False)
    audience = NameField(required=False, help_text=AUDIENCE_HELP)
    day = WholeField(required=False, min_value=0, max_value=LAST_DAY, help_text="Today, without one.")


class NoteChange(Input):
    text = NameField(max_length=TEXT_MAX, trim_whitespace=False)
    audience = NameField(help_text=AUDIENCE_HELP)
    day = WholeField(min_value=0, max_value=LAST_DAY)


class VersionSerializer(serializers.Serializer):
    number = serializers.IntegerField(read_only=True)
    text = serializers.CharField(read_only=True)
    audience = serializers.SerializerMethodField(help_text=AUDIENCE_HELP)
    day = serializers.IntegerField(read_only=True)
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(read_only=True)

    def get_audience(self, version: NoteVersion) -> str:
        return name_audience(version)

    def get_by(self, version: NoteVersion) -> str | None:
        return version.by.username if version.by else None


class LatestVersionFirst(Cursor):
    ordering = "-number"

    def knows(self, position: str) -> bool:
        return position.isdecimal()


class NoteFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    about = filters.CharFilter(method="about_this", help_text="`<kind>:<id>`")
    mentions = filters.CharFilter(method="mentioning", help_text="`<kind>:<id>`: notes that mention it.")

    def about_this(self, rows: Any, name: str, value: str) -> Any:
        kind, key = self._named(name, value)
        return rows.filter(about_kind=kind, about_id=key)

    def mentioning(self, rows: Any, name: str, value: str) -> Any:
        """Filter by a mentioned object; without access to it nothing is found."""
        kind, key = self._named(name, value)
        seen_by_reader = shelf.is_seen(self.request.user, kind, key)
        return rows.filter(mentions__contains=[{"ref": make_ref(kind, key)}]) if seen_by_reader else rows.none()

    def _named(self, name: str, value: str) -> tuple[str, UUID]:
        if found := parse_ref(value):
            return found
        raise ValidationError({name: [render(_("Use the format kind:id."))]})


@extend_schema_view(
    list=extend_schema(summary="Notes you may read"),
    retrieve=extend_schema(summary="A note"),
)
class NoteViewSet(ApiViewSet):
    scope = Scope.MANAGE
    queryset = Note.objects.none()
    serializer_class = NoteSerializer
    input_class = NoteInput
    filterset_class = NoteFilter

    def get_queryset(self) -> Any:
        return shelf.list_visible_notes(self.request.user).select_related("campaign")

    def get_object(self) -> Note:
        return shelf.note_for(self.request.user, self.kwargs["pk"])

    def get_serializer(self, *args: Any, **options: Any) -> Any:
        """Return the serializer, with the mentioned objects that the reader may see."""
        context = notes_context(self.request.user, args[0]) if args else {}
        return NoteSerializer(*args, **{**options, "context": context})

    @extend_schema(request=NoteInput, responses={201: NoteSerializer}, summary="Write a note")
    def create(self, request: ApiRequest) -> Response:
        given = self.input()
        with point_at("/about"):
            about = shelf.get_thing_for(request.user, given.pop("about"))
        return self.drawn(write_note(by=request.user, about=about, **given), 201)

    @extend_schema(request=NoteChange(partial=True), responses=NoteSerializer, summary="Change a note")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        note = self.get_object()
        self.refuse_stale(note)
        return self.drawn(edit_note(by=request.user, note=note, **self.change_of(note, NoteChange)))

    @extend_schema(responses={204: None}, summary="Delete a note; it can be restored")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        note = self.get_object()
        self.refuse_stale(note)
        delete_note(by=request.user, note=note)
        return Response(status=204)

    @extend_schema(request=None, responses=NoteSerializer, summary="Bring a deleted note back (its author, the GM)")
    @action(detail=True, methods=["post"])
    def restore(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        note = shelf.note_or_deleted(request.user, self.kwargs["pk"])
        return self.drawn(restore_note(by=request.user, note=note))

    @extend_schema(
        responses=VersionSerializer(many=True), summary="Every text a note had, latest first (its author, the GM)"
    )
    @action(detail=True, filterset_class=None)
    def versions(self, request: ApiRequest, pk: str) -> Response:
        note = shelf.note_or_deleted(request.user, self.kwargs["pk"])
        if not shelf.may_change(request.user, note):
            raise Http404
        return self.answer_sublist(shelf.versions_of(note), VersionSerializer, LatestVersionFirst)


def notes_context(user: Any, drawn: Note | Sequence[Note]) -> dict[str, Any]:
    notes = [drawn] if isinstance(drawn, Note) else list(drawn)
    return {"known": shelf.find_known_anywhere(user, (one["ref"] for note in notes for one in note.mentions))}

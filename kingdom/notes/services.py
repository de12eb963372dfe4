"""Services for notes: every version stays readable, and deleted notes can be restored."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from core import markdown
from core.clean_input import LAST_DAY, clean_whole, has_visible_text
from core.live import notify_campaign
from core.queries import find_one
from core.text_search import fold_name
from kingdom.access.decorators import unrestricted
from kingdom.chronicle import changes
from kingdom.models import Audience, Campaign, Kingdom, Note, NoteVersion, User
from kingdom.notes.queries import MENTIONS_MAX, NoteSubject, may_change, may_write, refs_meant
from kingdom.notes.targets import parse_ref
from rules.core.errors import IllegalCommand, demand, demand_fit, require, unfit_in
from rules.core.text import _

TEXT_MAX = 20_000
WORDS = "words change nothing of the world"


class NoteMovedOn(IllegalCommand):
    """Somebody else has saved another text meanwhile; `note` is their version."""

    def __init__(self, note: Note):
        super().__init__(_("Someone else has changed this note. Your text is kept below. Compare, then save."))
        self.note = note


@unrestricted(WORDS)
@transaction.atomic
def write_note(
    *, by: User, about: NoteSubject, text: object, audience: object = Audience.PUBLIC, day: int | None = None
) -> Note:
    """Create a note about an object its author may see (GM and players). `audience`: `public`, `gm` or `kingdom:<id>`.

    `day`: of the campaign, by default today. Raises `InvalidInput`, and `PermissionDenied` for viewers.
    """
    if not may_write(by, about.campaign):
        raise PermissionDenied
    note = Note(
        campaign=about.campaign, about_kind=about.kind, about_id=about.key, about_name=about.name,
        about_kingdom=about.kingdom, by=by, day=about.campaign.day, version=0,
    )  # fmt: skip
    _put(note, by, text=text, audience=audience, day=day)
    return _kept(note, by)


@unrestricted(WORDS)
@transaction.atomic
def edit_note(
    *,
    by: User,
    note: Note,
    version: int | None = None,
    text: object = None,
    audience: object = None,
    day: int | None = None,
) -> Note:
    """Change a note (author or GM); None leaves a part as it is. The former text is kept as a version.

    `version`: the version that the user edited. Raises `NoteMovedOn` if there is a later one, and `InvalidInput`.
    """
    note = _held(by, note)
    require(not note.deleted, _("This note is deleted. Restore it first."))
    if version is not None and version != note.version:
        raise NoteMovedOn(note)
    before = _written(note)
    _put(note, by, text=text, audience=audience, day=day)
    if _written(note) == before:
        return note
    note.edited_by, note.edited_at = by, timezone.now()
    return _kept(note, by)


@unrestricted(WORDS)
@transaction.atomic
def bring_back_version(*, by: User, note: Note, number: int) -> Note:
    """Save the text of an earlier version as the newest one (author or GM). The audience stays. Raises `IllegalCommand`
    if there is no such version, and as `edit_note`.
    """
    found = find_one(note.versions.filter(number=number))
    require(found is not None, _("This note doesn’t have that version."))
    return edit_note(by=by, note=note, text=found.text)  # type: ignore[union-attr]


@unrestricted(WORDS)
@transaction.atomic
def delete_note(*, by: User, note: Note) -> Note:
    """Delete a note (author or GM). It can be restored. Raises `IllegalCommand` if it is deleted already,
    `PermissionDenied`.
    """
    note = _held(by, note)
    require(not note.deleted, _("This note is already deleted."))
    note.deleted_by, note.deleted_at = by, timezone.now()
    note.save(update_fields=["deleted_by", "deleted_at"])
    notify_campaign(note.campaign_id)
    return note


@unrestricted(WORDS)
@transaction.atomic
def restore_note(*, by: User, note: Note) -> Note:
    """Restore a deleted note (author or GM). Raises `IllegalCommand` if it is not deleted, `PermissionDenied`."""
    note = _held(by, note)
    require(note.deleted, _("This note isn’t deleted, so it can’t be restored."))
    note.deleted_by = note.deleted_at = None
    note.save(update_fields=["deleted_by", "deleted_at"])
    notify_campaign(note.campaign_id)
    return note


def _held(by: User, note: Note) -> Note:
    """Lock the note for a user who may change it and return it. Raises `PermissionDenied`."""
    if not may_change(by, note):
        raise PermissionDenied
    changes.lock(note.campaign)
    held = Note.objects.select_for_update().get(pk=note.pk)
    held.campaign = note.campaign
    return held


def _written(note: Note | NoteVersion) -> tuple[Any, ...]:
    return note.text, note.audience, note.for_kingdom, note.day


def _put(note: Note, by: User, *, text: object, audience: object, day: int | None) -> None:
    if text is not None:
        note.text = clean_prose(text, field="/text")
        note.title = markdown.title_of(note.text)
        note.mentions = _mentions(by, note)
    if audience is not None:
        note.audience, note.for_kingdom = _audience(note.campaign, audience)
    if day is not None:
        note.day = clean_whole(day, field="/day", least=0, most=LAST_DAY)


def _kept(note: Note, by: User) -> Note:
    """Save the note with its text as its latest version."""
    note.version += 1
    note.save()
    NoteVersion.objects.create(
        campaign_id=note.campaign_id, note=note, number=note.version, by=by, text=note.text, audience=note.audience,
        for_kingdom=note.for_kingdom, day=note.day,
    )  # fmt: skip
    notify_campaign(note.campaign_id)
    return note


def clean_prose(value: object, *, field: str) -> str:
    """Return a text of several lines, validated: not empty, not too long, without invisible characters. Raises
    `InvalidInput`.
    """
    demand(isinstance(value, str), _("Enter text here."), field=field)
    text = str(value).replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    demand(has_visible_text(text) or unfit_in(text), _("This can’t be empty."), field=field)
    demand(
        len(text) <= TEXT_MAX,
        _("A note can have {most} characters at most. This one has {count}. Split it into two."),
        field=field,
        most=TEXT_MAX,
        count=len(text),
    )
    demand_fit(text, field=field)
    return text


def _audience(campaign: Campaign, value: object) -> tuple[str, UUID | None]:
    if value in (Audience.PUBLIC, Audience.GM):
        return str(value), None
    kind, key = parse_ref(value) or ("", None)
    known = kind == "kingdom" and key is not None and Kingdom.objects.filter(campaign=campaign, pk=key).exists()
    demand(known, _("Use “public”, “gm” or “kingdom:” followed by the id of a kingdom in this campaign."),
           field="/audience")  # fmt: skip
    return Audience.KINGDOM.value, key


def _mentions(by: User, note: Note) -> list[dict[str, str]]:
    """Return the mentions of the text with their objects: those they had before, else what the writer may see by that
    name.
    """
    said = markdown.list_mentions(note.text)
    demand(len(said) <= MENTIONS_MAX, _("A note can have {most} mentions at most. "
                                        "This one has {count}. Remove some."), field="/text",
           most=MENTIONS_MAX, count=len(said))  # fmt: skip
    before = {fold_name(one["word"]): one["ref"] for one in note.mentions}
    meant = refs_meant(by, note.campaign, said, near=note.about_kingdom) | before
    named = [next((word for word in words if fold_name(word) in meant), "") for words in said]
    found = {fold_name(word): word for word in named if word}
    return [{"word": word, "ref": meant[key]} for key, word in found.items()]

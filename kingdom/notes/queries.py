"""Queries for notes, limited to what the reader may know.

A reader sees their own notes, and notes meant for them (the audience) about objects they may see. All readers see the
same text. A mention is a link with the object's present name for readers who may see the object; for others it is plain
text, as if nothing had that name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.http import Http404
from django.utils.safestring import SafeString

from core import markdown
from core.markdown import Known
from core.queries import find_one
from core.text_search import build_phrase, fold_name, strip_accents
from kingdom.access.queries import (
    READERS,
    build_membership_condition,
    get_campaign_for,
    get_one,
    get_role,
    is_gm,
    list_assigned,
    list_seats,
    parse_uuid_or_404,
)
from kingdom.access.redaction import mentions_known
from kingdom.models import Audience, Campaign, Note, NoteVersion, Role, User
from kingdom.models.base import Natural
from kingdom.notes.targets import NoteTarget, list_note_targets, make_ref, parse_ref
from rules.core.text import Said, _, say

OFFERED = 10  # suggestions while a name is typed
SHOWN = 3  # notes on the page of their object
MENTIONING = 5  # notes that mention it
AROUND = max(SHOWN, MENTIONING) + 1
MENTIONS_MAX, CALLED_MOST = 100, 400  # mentions in a note; objects of a kind queried for them


def list_visible_notes(user: User) -> QuerySet[Note]:
    """Return the notes of all campaigns that the user may read."""
    if not user.is_authenticated:
        return Note.objects.none()
    return _standing().filter(readable_by(user))


def list_notes(user: User, campaign: Campaign) -> QuerySet[Note]:
    """Return the campaign's notes that the user may read, newest first."""
    rows = _standing().filter(campaign=campaign)
    return rows if is_gm(user, campaign) else rows.filter(readable_by(user))


def _standing() -> QuerySet[Note]:
    return Note.objects.filter(deleted_at=None).select_related("by", "edited_by")


def readable_by(user: User) -> Q:
    """Return the condition on notes: meant for the user, about objects they may see, or their own."""
    led = Q(campaign__in=list_seats(user, (Role.GM,)))
    if not list_seats(user, (Role.PLAYER, Role.VIEWER)):
        return led
    seated = build_membership_condition(user)
    own = Q(by=user.pk) & seated
    meant = (Q(audience=Audience.PUBLIC) & seated) | Q(for_kingdom__in=list_assigned(user))
    return led | own | (meant & _of_what_he_may_see(user) & mentions_known(user))


def _of_what_he_may_see(user: User) -> Q:
    """Return the condition on notes about objects the user may see: everything of kingdoms they read, and what other
    kingdoms' pages show them.
    """
    found = Q(campaign__in=list_seats(user, READERS)) | Q(about_kingdom__in=list_assigned(user))
    for kind, topic in list_note_targets().items():
        if topic.written:
            known = Q(about_kind=kind)
            found |= known if topic.everybody else known & Q(Exists(topic.rows(user).filter(pk=OuterRef("about_id"))))
    return found


def note_for(user: User, note_id: UUID | str) -> Note:
    """Return the note for a user who may read it. Raises Http404."""
    return get_one(list_visible_notes(user).select_related("campaign"), note_id)


def list_editable_notes(user: User) -> QuerySet[Note]:
    """Return the notes, including deleted ones, that the user may change: all for the GM, their own for an author."""
    return Note.objects.filter(_kept_by(user)).select_related("campaign", "by", "edited_by", "deleted_by")


def note_or_deleted(user: User, note_id: UUID | str) -> Note:
    """Return the note for a user who may read it; a deleted one for a user who may restore it. Raises Http404."""
    kept = find_one(list_editable_notes(user).filter(pk=parse_uuid_or_404(note_id)))
    return kept or note_for(user, note_id)


def note_to_change(user: User, note_id: UUID) -> Note:
    """Return the note for a user who may change it. Raises Http404, and `PermissionDenied` for a reader."""
    kept = find_one(list_editable_notes(user).filter(pk=note_id))
    if kept is None:
        note_for(user, note_id)
        raise PermissionDenied
    return kept


def deleted_notes_about(user: User, thing: NoteSubject) -> QuerySet[Note]:
    """Return the deleted notes that this user may restore, the last deleted first."""
    found = list_editable_notes(user).filter(campaign=thing.campaign, about_id=thing.key, deleted_at__isnull=False)
    return found.order_by("-deleted_at")


def _kept_by(user: User) -> Q:
    """Return the condition on notes the user may change: as the GM, or as an author who is not a viewer."""
    return Q(campaign__in=list_seats(user, (Role.GM,))) | Q(by=user.pk, campaign__in=list_seats(user, (Role.PLAYER,)))


def versions_of(note: Note) -> QuerySet[NoteVersion]:
    """Return all versions, latest first. Only for the author and the GM: an earlier audience may have been narrower."""
    return note.versions.select_related("by")


def may_write(user: User, campaign: Campaign) -> bool:
    return get_role(user, campaign) in (Role.GM, Role.PLAYER)


def may_change(user: User, note: Note) -> bool:
    """Return whether the user is the GM or the author, and not a viewer now."""
    return is_gm(user, note.campaign) or (note.by_id == user.pk and may_write(user, note.campaign))


# Subjects of notes, and the objects they mention


@dataclass(frozen=True, slots=True)
class NoteSubject:
    """An object that a note may be about. `kingdom`: the id of its owner."""

    campaign: Campaign
    kind: str
    key: UUID
    name: str
    kingdom: UUID | None

    @property
    def ref(self) -> str:
        return make_ref(self.kind, self.key)

    @property
    def topic(self) -> NoteTarget:
        return list_note_targets()[self.kind]

    @property
    def url(self) -> str:
        return self.topic.page(self.key)


def get_thing_for(user: User, ref: str) -> NoteSubject:
    """Return the object of this reference, for a user who may see it. Raises Http404."""
    kind, key = parse_ref(ref) or ("", None)
    topic = list_note_targets().get(kind)
    if key is None or topic is None or not topic.written:
        raise Http404
    row = find_one(topic.rows(user).filter(pk=key))
    if row is None:
        raise Http404
    campaign = get_campaign_for(user, key if topic.model is Campaign else row.campaign_id)
    owner = getattr(row, topic.owner) if topic.owner else None
    return NoteSubject(campaign, kind, key, getattr(row, topic.name), owner)


def notes_about(user: User, thing: NoteSubject) -> QuerySet[Note]:
    return list_notes(user, thing.campaign).filter(about_kind=thing.kind, about_id=thing.key).order_by("-id")


def notes_that_mention(user: User, campaign: Campaign, ref: str) -> QuerySet[Note]:
    """Return the notes that mention the object. The caller has checked that the user may see it."""
    return list_notes(user, campaign).filter(mentions__contains=[{"ref": ref}]).order_by("-id")


def is_seen(user: User, kind: str, key: UUID) -> bool:
    return list_note_targets()[kind].rows(user).filter(pk=key).exists()


def notes_around(user: User, thing: NoteSubject) -> QuerySet[Note]:
    """Return the latest notes about the object (annotated `own`) and the latest others that mention it, `AROUND` of
    each.
    """
    about = Q(about_kind=thing.kind, about_id=thing.key)
    rows = list_notes(user, thing.campaign).filter(about | Q(mentions__contains=[{"ref": thing.ref}]))
    own = rows.annotate(own=Case(When(about, then=Value(True)), default=Value(False)))
    return own.annotate(nth=Window(RowNumber(), partition_by="own", order_by="-id")).filter(nth__lte=AROUND)


def find_known(user: User, campaign: Campaign, refs: Iterable[str]) -> dict[str, Known]:
    """Return those of these objects in the campaign that the user may see, with their present names. One query
    a kind.
    """
    return _known(refs, lambda topic: topic.of(user, campaign))


def find_known_anywhere(user: User, refs: Iterable[str]) -> dict[str, Known]:
    """Return the same for objects of any campaign."""
    return _known(refs, lambda topic: topic.rows(user))


def _known(refs: Iterable[str], rows: Callable[[NoteTarget], QuerySet[Any]]) -> dict[str, Known]:
    wanted: dict[str, set[UUID]] = defaultdict(set)
    for kind, key in filter(None, map(parse_ref, refs)):
        wanted[kind].add(key)
    found = {}
    for kind, keys in wanted.items():
        topic = list_note_targets()[kind]
        for key, name in rows(topic).filter(pk__in=keys).values_list("pk", topic.name):
            found[make_ref(kind, key)] = Known(name, topic.page(key))
    return found


def names_of(note: Note, known: dict[str, Known]) -> markdown.Names:
    """Return the objects behind a note's mentions that are in `known`, by name."""
    return {fold_name(one["word"]): known[one["ref"]] for one in note.mentions if one["ref"] in known}


def names_offered(user: User, campaign: Campaign, text: str) -> list[tuple[str, NoteTarget]]:
    """Return names the user may mention that contain the text, those that begin with it first."""
    if "\0" in text or not build_phrase(text):
        return []
    found = [(name, topic) for topic in list_note_targets().values() if topic.mentioned
             for name in _like(topic, user, campaign, build_phrase(text))]  # fmt: skip
    start = build_phrase(text)
    return sorted(found, key=lambda pair: not strip_accents(pair[0]).startswith(start))[:OFFERED]


def _like(topic: NoteTarget, user: User, campaign: Campaign, text: str) -> list[str]:
    rows = topic.of(user, campaign).order_by(Natural(topic.name), "pk")
    begins, holds = {f"{topic.name}__plain__startswith": text}, {f"{topic.name}__plain__contains": text}
    first = list(rows.filter(**begins).values_list(topic.name, flat=True)[:OFFERED])
    if len(first) == OFFERED:
        return first
    return [*first, *rows.filter(**holds).exclude(**begins).values_list(topic.name, flat=True)[: OFFERED - len(first)]]


def refs_meant(
    user: User, campaign: Campaign, said: Iterable[Sequence[str]], near: UUID | None = None
) -> dict[str, str]:
    """Return the objects that these mentions mean, by name (`fold_name`), among those the user may see. Objects of the
    kingdom `near` come first.
    """
    asked = {" ".join(word.split()) for words in said for word in words}
    found: dict[str, tuple[Any, str]] = {}
    for place, (kind, topic) in enumerate(list_note_targets().items()):
        for key, name, owner in _called(topic, user, campaign, asked) if topic.mentioned and asked else ():
            meant = (topic.rank, owner is None or owner != near, place, str(key)), make_ref(kind, key)
            found[fold_name(name)] = min(found.get(fold_name(name), meant), meant)
    return {word: ref for word, (_order, ref) in found.items()}


def _called(
    topic: NoteTarget, user: User, campaign: Campaign, words: set[str]
) -> Iterable[tuple[UUID, str, UUID | None]]:
    """Yield the objects with these names, without regard to accents."""
    named = topic.of(user, campaign).filter(**{f"{topic.name}__plain__in": set(map(build_phrase, words))})
    for row in named.order_by("pk").values("pk", topic.name, *filter(None, [topic.owner]))[:CALLED_MOST]:
        yield row["pk"], row[topic.name], row[topic.owner] if topic.owner else None


def names_meant(user: User, campaign: Campaign, text: str) -> markdown.Names:
    """Return the objects behind the mentions of a text that is not saved yet."""
    meant = refs_meant(user, campaign, markdown.list_mentions(text)[:MENTIONS_MAX])
    known = find_known(user, campaign, meant.values())
    return {word: known[ref] for word, ref in meant.items() if ref in known}


# What pages show


@dataclass(frozen=True, slots=True)
class NoteCard:
    """A note for one reader. `about` has no address if its page is not for them, or the object is deleted. `names`: the
    mentions that become links.
    """

    note: Note
    names: markdown.Names
    html: SafeString
    about: Known
    word: Said
    readers: Said
    edits: bool


def build_cards(user: User, campaign: Campaign, notes: Sequence[Note], *, level: int = 3) -> list[NoteCard]:
    """Return the notes as cards, with names and links as far as the reader may see the objects. `level`: of their
    headings.
    """
    known = find_known(user, campaign, (ref for note in notes for ref in refs_of(note)))
    return [_card(user, campaign, note, known, level) for note in notes]


def refs_of(note: Note) -> list[str]:
    """Return all references that a page shows for the note."""
    named = [one["ref"] for one in note.mentions]
    return [note.about, *named, *([make_ref("kingdom", note.for_kingdom)] if note.for_kingdom else [])]


def _card(user: User, campaign: Campaign, note: Note, known: dict[str, Known], level: int) -> NoteCard:
    note.campaign = campaign
    names = names_of(note, known)
    return NoteCard(
        note=note,
        names=names,
        html=markdown.render_html(note.text, names, level=level),
        about=known.get(note.about) or Known(note.about_name, ""),
        word=list_note_targets()[note.about_kind].word if note.about_kind in list_note_targets() else _("Note"),
        readers=readers_of(note, known),
        edits=may_change(user, note),
    )


def readers_of(note: Note | NoteVersion, known: dict[str, Known]) -> Said:
    """Return the audience in words."""
    match note.audience:
        case Audience.PUBLIC:
            return _("for the table")
        case Audience.GM:
            return _("for the GM")
    kingdom = known.get(make_ref("kingdom", note.for_kingdom or ""))
    return say(_("for {kingdom}"), kingdom=kingdom.name) if kingdom else _("for a deleted kingdom")

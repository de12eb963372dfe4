"""Page objects of notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from kingdom.access.queries import list_campaigns, run_kingdom_ids
from kingdom.campaign.queries import kingdoms_of, settlements_of
from kingdom.models import Campaign, Kingdom, Note, NoteVersion, Settlement, User
from kingdom.models.base import make_natural_key
from kingdom.notes.queries import (
    MENTIONING,
    SHOWN,
    NoteCard,
    NoteSubject,
    build_cards,
    find_known,
    list_visible_notes,
    may_change,
    may_write,
    notes_around,
    notes_that_mention,
    readers_of,
    versions_of,
)
from kingdom.notes.targets import NoteTarget, make_ref
from rules.core.text import Said, _, say


@dataclass(frozen=True, slots=True)
class Notebook:
    """The latest notes about an object, and notes that mention it. `more`: there are further notes; `writes`: the
    reader may add one; `opens`: the form for it is open.
    """

    thing: NoteSubject
    cards: Sequence[NoteCard]
    more: bool
    mentioning: Sequence[Note]
    writes: bool
    opens: bool = False


def notebook_of(user: User, thing: NoteSubject) -> Notebook:
    """Return the notebook for the object's page. One query if there are no notes."""
    found = list(notes_around(user, thing))
    own = [note for note in found if note.own]  # type: ignore[attr-defined]
    mentioning = [note for note in found if not note.own]  # type: ignore[attr-defined]
    return notebook(user, thing, own[:SHOWN], mentioning, more=len(own) > SHOWN)


def notebook(
    user: User, thing: NoteSubject, notes: Sequence[Note], mentioning: Sequence[Note], *, more: bool = False
) -> Notebook:
    return Notebook(
        thing=thing,
        cards=build_cards(user, thing.campaign, notes),
        more=more,
        mentioning=mentioning[:MENTIONING],
        writes=may_write(user, thing.campaign),
    )


def audiences_of(user: User, campaign: Campaign) -> list[tuple[str, Said]]:
    """Return the possible audiences, named as in the API: the table, the GM, and any kingdom, one's own first."""
    own = run_kingdom_ids(user, campaign)
    kingdoms = sorted(
        campaign.kingdoms.all(), key=lambda kingdom: (kingdom.pk not in own, make_natural_key(kingdom.name), kingdom.pk)
    )
    named = [(make_ref("kingdom", kingdom.pk), say(_("for {kingdom}"), kingdom=kingdom.name)) for kingdom in kingdoms]
    return [("public", _("for the table")), ("gm", _("for the GM")), *named]


def name_audience(note: Note | NoteVersion) -> str:
    """Return the audience of a note, named as in the API."""
    return make_ref("kingdom", note.for_kingdom) if note.for_kingdom else str(note.audience)


@dataclass(frozen=True, slots=True)
class OldText:
    version: NoteVersion
    readers: Said
    current: bool


@dataclass(frozen=True, slots=True)
class NotePage:
    """Page of one note. `versions` are for users who may change it."""

    card: NoteCard
    campaign: Campaign
    edits: bool
    mentioning: Sequence[Note]
    versions: Sequence[OldText]


def note_page(user: User, note: Note) -> NotePage:
    edits = may_change(user, note)
    return NotePage(
        card=build_cards(user, note.campaign, [note], level=2)[0],
        campaign=note.campaign,
        edits=edits,
        mentioning=list(notes_that_mention(user, note.campaign, make_ref("note", note.pk))[:MENTIONING]),
        versions=_versions(user, note) if edits else (),
    )


def _versions(user: User, note: Note) -> list[OldText]:
    versions = list(versions_of(note))
    kingdoms = {make_ref("kingdom", old.for_kingdom) for old in versions if old.for_kingdom}
    known = find_known(user, note.campaign, kingdoms)
    return [OldText(old, readers_of(old, known), old.number == note.version) for old in versions]


# Panel of notes below every page, and the note targets of `kingdom/`.


NOTE_TARGETS: Mapping[str, NoteTarget] = {
    "campaign": NoteTarget(
        Campaign, _("Campaign"), list_campaigns, lambda key: reverse("kingdom:campaign", args=[key]), "crown",
        everybody=True, mentioned=False,
    ),
    "kingdom": NoteTarget(
        Kingdom, _("Kingdom"), kingdoms_of, lambda key: reverse("kingdom:kingdom", args=[key]), "castle",
        owner="pk", everybody=True,
    ),
    "settlement": NoteTarget(
        Settlement, _("Settlement"), settlements_of, lambda key: reverse("kingdom:notes", args=["settlement", key]),
        "settlement", owner="kingdom_id",
    ),
    "note": NoteTarget(
        Note, _("Note"), list_visible_notes, lambda key: reverse("kingdom:note", args=[key]), "scroll-unfurled",
        name="title", written=False, rank=1,
    ),
}  # fmt: skip


def beneath(user: User, kind: str, row: Any) -> tuple[str, dict[Any, Any]]:
    """Return the notes below the page of an object, which loads them when they are scrolled to."""
    return "kingdom/notes/later.html", {"kind": kind, "key": row.pk}

"""Services that import a Kanka export: organisations as kingdoms, characters as commanders, texts as notes.

All or nothing, in one chronicle entry. What is private in Kanka is told to no player: private organisations and
characters are left out, private texts become notes of the GM.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from armies.forces.access import list_commanders
from armies.kanka.kanka_export import (
    CHARACTERS,
    NOTES,
    ORGANISATIONS,
    KankaEntry,
    KankaExport,
    describe_others,
    read_export,
    split_text,
)
from armies.models import Commander
from armies.ruleset_ui import get_army_ui
from armies.tables.imports import Bringing, carry_out, taken_back
from armies.tables.services import BroughtIn, demand_as_shown
from armies.tables.tables import FIELD, Cells, Piece, Problem
from core.clean_input import NAME_MAX
from core.text_search import build_phrase
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Audience, Campaign, Kingdom, Note, User
from kingdom.notes.queries import NoteSubject
from kingdom.notes.services import TEXT_MAX, write_note
from kingdom.realms.services import found_kingdom
from rules.core.errors import demand
from rules.core.text import Said, _, say

BECOMES = {ORGANISATIONS: _("Kingdom"), CHARACTERS: _("Commander"), NOTES: _("Note")}
OWNERS: dict[str, Callable[[Any], UUID | None]] = {
    "kingdom": lambda kingdom: kingdom.pk,
    "commander": lambda commander: commander.kingdom_id,
    "campaign": lambda _campaign: None,
}
"""Kinds of things that get notes, with the kingdom they belong to."""
ROOM = TEXT_MAX - NAME_MAX - 10
"""Characters of a text beside its heading."""


@gm_only
@transaction.atomic
def bring_in_kanka(
    *, by: User, campaign: Campaign, text: str, kingdom: Kingdom | None = None, mark: str | None = None
) -> BroughtIn:
    """Imports the export (GM). `kingdom` gets characters that belong to no imported organisation.

    `mark`: the mark of the proposal that the user confirms. Raises `StaleProposal` if the proposal would differ now,
    and `InvalidInput` with every problem.
    """
    require_gm(by, campaign)
    with record_changes(by=by, campaign=campaign, kind="kingdom") as told:
        found, parts = carry_out(_pieces(by, campaign, kingdom, text), _marked(text, kingdom))
        demand_as_shown(found, mark)
        told.take(parts)
        told.always = True  # Notes alone are no changes of the world.
        told.text = say(_("Imported from Kanka: {new} new, {changed} changed."), new=found.new, changed=found.changed)
    assert told.entry is not None
    return BroughtIn(found, told.entry)


@gm_only
def propose_kanka(*, by: User, campaign: Campaign, text: str, kingdom: Kingdom | None = None) -> Bringing:
    """Preview of the import (GM). Everything is rolled back."""
    require_gm(by, campaign)
    return taken_back(campaign, lambda: carry_out(_pieces(by, campaign, kingdom, text), _marked(text, kingdom)))


def _marked(text: str, kingdom: Kingdom | None) -> str:
    return json.dumps([text, str(kingdom.pk) if kingdom else ""])


def _pieces(by: User, campaign: Campaign, kingdom: Kingdom | None, text: str) -> Iterator[Piece]:
    """Pieces of the import; kingdoms first, since commanders belong to them."""
    export = read_export(text, field=FIELD)
    names = {entry.key: entry.name for entry in export.entries if _taken(entry, ORGANISATIONS)}
    return _Import(by, campaign, kingdom, export, names, _Known(by, campaign)).pieces()


def _taken(entry: KankaEntry, kind: str) -> bool:
    return entry.kind == kind and not entry.private and not entry.dead


class _Known:
    """Existing objects of the campaign, read once for all entries, and those the import has added. Names are compared
    as those of new kingdoms are.
    """

    def __init__(self, by: User, campaign: Campaign):
        self.kingdoms: dict[str, Kingdom] = {}
        self.commanders: dict[tuple[UUID, str], Commander] = {}
        self.notes: dict[tuple[str, UUID], list[str]] = defaultdict(list)
        for kingdom in Kingdom.objects.filter(campaign=campaign):
            kingdom.campaign = campaign
            self.kingdoms.setdefault(build_phrase(kingdom.name), kingdom)
        commander: Commander
        for commander in list_commanders(by, campaign):
            self.commanders.setdefault((commander.kingdom_id, build_phrase(commander.name)), commander)
        notes = Note.objects.filter(campaign=campaign, about_kind__in=tuple(OWNERS), deleted_at=None).order_by()
        for kind, key, text in notes.values_list("about_kind", "about_id", "text").iterator():
            self.notes[kind, key].append(_mark_of(text))

    def has_note(self, kind: str, row: Any, text: str) -> bool:
        return _mark_of(text.rstrip()) in self.notes[kind, row.pk]


def _mark_of(text: str) -> str:
    """A hash that stands for the text of a note."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Import:
    """`names`: of the organisations that become kingdoms, by their ids."""

    by: User
    campaign: Campaign
    chosen: Kingdom | None
    export: KankaExport
    names: dict[int, str]
    known: _Known

    def pieces(self) -> Iterator[Piece]:
        build = {ORGANISATIONS: self._kingdom, CHARACTERS: self._commander, NOTES: self._note}
        for entry in self.export.entries:
            if not entry.name or len(entry.name) > NAME_MAX:
                yield self._wrong(entry, say(_("Enter a name of 1 to {most} characters."), most=NAME_MAX))
            elif (why := self._left_out(entry)) is not None:
                yield self._piece(entry, "", [{}], lambda: lambda: [{}], (why,))
            else:
                yield build[entry.kind](entry)
        if (others := describe_others(self.export.others)) is not None:
            yield Piece(len(self.export.entries) + 1, "Kanka", "", [{}], lambda: lambda: [{}], _nowhere,
                        warnings=(others,))  # fmt: skip

    def _left_out(self, entry: KankaEntry) -> Said | None:
        """Why an entry is not imported; None if it is."""
        if entry.kind != NOTES and entry.private:
            return _("Not imported: private in Kanka.")
        if entry.dead:
            return _("Not imported: dead in Kanka.")
        if entry.kind == CHARACTERS and not self._under(entry):
            return _("Not imported: belongs to no imported organization. Choose a kingdom for such characters.")
        if entry.kind == NOTES and not (entry.text or entry.posts):
            return _("Not imported: it has no text.")
        return None

    # Kingdoms.

    def _kingdom(self, entry: KankaEntry) -> Piece:
        there = self._find_kingdom(entry.name)
        warnings = (_("The parent organization in Kanka was not imported."),) if entry.parent else ()
        before = None if there is None else [self._told("kingdom", there)]
        return self._piece(entry, "", before, partial(self._do_kingdom, entry), warnings)

    def _do_kingdom(self, entry: KankaEntry) -> Callable[[], Sequence[Cells]]:
        kingdom = self._find_kingdom(entry.name)
        if kingdom is None:
            kingdom = found_kingdom(by=self.by, campaign=self.campaign, name=entry.name)
        self._write(entry, "kingdom", kingdom)
        self.known.kingdoms[build_phrase(kingdom.name)] = kingdom  # not if its entry was refused
        return lambda: [self._told("kingdom", kingdom)]

    def _find_kingdom(self, name: str) -> Kingdom | None:
        return self.known.kingdoms.get(build_phrase(name))

    # Commanders.

    def _under(self, entry: KankaEntry) -> str:
        """Name of the kingdom a character will serve; "" for none."""
        found = next((self.names[group] for group in entry.groups if group in self.names), "")
        return found or (self.chosen.name if self.chosen else "")

    def _commander(self, entry: KankaEntry) -> Piece:
        under = self._under(entry)
        there = self._find_commander(entry.name, self._find_kingdom(under))
        before = None if there is None else [self._told("commander", there)]
        return self._piece(entry, under, before, partial(self._do_commander, entry, under))

    def _do_commander(self, entry: KankaEntry, under: str) -> Callable[[], Sequence[Cells]]:
        kingdom = self._find_kingdom(under)
        demand(kingdom, _("The kingdom {name} could not be founded."), field="/kingdom", name=under)
        assert kingdom is not None
        commander = self._find_commander(entry.name, kingdom)
        if commander is None:
            commander = get_army_ui(self.campaign).api.appoint_commander(self.by, kingdom, {"name": entry.name})
        self._write(entry, "commander", commander)
        self.known.commanders[kingdom.pk, build_phrase(commander.name)] = commander
        return lambda: [self._told("commander", commander)]

    def _find_commander(self, name: str, kingdom: Kingdom | None) -> Commander | None:
        return self.known.commanders.get((kingdom.pk, build_phrase(name))) if kingdom else None

    # Notes.

    def _note(self, entry: KankaEntry) -> Piece:
        texts = list(self._texts(entry))
        there = all(self.known.has_note("campaign", self.campaign, text) for text, _audience in texts)
        before = [self._told("campaign", self.campaign)] if there else None
        return self._piece(entry, "", before, partial(self._do_note, entry))

    def _do_note(self, entry: KankaEntry) -> Callable[[], Sequence[Cells]]:
        self._write(entry, "campaign", self.campaign)
        return lambda: [self._told("campaign", self.campaign)]

    def _texts(self, entry: KankaEntry) -> Iterator[tuple[str, str]]:
        """Texts of an entry's notes, each with its audience."""
        own = Audience.GM if entry.private else Audience.PUBLIC
        for part in split_text(entry.text, ROOM):
            yield f"# {entry.name}\n\n{part}", own
        for post in entry.posts:
            audience = Audience.GM if entry.private or post.private else Audience.PUBLIC
            for part in split_text(post.text, ROOM):
                yield f"# {post.name[:NAME_MAX] or entry.name}\n\n{part}", audience

    def _write(self, entry: KankaEntry, kind: str, row: Any) -> None:
        """Writes what the entry says as notes about the row, without those it has already."""
        missing = [one for one in self._texts(entry) if not self.known.has_note(kind, row, one[0])]
        about = NoteSubject(self.campaign, kind, row.pk, row.name, OWNERS[kind](row))
        written = [write_note(by=self.by, about=about, text=text, audience=audience) for text, audience in missing]
        self.known.notes[kind, row.pk] += [_mark_of(note.text) for note in written]

    def _told(self, kind: str, row: Any) -> Cells:
        return {"notes": len(self.known.notes[kind, row.pk])}

    # Pieces.

    def _piece(self, entry: KankaEntry, under: str, before: Any, do: Any, warnings: tuple[Said, ...] = ()) -> Piece:
        where = partial(_where, entry.line)
        return Piece(entry.line, entry.name, under, before, do, where, warnings=warnings, kind=BECOMES[entry.kind])

    def _wrong(self, entry: KankaEntry, said: Said) -> Piece:
        problems = (Problem(entry.line, "name", said),)
        where = partial(_where, entry.line)
        return Piece(entry.line, entry.name, "", None, _nothing, where, problems, kind=BECOMES[entry.kind])


def _where(line: int, pointer: str) -> tuple[int, str]:
    return line, pointer.removeprefix("/")


def _nowhere(_pointer: str) -> tuple[int, str]:
    return 0, ""


def _nothing() -> Any:
    """Placeholder function for pieces with a problem, which are never carried out."""
    raise AssertionError

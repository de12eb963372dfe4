"""Transaction that writes people's changes into the chronicle as it makes them.

A service says what it touches and does its work; the fields that differ afterwards become the entry's lines,
so nothing changes without one, and a GM may take it back like anything else:

    with recorded(by=by, campaign=army.campaign, kind="army", rule="…", on=[army, army.kingdom]) as told:
        …
        told.text = say(_("{army} bought {ware}."), …)

The service runs in a transaction. Things of a campaign wait for its row, then for each other kind by kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import models
from django.http import Http404

from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle import undelete
from kingdom.chronicle.changes import Change
from kingdom.chronicle.context import ChangeBatch
from kingdom.chronicle.field_change import EXISTS
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from rules.core.text import Said, Term, _

Things = dict[str, dict[str, tuple[models.Model, dict[str, Any]]]]
NOTHING_SAID = Term("")


class Recording:
    """What is being done: `text` says it once it is known. Without a change and without `always` nothing is entered.

    `entry` is what was written, once it is over.
    """

    def __init__(self, campaign: Campaign, by: User, kind: str, rule: str, private: bool):
        self.text: Said = NOTHING_SAID
        self.always = False
        self.entry: ChronicleEntry | None = None
        self._campaign, self._by, self._kind, self._rule, self._private = campaign, by, kind, rule, private
        self._before: Things = {}
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._made: list[Change] = []
        self._kingdoms: set[UUID] = set()

    def watch(self, things: Iterable[tuple[str, models.Model | UUID]]) -> None:
        """Remember how these are now. What is watched already stays remembered as it was first."""
        new: dict[str, set[str]] = defaultdict(set)
        for kind, thing in things:
            new[kind].add(str(getattr(thing, "pk", thing)))
        for kind in sorted(new):
            fresh = new[kind] - self._ids[kind]
            self._ids[kind] |= fresh
            if fresh:
                self._before.setdefault(kind, {}).update(chronicle_changes.figures(kind, self._campaign, fresh))

    def rows(self, kind: str) -> dict[str, Any]:
        """Those of a kind that are watched, by their ids as texts: as they were read, and locked."""
        return {key: row for key, (row, _figures) in self._before.get(kind, {}).items()}

    def held(self, kind: str, row: models.Model) -> Any:
        """One that is watched, as it was read, and locked. Raises Http404 where somebody else has struck it."""
        if (found := self.rows(kind).get(str(row.pk))) is None:
            raise Http404
        return found

    def made(self, kind: str, row: Any) -> None:
        """This is new: undoing takes it away again."""
        self._whole(kind, row, False, True, _("New"))

    def gone(self, kind: str, *rows: Any) -> None:
        """These are about to go: undoing brings them back, the last one first (`kingdom.chronicle.undelete`)."""
        undelete.detach_rows(kind, self, rows)
        for row, whole in zip(rows, undelete.read_whole_row(rows), strict=True):
            self._whole(kind, row, True, False, chronicle_changes.word_of(kind, EXISTS), whole=whole)

    def _whole(self, kind: str, row: Any, before: bool, after: bool, label: Said, whole: Any = None) -> None:
        line = Change(kind, str(row.pk), EXISTS, before, after, self._rule, label, str(row), whole=whole)
        self._made.append(line)
        self._about(chronicle_changes.kingdom_of(kind, row))

    def wrote(self, changes: Iterable[Change]) -> None:
        """These lines are of what was written here."""
        self._made += changes

    def take(self, gathered: ChangeBatch) -> None:
        """What other deeds did is part of this one."""
        self._made += gathered.changes
        self._kingdoms |= gathered.kingdoms

    def about(self, kingdom: Kingdom) -> None:
        """It concerns this kingdom, whatever changed."""
        self._about(kingdom.pk)

    def _about(self, kingdom: UUID | None) -> None:
        if kingdom:
            self._kingdoms.add(kingdom)

    def _look(self) -> Things:
        return {kind: chronicle_changes.figures(kind, self._campaign, self._ids[kind]) for kind in sorted(self._ids)}

    def enter(self) -> ChronicleEntry | None:
        """Write the entry of what differs now."""
        changes = [*self._made, *self._differences()]
        if not (changes or self.always) or not self.text:
            return None
        return chronicle_changes.write_entry(
            campaign=self._campaign,
            day=self._campaign.day,
            by=self._by,
            kind=self._kind,
            text=self.text,
            changes=changes,
            kingdoms=self._kingdoms,
            private=self._private,
        )

    def _differences(self) -> Iterator[Change]:
        for kind, rows in self._look().items():
            for key, (row, now) in rows.items():
                self._about(chronicle_changes.kingdom_of(kind, row))
                _row, then = self._before[kind].get(key, (row, now))
                yield from chronicle_changes.differences(kind, row, then, now, self._rule)


@contextmanager
def record_changes(
    *,
    by: User,
    campaign: Campaign,
    kind: str,
    rule: str = "",
    on: Iterable[tuple[str, models.Model | UUID]] = (),
    text: Said = NOTHING_SAID,
    private: bool = True,
) -> Iterator[Recording]:
    """Do something, and have it told. `private`: only for those who may read the kingdoms it is about.

    `campaign` is then as it is under its lock: whoever asks it for its law and its day is told those in force.
    """
    told = Recording(chronicle_changes.hold(campaign), by, kind, rule, private)
    told.text = text
    told.watch(on)
    yield told
    told.entry = told.enter()

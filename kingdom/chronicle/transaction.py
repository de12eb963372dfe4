"""Transaction that records changes in the chronicle while a service makes them.

A service names what it touches and does its work. The fields that differ afterwards become the lines of an entry, so
every change is recorded and a GM may undo it:

    with record_changes(by=by, campaign=army.campaign, kind="army", rule="…", on=[("army", army)]) as told:
        …
        told.text = say(_("{army} bought {ware}."), …)

The service runs in a transaction. The campaign's row is locked first, then the objects kind by kind.
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
    """The recording of a service. Set `text` to the entry's sentence. Without a change nothing is entered, unless
    `always` is set.

    `entry` is the written entry, after the end.
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
        """Lock these objects and remember their fields. An object already watched keeps its first state."""
        new: dict[str, set[str]] = defaultdict(set)
        for kind, thing in things:
            new[kind].add(str(getattr(thing, "pk", thing)))
        for kind in sorted(new):
            fresh = new[kind] - self._ids[kind]
            self._ids[kind] |= fresh
            if fresh:
                self._before.setdefault(kind, {}).update(chronicle_changes.figures(kind, self._campaign, fresh))

    def rows(self, kind: str) -> dict[str, Any]:
        """Return the watched rows of a kind by str(id), as read and locked."""
        return {key: row for key, (row, _figures) in self._before.get(kind, {}).items()}

    def held(self, kind: str, row: models.Model) -> Any:
        """Return a watched row as read and locked. Raises Http404 if it has been deleted meanwhile."""
        if (found := self.rows(kind).get(str(row.pk))) is None:
            raise Http404
        return found

    def made(self, kind: str, row: Any) -> None:
        """Record a new object: undo deletes it."""
        self._whole(kind, row, False, True, _("New"))

    def gone(self, kind: str, *rows: Any) -> None:
        """Record objects about to be deleted: undo restores them, the last one first (`kingdom.chronicle.undelete`)."""
        undelete.detach_rows(kind, self, rows)
        for row, whole in zip(rows, undelete.read_whole_row(rows), strict=True):
            self._whole(kind, row, True, False, chronicle_changes.word_of(kind, EXISTS), whole=whole)

    def _whole(self, kind: str, row: Any, before: bool, after: bool, label: Said, whole: Any = None) -> None:
        line = Change(kind, str(row.pk), EXISTS, before, after, self._rule, label, str(row), whole=whole)
        self._made.append(line)
        self._about(chronicle_changes.kingdom_of(kind, row))

    def wrote(self, changes: Iterable[Change]) -> None:
        """Add changes that were written elsewhere to the entry."""
        self._made += changes

    def take(self, gathered: ChangeBatch) -> None:
        """Add the changes of a batch to the entry."""
        self._made += gathered.changes
        self._kingdoms |= gathered.kingdoms

    def about(self, kingdom: Kingdom) -> None:
        """Make the entry concern this kingdom, whatever changed."""
        self._about(kingdom.pk)

    def _about(self, kingdom: UUID | None) -> None:
        if kingdom:
            self._kingdoms.add(kingdom)

    def _look(self) -> Things:
        return {kind: chronicle_changes.figures(kind, self._campaign, self._ids[kind]) for kind in sorted(self._ids)}

    def enter(self) -> ChronicleEntry | None:
        """Write an entry of the fields that differ now, and return it. None if there is nothing to enter."""
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
    """Record what happens inside the context as one entry. `private`: only readers of the kingdoms concerned see it.

    `campaign` is locked and refreshed, so its ruleset and day are those in force.
    """
    told = Recording(chronicle_changes.hold(campaign), by, kind, rule, private)
    told.text = text
    told.watch(on)
    yield told
    told.entry = told.enter()

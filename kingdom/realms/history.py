"""History of a kingdom: changes of its attributes, and losses by defeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from core.text import load_said
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.realms.figures import get_realm_law
from rules.core.text import Said
from rules.realm import RealmLaw, attributes_of

ENTRIES = 200

type EntryChanges = Iterable[tuple[ChronicleEntry, list[chronicle_changes.Change]]]


class HistoryLine(NamedTuple):
    """A change of one attribute, with its cause."""

    day: int
    field: str
    word: Said
    before: int
    after: int
    why: Any
    rule: str
    by: str
    entry: UUID
    battle: UUID | None

    @property
    def step(self) -> int:
        return self.after - self.before


class Defeat(NamedTuple):
    """The losses of one defeat, by attribute."""

    day: int
    why: Any
    by_attribute: tuple[tuple[Said, int], ...]
    battle: UUID | None


@dataclass(frozen=True, slots=True)
class History:
    """History, newest first. `lost`: the losses of all defeats by attribute; `rule`: the rule id of those losses."""

    lines: tuple[HistoryLine, ...]
    defeats: tuple[Defeat, ...]
    attributes: tuple[Said, ...]
    rule: str

    @property
    def lost(self) -> tuple[tuple[Said, int], ...]:
        together: dict[Said, int] = dict.fromkeys(self.attributes, 0)
        for word, loss in (pair for defeat in self.defeats for pair in defeat.by_attribute):
            together[word] += loss
        return tuple(together.items())


def load_history(kingdom: Kingdom) -> History:
    """Return the changes of the latest entries that are not undone. One query."""
    entries = ChronicleEntry.objects.filter(
        campaign=kingdom.campaign_id,
        undone_at=None,
        changes__contains=[{"subject_kind": "kingdom", "subject_id": str(kingdom.pk)}],
    )
    latest = list(entries.select_related("by").order_by("-seq")[:ENTRIES])
    realm = get_realm_law(kingdom.campaign)
    changes = [(entry, _changes(kingdom, realm, entry)) for entry in latest]
    defeats = tuple(_defeats(realm, changes))
    return History(tuple(_lines(changes)), defeats, tuple(attributes_of(realm).values()), realm.defeat_rule)


def _changes(kingdom: Kingdom, realm: RealmLaw, entry: ChronicleEntry) -> list[chronicle_changes.Change]:
    ours = ("kingdom", str(kingdom.pk))
    told = {slug for slug, figure in realm.sheet.items() if figure.remembered}
    return [
        change for change in chronicle_changes.list_changes(entry) if change.place[:2] == ours and change.field in told
    ]


def _lines(entries: EntryChanges) -> Iterable[HistoryLine]:
    for entry, changes in entries:
        for change in reversed(changes):
            word = chronicle_changes.word_of("kingdom", change.field)
            why = load_said(entry.text) if change.label == word else change.label
            yield HistoryLine(entry.day, change.field, word, change.before, change.after, why, change.rule,
                              str(entry.by or ""), entry.pk, entry.battle_id)  # fmt: skip


def _defeats(realm: RealmLaw, entries: EntryChanges) -> Iterable[Defeat]:
    """Yield one defeat for each army lost in a battle. Its lines share their label."""
    words = attributes_of(realm)
    for entry, changes in entries:
        lost: dict[str, dict[str, int]] = defaultdict(dict)
        labels = {}
        for change in changes:
            if realm.defeat_rule and change.rule == realm.defeat_rule:
                labels[str(change.label)] = change.label
                lost[str(change.label)][change.field] = change.after - change.before
        for label, steps in lost.items():
            losses = tuple((word, steps.get(slug, 0)) for slug, word in words.items())
            yield Defeat(entry.day, labels[label], losses, entry.battle_id)

"""Where a kingdom's attributes come from: every change of them, and what defeats have cost (PF-6.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from kingdom import world
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.text import from_json
from rules.pathfinder.kingdom import ATTRIBUTES
from rules.text import Said

FIELDS = (*ATTRIBUTES, "unrest", "size")
DEFEAT = "PF-6.1"
ENTRIES = 200


class HistoryLine(NamedTuple):
    """One change of one attribute, with its cause."""

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
    """What one defeat took from the attributes, in their order."""

    day: int
    why: Any
    losses: tuple[int, ...]
    battle: UUID | None

    @property
    def by_attribute(self) -> tuple[tuple[Said, int], ...]:
        return tuple(zip(ATTRIBUTES.values(), self.losses, strict=True))


@dataclass(frozen=True, slots=True)
class History:
    """Newest first. `lost`: what all defeats together took, by attribute."""

    lines: tuple[HistoryLine, ...]
    defeats: tuple[Defeat, ...]

    @property
    def attributes(self) -> tuple[Said, ...]:
        return tuple(ATTRIBUTES.values())

    @property
    def lost(self) -> tuple[tuple[Said, int], ...]:
        columns = zip(*(defeat.losses for defeat in self.defeats), strict=True)
        return tuple(zip(self.attributes, map(sum, columns), strict=False))


def history_of(kingdom: Kingdom) -> History:
    """The changes of the latest entries that stand. One query."""
    entries = ChronicleEntry.objects.filter(
        campaign=kingdom.campaign_id,
        undone_at=None,
        changes__contains=[{"subject_kind": "kingdom", "subject_id": str(kingdom.pk)}],
    )
    latest = list(entries.select_related("by").order_by("-seq")[:ENTRIES])
    return History(tuple(_lines(kingdom, latest)), tuple(_defeats(kingdom, latest)))


def _changes(kingdom: Kingdom, entry: ChronicleEntry) -> list[world.Change]:
    ours = ("kingdom", str(kingdom.pk))
    return [change for change in world.changes_of(entry) if change.place[:2] == ours and change.field in FIELDS]


def _lines(kingdom: Kingdom, entries: Iterable[ChronicleEntry]) -> Iterable[HistoryLine]:
    for entry in entries:
        for change in reversed(_changes(kingdom, entry)):
            word = world.word_of("kingdom", change.field)
            why = from_json(entry.text) if change.label == word else change.label
            yield HistoryLine(entry.day, change.field, word, change.before, change.after, why, change.rule,
                              str(entry.by or ""), entry.pk, entry.battle_id)  # fmt: skip


def _defeats(kingdom: Kingdom, entries: Iterable[ChronicleEntry]) -> Iterable[Defeat]:
    """One for every army a battle cost; its lines share their label."""
    for entry in entries:
        lost: dict[str, dict[str, int]] = defaultdict(dict)
        labels = {}
        for change in _changes(kingdom, entry):
            if change.rule == DEFEAT:
                labels[str(change.label)] = change.label
                lost[str(change.label)][change.field] = change.after - change.before
        for label, steps in lost.items():
            yield Defeat(entry.day, labels[label], tuple(steps.get(name, 0) for name in ATTRIBUTES), entry.battle_id)

"""Texts of the aftermath's changes after a battle on hexes: one line per change, documents by their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battles.default.ui import PlainChange
from core.text import render
from kingdom.chronicle.changes import Change, word_of
from rules.core.text import Said, Term, _

type Part = tuple[Said, Any, Any]
"""A part of a document that changes: its name, its value before, and after."""

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "free": _("free"), "captured": _("captured"), "killed": _("killed"),
}  # fmt: skip


def in_words(
    changes: Iterable[Change], fields: Mapping[str, Term], parts: Callable[[Change], Iterable[Part]]
) -> list[PlainChange]:
    """One line for each change. `fields`: names of figures. `parts`: what differs in a change of a document."""
    return [_of_document(one, list(parts(one))) if one.field == "sheet" else _plain(one, fields) for one in changes]


def _plain(change: Change, fields: Mapping[str, Term]) -> PlainChange:
    field: Said = fields.get(change.field) or word_of(change.subject_kind, change.field)
    return _told(change, field, *(_value(change.field, value) for value in (change.before, change.after)))


def _of_document(change: Change, parts: Sequence[Part]) -> PlainChange:
    """The line for a document's change: its single part, or several parts combined."""
    if len(parts) == 1:
        return _told(change, *parts[0])
    before, after = ([one for part in parts for one in _listed(part[side])] for side in (1, 2))
    return _told(change, _("composition"), before, after)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _told(change: Change, field: Said, before: Any, after: Any) -> PlainChange:
    return PlainChange(change.subject, field, before, after, change.rule, change.label)


def _value(field: str, value: Any) -> Any:
    return render(STATUSES.get(value, Term(value))) if field == "status" and isinstance(value, str) else value

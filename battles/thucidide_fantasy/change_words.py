"""Wording of changes to the world: units and stands a document loses, what becomes of armies and commanders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battles.default.ui import PlainChange
from core.text import render
from kingdom.chronicle.changes import Change, word_of
from rules.core.text import Said, Term, _, by_number, say
from rules.thucidide_fantasy.starter import TROOPS

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "free": _("free"), "captured": _("captured"), "killed": _("killed"),
}  # fmt: skip
FIELDS: Mapping[str, Term] = {"health": _("stands"), "health_max": _("stands in full")}
LOST = by_number("{unit} without {count} stand", "{unit} without {count} stands")


def in_words(changes: Iterable[Change], troops: Mapping[str, Said]) -> list[PlainChange]:
    """`troops`: names of the types, as the campaign calls them."""
    return [told for change in changes for told in _in_words(change, troops)]


def _in_words(change: Change, troops: Mapping[str, Said]) -> Iterator[PlainChange]:
    if change.field == "sheet":
        yield from _of_document(change, troops)
        return
    field: Said = FIELDS.get(change.field) or word_of(change.subject_kind, change.field)
    yield _told(change, field, *(_value(change.field, value) for value in (change.before, change.after)))


def _told(change: Change, field: Said, before: Any, after: Any) -> PlainChange:
    return PlainChange(change.subject, field, before, after, change.rule, change.label)


def _value(field: str, value: Any) -> Any:
    return render(STATUSES.get(value, Term(value))) if field == "status" and isinstance(value, str) else value


def _of_document(change: Change, troops: Mapping[str, Said]) -> Iterator[PlainChange]:
    """Units that differ, and characters by name."""
    before, after = (_units(document, troops) for document in (change.before, change.after))
    kept = list(after)
    gone = []
    for one in before:
        if one in kept:
            kept.remove(one)
        else:
            gone.append(one)
    if gone or kept:
        yield _told(change, _("units"), gone, kept)
    people = _names(change.before), _names(change.after)
    if people[0] != people[1]:
        yield _told(change, _("characters"), *people)


def _units(document: Mapping[str, Any], troops: Mapping[str, Said]) -> list[str]:
    return [_unit(one, troops) for one in document["units"]]


def _unit(one: Mapping[str, Any], troops: Mapping[str, Said]) -> str:
    slug, lost = str(one["type"]), int(one.get("lost", 0))
    name = one.get("name") or troops.get(slug) or (TROOPS[slug].name if slug in TROOPS else slug)
    return render(say(LOST, unit=name, count=lost)) if lost else render(say(Term("{unit}"), unit=name))


def _names(document: Mapping[str, Any]) -> list[str]:
    return [str(one["name"]) for one in document.get("characters", ())]

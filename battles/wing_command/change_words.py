"""Wording of changes to the world: what a wing's document loses, what becomes of armies and commanders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battles.default.ui import PlainChange
from core.text import render
from kingdom.chronicle.changes import Change, word_of
from rules.core.text import Said, Term, _, say
from rules.wing_command.starter import TROOPS

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "free": _("free"), "captured": _("captured"), "killed": _("killed"),
}  # fmt: skip
FIELDS: Mapping[str, Term] = {"health": _("troops"), "health_max": _("troops in full")}


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
    """Troops by kind where some have left it, characters by name, its morale."""
    before, after = change.before, change.after
    kinds = _counted(before, troops), _counted(after, troops)
    if kinds[0] != kinds[1]:
        yield _told(change, _("composition"), *kinds)
    people = _names(before), _names(after)
    if people[0] != people[1]:
        yield _told(change, _("characters"), *people)
    if before.get("morale") != after.get("morale"):
        yield _told(change, _("morale"), before.get("morale"), after.get("morale"))


def _counted(document: Mapping[str, Any], troops: Mapping[str, Said]) -> list[str]:
    counts = Counter(str(troop["type"]) for troop in document["troops"])
    return [render(say(_("{count} × {troop}"), count=n, troop=_name(slug, troops))) for slug, n in counts.items()]


def _name(slug: str, troops: Mapping[str, Said]) -> Said | str:
    return troops.get(slug) or (TROOPS[slug].name if slug in TROOPS else slug)


def _names(document: Mapping[str, Any]) -> list[str]:
    return [str(one["name"]) for one in document.get("characters", ())]

"""Wording of changes to the world: an army's units by name, what has become of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from armies.breaking_point.sieges.tracked_fields import name_of, summarize_siege
from battles.default.ui import PlainChange
from core.text import render
from kingdom.chronicle.changes import Change, word_of
from rules.breaking_point.spoils import in_words as spoil_in_words
from rules.core.text import Said, Term, _, say

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"),
    "routed": _("routed"),
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
    "free": _("free"),
    "killed": _("killed"),
}
FIELDS: Mapping[str, Term] = {
    "health": _("heads able to fight"),
    "health_max": _("heads with the wounded"),
    "sheet": _("units"),
}


def in_words(changes: Iterable[Change], names: Mapping[str, str]) -> list[PlainChange]:
    """`names`: what ids among the values are called (commanders)."""
    return [_in_words(change, names) for change in changes]


def _in_words(change: Change, names: Mapping[str, str]) -> PlainChange:
    before, after = change.before, change.after
    if change.field == "sheet":
        before, after = _differing(before, after)
    else:
        before, after = (_value(change.field, value, names) for value in (before, after))
    field: Said = FIELDS.get(change.field) or word_of(change.subject_kind, change.field)
    return PlainChange(change.subject, field, before, after, change.rule, change.label)


def _value(field: str, value: Any, names: Mapping[str, str]) -> Any:
    match field, value:
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "commander", str():
            return names.get(value, value)
        case "state", Mapping():
            return summarize_siege(value)
        case "kingdom" | "place", str():
            return name_of(field, value)
    return value


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The units that differ, as they were and as they are; one that is no more only as it was."""
    then, now = list(before["units"]), list(after["units"])
    gone = [unit for unit in then if not any(_same(unit, other) for other in now)]
    pairs = [(old, new) for old, new in _pairs(then, now) if old != new]
    has, had = _taken(after), _taken(before)
    old = [_unit(unit) for unit in (*(old for old, _new in pairs), *gone)]
    new = [_unit(new) for _old, new in pairs]
    return [*old, *(one for one in had if one not in has)], [*new, *(one for one in has if one not in had)]


def _taken(document: Mapping[str, Any]) -> list[str]:
    return [str(render(spoil_in_words(spoil))) for spoil in document.get("spoils", ())]


def _pairs(then: list[Any], now: list[Any]) -> Iterator[tuple[Any, Any]]:
    left = list(now)
    for old in then:
        new = next((unit for unit in left if _same(old, unit)), None)
        if new is not None:
            left.remove(new)
            yield old, new


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (one["name"], one.get("type")) == (other["name"], other.get("type"))


def _unit(unit: Mapping[str, Any]) -> str:
    told: list[Said] = [say(_("{unit} {heads}"), unit=unit["name"], heads=unit["strength"])]
    if unit.get("wounded"):
        told.append(say(_("{wounded} wounded"), wounded=unit["wounded"]))
    if unit.get("pieces"):
        told.append(say(_("{pieces} guns"), pieces=unit["pieces"]))
    if unit.get("experience"):
        told.append(say(_("experience {points}"), points=unit["experience"]))
    return ", ".join(str(render(part)) for part in told)

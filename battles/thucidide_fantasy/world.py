"""Changes of an aftermath of THUCIDIDE fantasy in words: units and stands lost, fates of armies and commanders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battles.default.ui import PlainChange
from battles.hexes import world
from battles.hexes.world import Part
from core.text import render
from kingdom.chronicle.changes import Change
from rules.core.text import Said, Term, _, by_number, say
from rules.thucidide_fantasy.starter import TROOPS

FIELDS: Mapping[str, Term] = {"health": _("stands left"), "health_max": _("stands at full strength")}
LOST = by_number("{unit} minus {count} stand", "{unit} minus {count} stands")


def in_words(changes: Iterable[Change], troops: Mapping[str, Said]) -> list[PlainChange]:
    """One line for each change. `troops`: names of the types in this campaign."""
    return world.in_words(changes, FIELDS, lambda change: _parts(change, troops))


def _parts(change: Change, troops: Mapping[str, Said]) -> Iterator[Part]:
    """The parts of a document that differ: units, and characters by name."""
    before, after = _units(change.before, troops), _units(change.after, troops)
    kept, gone = list(after), []
    for one in before:
        if one in kept:
            kept.remove(one)
        else:
            gone.append(one)
    if gone or kept:
        yield _("units"), gone, kept
    yield from world.list_character_changes(change)


def _units(document: Mapping[str, Any], troops: Mapping[str, Said]) -> list[str]:
    return [_unit(one, troops) for one in document["units"]]


def _unit(one: Mapping[str, Any], troops: Mapping[str, Said]) -> str:
    slug, lost = str(one["type"]), int(one.get("lost", 0))
    name = one.get("name") or troops.get(slug) or (TROOPS[slug].name if slug in TROOPS else slug)
    return render(say(LOST, unit=name, count=lost)) if lost else render(say(Term("{unit}"), unit=name))

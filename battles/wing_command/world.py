"""Changes of an aftermath of wing command in words: losses in a wing's document, fates of armies and commanders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battles.default.ui import PlainChange
from battles.hexes import world
from battles.hexes.world import Part
from core.text import render
from kingdom.chronicle.changes import Change
from rules.core.text import Said, Term, _, say
from rules.wing_command.starter import TROOPS

FIELDS: Mapping[str, Term] = {"health": _("troops"), "health_max": _("troops at full strength")}


def in_words(changes: Iterable[Change], troops: Mapping[str, Said]) -> list[PlainChange]:
    """One line for each change. `troops`: names of the types in this campaign."""
    return world.in_words(changes, FIELDS, lambda change: _parts(change, troops))


def _parts(change: Change, troops: Mapping[str, Said]) -> Iterator[Part]:
    """The parts of a document that differ: troops by type, characters by name, and morale."""
    before, after = change.before, change.after
    kinds = _counted(before, troops), _counted(after, troops)
    if kinds[0] != kinds[1]:
        yield (_("composition"), *kinds)
    yield from world.list_character_changes(change)
    if before.get("morale") != after.get("morale"):
        yield (_("morale"), before.get("morale"), after.get("morale"))


def _counted(document: Mapping[str, Any], troops: Mapping[str, Said]) -> list[str]:
    counts = Counter(str(troop["type"]) for troop in document["troops"])
    return [render(say(_("{count} × {troop}"), count=n, troop=_name(slug, troops))) for slug, n in counts.items()]


def _name(slug: str, troops: Mapping[str, Said]) -> Said | str:
    return troops.get(slug) or (TROOPS[slug].name if slug in TROOPS else slug)

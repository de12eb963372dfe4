"""Queries for unit types: the library, with the campaign's own types in place of it and beside it, and drawings for
those without a picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types.services import make_stem
from core.text import render
from core.text_search import fold_name, strip_accents
from kingdom.models import Campaign
from kingdom.models.base import make_natural_key
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term
from rules.hexes.terrain import BY_SLUG, MapKind
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.items import Ability
from rules.pathfinder.catalogue.units import FAMILIES, UNITS
from rules.pathfinder.documents import unit_to_json
from rules.pathfinder.rulebook import CREATURE_TYPES
from rules.pathfinder.spec import LOW

# Drawings for unit types without a picture, and the slug of a unit type by its name.

DRAWINGS: Mapping[str, str] = {
    "aberration": "beast", "animal": "beast", "construct": "construct", "dragon": "winged", "fey": "plant",
    "humanoid": "foot", "magical-beast": "beast", "monstrous-humanoid": "giant", "ooze": "elemental",
    "outsider": "elemental", "plant": "plant", "undead": "undead", "vermin": "beast",
}  # fmt: skip
"""Symbols of static/portraits.svg by creature type."""
BY_ABILITY: Mapping[str, str] = {"mount": "rider", "flight": "winged", "spellcasting": "caster"}


def choose_drawing(unit: Mapping[str, Any], *, mounted: bool = False) -> str:
    """Symbol for a unit in the shape of the API."""
    if mounted:
        return "rider"
    drawing = DRAWINGS.get(unit["creature_type"], "foot")
    if drawing not in ("foot", "beast"):
        return drawing
    has = {choice["ability"] for choice in unit["abilities"]}
    special = next((symbol for ability, symbol in BY_ABILITY.items() if ability in has), "")
    return special or ("archer" if unit["ranged"] and drawing == "foot" else drawing)


def find_slug(name: str) -> str:
    """Slug of the unit type with this name: the library's in any language, else the one that a new type would get."""
    return _slugs_by_name().get(fold_name(name)) or make_stem(name)


@cache
def _slugs_by_name() -> dict[str, str]:
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {fold_name(render(kind.name)): slug for slug, kind in UNITS.items()}
    return found


# Queries for unit types: the library, with the campaign's own types in place of it and beside it.


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """A unit type in the shape of the API. `pk`: the campaign's row, None for one of the library. `known`: abilities of
    its ruleset, with the campaign's own.
    """

    slug: str
    name: str
    family: str
    unit: Mapping[str, Any]
    pk: UUID | None = None
    known: Mapping[str, Ability] = field(default_factory=lambda: ABILITIES, compare=False)

    @property
    def abilities(self) -> list[tuple[Said, int | None]]:
        """Names of its abilities, each with its number, if it has one."""
        found = ((choice["ability"], choice.get("value")) for choice in self.unit["abilities"])
        return [(self.known[slug].name if slug in self.known else Term(slug), value) for slug, value in found]

    @property
    def drawing(self) -> str:
        """Symbol that stands in for a missing picture."""
        return choose_drawing(self.unit)

    @property
    def in_library(self) -> bool:
        return self.slug in UNITS

    @property
    def terrains(self) -> tuple[str, ...]:
        """Slugs of the terrains it is at home in, by the library even where the campaign has changed the type.

        Empty stands for any terrain, as for every type of the campaign's own.
        """
        return UNITS[self.slug].homes if self.in_library else ()

    @property
    def homes(self) -> list[Term]:
        return [TERRAINS[slug].name for slug in self.terrains]


@dataclass(frozen=True, slots=True)
class Family:
    slug: str
    name: Said
    entries: tuple[UnitEntry, ...]


TERRAINS = BY_SLUG[MapKind.CAMPAIGN]
CRS = (*LOW, *map(str, range(1, 61)))
ORDER = {slug: place for place, slug in enumerate(FAMILIES)}


def load_unit_types(campaign: Campaign) -> dict[str, UnitEntry]:
    """Every unit type by slug; the campaign's own replace those of the library. One query."""
    own, known = UnitType.objects.filter(campaign=campaign), get_ruleset(campaign).abilities
    return _library(get_language()) | {
        row.slug: UnitEntry(row.slug, row.name, row.family, row.unit, row.pk, known) for row in own
    }


@lru_cache(maxsize=8)
def _library(language: str | None) -> dict[str, UnitEntry]:
    """Library of unit types in this language, which must be the active one. Cached and shared."""
    return {slug: _of_library(slug) for slug in UNITS}


def _of_library(slug: str) -> UnitEntry:
    kind = UNITS[slug]
    name = render(kind.name)
    return UnitEntry(slug, name, kind.family, {**unit_to_json(kind.unit), "name": name})


class UnitsSought(NamedTuple):
    """A search of unit types; an empty field matches all of them."""

    query: str = ""
    family: str = ""
    least: str = ""
    most: str = ""
    creature_type: str = ""
    ability: str = ""
    terrain: str = ""


type Entries = Mapping[str, UnitEntry]


def search_unit_types(entries: Entries, sought: UnitsSought) -> list[UnitEntry]:
    """Unit types that match every field, by family and name. An unknown CR is no bound.

    Each word of the query must be in the entry's text, in the reader's language or in English: name, creature type, CR,
    hit die, abilities, ranged, terrains. Quoted words must stand together. A number after an ability's name must be
    that ability's number.
    """
    pieces = _pieces_of(sought.query)
    answering = (one for one in entries.values() if _answers(one, sought) and _is_said_of(one, pieces))
    return sorted(answering, key=lambda entry: (ORDER[entry.family], make_natural_key(entry.name)))


def _answers(entry: UnitEntry, sought: UnitsSought) -> bool:
    unit = entry.unit
    cr = CRS.index(unit["cr"]) if unit["cr"] in CRS else len(CRS)
    least = CRS.index(sought.least) if sought.least in CRS else 0
    most = CRS.index(sought.most) if sought.most in CRS else len(CRS)
    return (
        least <= cr <= most
        and sought.family in ("", entry.family)
        and sought.creature_type in ("", unit["creature_type"])
        and (not sought.terrain or not entry.terrains or sought.terrain in entry.terrains)
        and (not sought.ability or any(choice["ability"] == sought.ability for choice in unit["abilities"]))
    )


class Narrowing(NamedTuple):
    """Choices of the filters: values that occur in the list."""

    crs: list[str]
    types: list[str]
    abilities: list[str]
    terrains: list[str]


def narrowing(entries: Entries) -> Narrowing:
    units = [entry.unit for entry in entries.values()]
    crs = {unit["cr"] for unit in units}
    homes = {slug for entry in entries.values() for slug in entry.terrains}
    return Narrowing(
        crs=[cr for cr in CRS if cr in crs],
        types=sorted({unit["creature_type"] for unit in units}),
        abilities=sorted({choice["ability"] for unit in units for choice in unit["abilities"]}),
        terrains=[slug for slug in TERRAINS if slug in homes],
    )


def group_by_family(entries: Iterable[UnitEntry]) -> list[Family]:
    """Entries, sorted by family, in groups with a heading."""
    groups = groupby(entries, key=lambda entry: entry.family)
    return [Family(slug, FAMILIES[slug], tuple(found)) for slug, found in groups]


class WordSought(NamedTuple):
    """A word or quoted phrase of a query, folded. `after`: for a number the word before it, "" for none."""

    text: str
    after: str = ""


QUOTED = re.compile(r'["“”„«»]\s*([^"“”„«»]*?)\s*["“”„«»]|([^\s"“”„«»]+)')


def _pieces_of(query: str) -> list[WordSought]:
    pieces: list[WordSought] = []
    for quoted, word in QUOTED.findall(strip_accents(query)):
        before = pieces[-1].text if pieces and word in CRS and pieces[-1].text not in CRS else ""
        if text := " ".join(quoted.split()) or word:
            pieces.append(WordSought(text, before))
    return pieces


def _is_said_of(entry: UnitEntry, pieces: list[WordSought]) -> bool:
    if not pieces:
        return True
    said, numbered = _searched(entry)
    return all(_holds(_bearing(numbered, piece.after) or (*said, *numbered), piece.text) for piece in pieces)


def _bearing(numbered: Iterable[str], word: str) -> list[str]:
    """Abilities with a number whose names contain this word."""
    return [text for text in numbered if word in text] if word else []


def _holds(texts: Iterable[str], piece: str) -> bool:
    """Whether one of the texts contains the piece. Numbers match whole words only: CR 1 is not CR 10."""
    last = piece.rpartition(" ")[2] in CRS
    alone = piece in CRS
    sought = f"{' ' if alone else ''}{piece}{' ' if last else ''}"
    return any(sought in text for text in texts)


def _searched(entry: UnitEntry) -> tuple[list[str], list[str]]:
    """Searchable texts of an entry, folded and padded with blanks: all but numbered abilities, and those."""
    unit, language = entry.unit, get_language()
    said = [strip_accents(entry.name), *_words_of("kind", entry.slug, language)]
    said += [*_words_of("type", unit["creature_type"], language), unit["hit_die"]]
    said += [strip_accents(f"CR {unit['cr']}"), strip_accents(_("CR %(cr)s") % {"cr": unit["cr"]})]
    said += ["ranged", strip_accents(_("ranged"))] if unit.get("ranged") else []
    said += [words for slug in entry.terrains for words in _words_of("terrain", slug, language)]
    said += [] if entry.terrains else ["any terrain", strip_accents(_("any terrain"))]
    numbered: list[str] = []
    for choice in unit["abilities"]:
        value, names = choice.get("value"), _words_of("ability", choice["ability"], language)
        if choice["ability"] not in ABILITIES and choice["ability"] in entry.known:
            names = (*names, strip_accents(entry.known[choice["ability"]].name))
        (numbered if value else said).extend(f"{name} {value or ''}".rstrip() for name in names)
    return [f" {text} " for text in said], [f" {text} " for text in numbered]


SAID: dict[str, Mapping[str, Any]] = {
    "kind": UNITS, "type": CREATURE_TYPES, "ability": ABILITIES, "terrain": TERRAINS,
}  # fmt: skip


@lru_cache(maxsize=1_024)
def _words_of(what: str, slug: str, language: str | None) -> tuple[str, ...]:
    """Slug and names of an item in English and in this language, which must be the active one; folded."""
    item = SAID[what].get(slug)
    return tuple(map(strip_accents, (slug, str(item.name), render(item.name)))) if item else (strip_accents(slug),)

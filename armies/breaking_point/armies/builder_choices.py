"""Choices of the army form's lists: the rules' tables by name, each with its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from armies.breaking_point.forces import words
from core.shapes.forms import CatalogueChoices, FormChoices, JsonDocument
from core.text import render
from core.text_search import contains_words, split_words, strip_accents
from kingdom.models.base import make_natural_key
from kingdom.rendering import SOUGHT_MAX
from rules.breaking_point.documents import unit_to_json
from rules.breaking_point.spec import SHOOTING, Json
from rules.breaking_point.starter import ERAS, MACHINES, QUALITIES, STARTERS, TROOP_TYPES, quality_of
from rules.core.text import NO_WORDS, Term

NOTHING = ("", "–")
MEN, MACHINES_TO_BEGIN, CREW_COMBAT = 100, 10, 5
QUALITY_NUMBERS = {quality.slug: quality.usual for quality in QUALITIES}


def build_choices(law: Any) -> CatalogueChoices:
    """Choices of each list, in the reader's language."""
    return {
        "types": _by_name((slug, render(Term(kind.name))) for slug, kind in law.tables.types.items()),
        "weapons": weapons_of(law),
        "armours": _armours(law),
        "machines": _machines(law),
        "qualities": [(one.slug, _quality(one)) for one in QUALITIES],
    }


def _machines(law: Any) -> FormChoices:
    return _by_name((slug, render(Term(one.name))) for slug, one in law.tables.machines.items())


def _by_name(pairs: Iterable[tuple[str, str]]) -> FormChoices:
    return sorted(pairs, key=lambda pair: make_natural_key(pair[1]))


def _quality(quality: Any) -> str:
    return f"{render(quality.name)} ({quality.usual})"


def weapons_of(law: Any) -> FormChoices:
    """Weapons with their figures: the campaign's own, then melee, then shooting."""
    kept = law.house.weapons
    rest = [one for slug, one in law.tables.weapons.items() if slug not in kept]
    groups = (
        (_("Custom"), kept.values()),
        (_("Melee"), [one for one in rest if not one.shoots]),
        (_("Shooting"), [one for one in rest if one.shoots]),
    )
    return [
        (title, _by_name((one.slug, render(words.weapon(one))) for one in found)) for title, found in groups if found
    ]


def _armours(law: Any) -> FormChoices:
    """Armours with the figure that counts in this campaign (B-12)."""
    known = law.tables.armours
    told = ((slug, render(one.name), figure) for slug, one in known.items() if (figure := worn(law, slug)))
    return [(slug, f"{name} ({figure})") for slug, name, figure in told if not known[slug].adds]


def worn(law: Any, slug: str) -> int | None:
    """Figure of an armour in this campaign: halved where the house rules halve armour (B-12). None for an unknown
    slug.
    """
    armour = law.tables.armours.get(slug)
    if armour is None:
        return None
    found: int = armour.worn if law.house.halved_armour else armour.full
    return found


def list_starter_units(law: Any, query: str = "") -> FormChoices:
    """Starter units and machines by kind, with every word of the query in their name, type or era, in the reader's
    language or in English. Within a kind they are in alphabetical order, each with its era.
    """
    wanted = split_words(query)
    groups: dict[str, list[tuple[str, str]]] = {title: [] for title in _titles()}
    for slug, name, title, era, kind in _list_starters(law):
        if contains_words(_said(name, kind, era), wanted):
            label = _("{unit} ({era})").format(unit=render(name), era=render(era)) if render(era) else render(name)
            groups[title].append((slug, label))
    return [(title, _by_name(found)) for title, found in groups.items() if found]


def _titles() -> list[str]:
    """Titles of the kinds, in their order."""
    named = [_title_of(kind) for kind in TROOP_TYPES]
    return [*dict.fromkeys(named), _("Custom machines")]


def _title_of(kind: str) -> str:
    titles = {
        "infantry": _("Infantry"), "archers": _("Archers"), "artillery": _("Artillery"), "cavalry": _("Cavalry"),
        MACHINES: _("Machines"),
    }  # fmt: skip
    return titles.get(kind) or _("Chariots, beasts and monsters")


def _list_starters(law: Any) -> Iterator[tuple[str, Term, str, Term, str]]:
    """Starter units and machines, then the campaign's own machines: slug, name, title of the kind, era, type."""
    machines = {slug: Term(one.name) for slug, one in law.tables.machines.items()}
    for era in ERAS:
        for slug in era.units:
            kind = STARTERS[slug].type
            yield slug, STARTERS[slug].name, _title_of(kind), era.name, TROOP_TYPES[kind].name
        for slug in era.machines:
            if slug in machines:
                yield slug, machines.pop(slug), _title_of(MACHINES), era.name, TROOP_TYPES[MACHINES].name
    for slug, name in machines.items():
        yield slug, name, _("Custom machines"), NO_WORDS, TROOP_TYPES[MACHINES].name


def _said(*names: str) -> str:
    return strip_accents(" ".join(f"{name} {render(Term(name))}" for name in names))


def read_query(data: Mapping[str, str]) -> str:
    """The search of starter units."""
    return data.get("sought", "")[:SOUGHT_MAX].replace("\0", "")


def looks_on(data: Mapping[str, str]) -> bool:
    """Whether Enter was pressed in that search. No button is sent then, so the query differs from the one shown."""
    return "raise" not in data and "shown" in data and read_query(data) != data["shown"]


def figures_picked(units: list[JsonDocument], data: Mapping[str, str], law: Any) -> list[JsonDocument]:
    """The units with the figures of a quality or armour that was chosen from a list."""
    told = []
    for place, unit in enumerate(units):
        quality = QUALITY_NUMBERS.get(data.get(f"units-{place}-quality", ""))
        armour = worn(law, data.get(f"units-{place}-worn", ""))
        chosen = {"combat": quality, "armour": armour}
        told.append({**unit, **{name: number for name, number in chosen.items() if number is not None}})
    return told


def starter_of(slug: str, law: Any) -> Json:
    """Document of a starter unit; an empty infantry unit for an unknown slug."""
    if slug in STARTERS:
        return starter_document(slug, MEN)
    if slug in law.tables.machines:
        name = render(Term(law.tables.machines[slug].name))
        return {"name": name, "type": MACHINES, "strength": MACHINES_TO_BEGIN, "combat": CREW_COMBAT,
                "group": SHOOTING, "machine": slug}  # fmt: skip
    return {"type": "infantry", "group": "contact", "armour": 0}


def starter_document(slug: str, heads: int) -> Json:
    """Document of a starter unit with this many heads, named in the reader's language."""
    starter = STARTERS[slug]
    return {**unit_to_json(starter.unit(heads)), "name": render(starter.name)}


def describe_unit(unit: Mapping[str, Any], law: Any) -> str:
    """Short description of a unit as typed so far."""
    kind, combat = law.tables.types.get(str(unit.get("type"))), unit.get("combat")
    told = (
        str(unit.get("strength", "")),
        render(Term(kind.name)) if kind else "",
        render(quality_of(combat).name) if isinstance(combat, int) else "",
    )
    return " · ".join(filter(None, told))

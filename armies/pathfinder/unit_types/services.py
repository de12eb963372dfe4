"""Services for unit types: save, delete, import (PF-1.11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify

from armies.pathfinder.models import UnitType
from core.clean_input import clean_slug, clean_text
from core.live import notify_campaign
from core.text import render
from core.text_search import LONGEST, Slugs
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand, require
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue.units import FAMILIES, UNITS
from rules.pathfinder.documents import unit_from_json, unit_to_json
from rules.pathfinder.rulebook import Rulebook

ROW = ("slug", "family", "unit")
MOST_TYPES = 2000
AT_ONCE = 200  # rows in one statement
FULL = _("A campaign can have {most} unit types of its own at most. Delete one first.")


class Wanted(NamedTuple):
    """A unit type to save, in its normal form."""

    slug: str
    name: str
    family: str
    unit: dict[str, Any]


@gm_only
@transaction.atomic
def save_unit_type(
    *, by: User, campaign: Campaign, unit: Mapping[str, Any], family: str = "other", slug: str = ""
) -> UnitType:
    """Saves a unit type, in place of the one with this slug (the library's too). GM only.

    Without a slug it is a new type with a slug made from its name. Raises `InvalidInput` with a pointer into the unit.
    """
    require_gm(by, campaign)
    law, (known, slugs) = get_ruleset(changes.hold(campaign)), _known(campaign)
    wanted = _wanted(law, unit, family)
    wanted = wanted._replace(slug=normalize_slug(slug) or slugs.free(make_stem(wanted.name)))
    require(not _crowded(known, [wanted]), FULL, most=MOST_TYPES)
    (row,) = _put(by, campaign, known, [wanted], say(_("The unit type {unit} was saved."), unit=wanted.name))
    return row


def normalize_slug(slug: str) -> str:
    """The slug in its stored form (lower case, hyphens); "" if it is empty or has no usable characters."""
    return slugify(slug)[:LONGEST]


def make_stem(name: str) -> str:
    """First part of a slug, made from the unit type's name."""
    return slugify(name)[:LONGEST] or "unit"


def _wanted(law: Rulebook, unit: Mapping[str, Any], family: str) -> Wanted:
    """The validated unit type, still without a slug."""
    checked = unit_from_json(unit, law)
    name = clean_text(checked.name, field="/unit/name")
    family = clean_slug(family, field="/family", among=FAMILIES)
    return Wanted("", name, family, unit_to_json(checked))


def _known(campaign: Campaign) -> tuple[dict[str, UUID], Slugs]:
    """The campaign's own types (slug → id), and all slugs in use, the library's included."""
    own = list(UnitType.objects.filter(campaign=campaign).values_list("slug", "pk", "name"))
    library = {slug: render(kind.name) for slug, kind in UNITS.items()}
    return {slug: pk for slug, pk, _name in own}, Slugs(library | {slug: name for slug, _pk, name in own})


def _crowded(known: Collection[str], wanted: Sequence[Wanted]) -> list[int]:
    """Places of those for which the campaign has no room."""
    there, without = set(known), []
    for place, one in enumerate(wanted):
        if one.slug not in there and len(there) >= MOST_TYPES:
            without.append(place)
        else:
            there.add(one.slug)
    return without


def _put(
    by: User, campaign: Campaign, known: Mapping[str, UUID], wanted: Sequence[Wanted], text: Said
) -> list[UnitType]:  # fmt: skip
    """Saves the unit types in one chronicle entry; the campaign is locked. Of two with one slug the last is saved."""
    on = [("unit_type", known[slug]) for slug in {one.slug for one in wanted} & known.keys()]
    with record_changes(
        by=by, campaign=campaign, kind="other", rule="PF-1.11", on=on, text=text, private=False
    ) as told:
        rows = {row.slug: row for row in told.rows("unit_type").values()}
        new: dict[str, UnitType] = {}
        for one in wanted:
            row = rows.get(one.slug) or new.setdefault(one.slug, UnitType(campaign=campaign, slug=one.slug))
            row.name, row.family, row.unit = one.name, one.family, one.unit
        UnitType.objects.bulk_update(rows.values(), ["name", "family", "unit"], batch_size=AT_ONCE)
        UnitType.objects.bulk_create(new.values(), batch_size=AT_ONCE)
        for row in new.values():
            told.made("unit_type", row)
    notify_campaign(campaign.pk)
    return [{**rows, **new}[one.slug] for one in wanted]


@gm_only
@transaction.atomic
def remove_unit_type(*, by: User, unit_type: UnitType) -> None:
    """Deletes a unit type of the campaign; a library type with its slug appears again. GM only.

    Undo restores it, unless another one has taken its slug.
    """
    require_gm(by, unit_type.campaign)
    campaign, on = unit_type.campaign, [("unit_type", unit_type)]
    with record_changes(by=by, campaign=campaign, kind="other", rule="PF-1.11", on=on, private=False) as told:
        for row in told.rows("unit_type").values():  # no row: somebody else has deleted it meanwhile
            told.gone("unit_type", row)
            told.text = say(_("The unit type {unit} was deleted."), unit=row.name)
            row.delete()


@gm_only
@transaction.atomic
def import_unit_types(*, by: User, campaign: Campaign, rows: Sequence[Any]) -> list[UnitType]:
    """Saves all rows or none. Raises `InvalidInput` that names the row of every problem ("/units/3/unit/cr")."""
    require_gm(by, campaign)
    demand(rows, _("This file has no unit types."), field="/units")
    demand(
        len(rows) <= MOST_TYPES,
        _("Import at most {most} unit types at a time. Split the file."),
        field="/units",
        most=MOST_TYPES,
    )
    law, (known, slugs) = get_ruleset(changes.hold(campaign)), _known(campaign)
    wanted: list[Wanted] = []
    problems: list[tuple[str, Said]] = []
    for index, row in enumerate(rows):
        try:
            wanted.append(_one_of_a_file(law, row, slugs))
        except Refusal as refusal:
            problems += _named(index, row, refusal.errors)
    if not problems:
        full = [("", say(FULL, most=MOST_TYPES))]
        problems = [named for index in _crowded(known, wanted) for named in _named(index, rows[index], full)]
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    return _put(by, campaign, known, wanted, say(_("{count} unit types were imported."), count=len(wanted)))


def _one_of_a_file(law: Rulebook, row: Any, slugs: Slugs) -> Wanted:
    """The unit type in this row. Without a slug it is the type of that name, if there is one."""
    demand(isinstance(row, Mapping) and isinstance(row.get("unit"), Mapping),
           _("Send an object with the fields slug, family and unit."))  # fmt: skip
    for name in row:
        demand(name in ROW, _("Unknown field “{name}”. Remove it."), field=f"/{name}", name=str(name)[:60])
    family = row.get("family")
    found = _wanted(law, row["unit"], "other" if family in (None, "") else family)
    slug = normalize_slug(_slug_of(row.get("slug"))) or slugs.of(make_stem(found.name), found.name)
    found = found._replace(slug=slug)
    slugs.take(found.slug, found.name)
    return found


def _slug_of(told: Any) -> str:
    """The slug in a row; "" for none. Raises `InvalidInput`."""
    if told is None or told == "":
        return ""
    return clean_text(told, field="/slug", most=LONGEST)


def _named(index: int, row: Any, errors: Iterable[tuple[str, Said]]) -> list[tuple[str, Said]]:
    """Problems of this row, with its number and name."""
    unit = row.get("unit") if isinstance(row, Mapping) else None
    name = str(unit.get("name", ""))[:60] if isinstance(unit, Mapping) else ""
    return [
        (f"/units/{index}{pointer}", say(_("Row {row} ({name}): {problem}"), row=index + 1, name=name, problem=message))
        for pointer, message in errors
    ]

"""Unit types of a campaign: write, remove, bring in and out as JSON and CSV (PF-1.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from armies.pathfinder.models import UnitType
from kingdom import world
from kingdom.gathering import gathered
from kingdom.inputs import clean_slug, clean_text
from kingdom.live.news import tell_campaign
from kingdom.models import Campaign
from kingdom.models.user import User
from kingdom.recording import recorded
from kingdom.selectors import require_gm, ruleset_of
from kingdom.warrants import gm_only
from rules.errors import InvalidInput, Refusal, demand, require
from rules.pathfinder.parse import unit_from_json, unit_to_json
from rules.pathfinder.units import FAMILIES
from rules.text import Said, _, say

ROW = ("slug", "family", "unit")
MOST_TYPES = 2000


@gm_only
@transaction.atomic
def save_unit_type(
    *, by: User, campaign: Campaign, unit: Mapping[str, Any], family: str = "other", slug: str = ""
) -> UnitType:
    """Write a unit type, in place of the one with this slug (the library's too). GM only.

    Without a slug one is made from the name. Raises `InvalidInput` with a pointer into the unit.
    """
    require_gm(by, campaign)
    checked = unit_from_json(unit, ruleset_of(world.hold(campaign)))
    slug = slug_of(slug, checked.name)
    old = UnitType.objects.filter(campaign=campaign, slug=slug).first()
    on = [("unit_type", old)] if old else []
    with recorded(by=by, campaign=campaign, kind="other", rule="PF-1.11", on=on, private=False) as told:
        row = told.rows("unit_type")[str(old.pk)] if old else _new_row(campaign, slug)
        row.name = clean_text(checked.name, field="/unit/name")
        row.family = clean_slug(family, field="/family", among=FAMILIES)
        row.unit = unit_to_json(checked)
        row.save()
        if old is None:
            told.made("unit_type", row)
        told.text = say(_("The unit type {unit} was written."), unit=row.name)
    tell_campaign(campaign.pk)
    return row


def slug_of(slug: str, name: str) -> str:
    """What a unit type is known by: of its name, where nothing is said."""
    return slugify(slug or name)[:80] or "unit"


def _new_row(campaign: Campaign, slug: str) -> UnitType:
    require(UnitType.objects.filter(campaign=campaign).count() < MOST_TYPES,
            _("A campaign keeps at most {most} unit types of its own."), most=MOST_TYPES)  # fmt: skip
    return UnitType(campaign=campaign, slug=slug)


@gm_only
@transaction.atomic
def remove_unit_type(*, by: User, unit_type: UnitType) -> None:
    """Strike a unit type of the campaign; a library kind of the same slug shows again. GM only.

    Taking that back brings it back, unless another one has its slug by then.
    """
    require_gm(by, unit_type.campaign)
    with recorded(by=by, campaign=unit_type.campaign, kind="other", rule="PF-1.11", private=False) as told:
        row = UnitType.objects.select_for_update().filter(pk=unit_type.pk).first()
        if row is None:  # somebody else has removed it
            return
        told.gone("unit_type", row)
        told.text = say(_("The unit type {unit} was removed."), unit=row.name)
        row.delete()
    tell_campaign(unit_type.campaign_id)


@gm_only
@transaction.atomic
def import_unit_types(*, by: User, campaign: Campaign, rows: Sequence[Any]) -> list[UnitType]:
    """Write all of them or none. Raises `InvalidInput` that names the row of every problem ("/units/3/unit/cr")."""
    require_gm(by, campaign)
    demand(rows, _("There is no unit type in this file."), field="/units")
    demand(len(rows) <= MOST_TYPES, _("At most {most} unit types at once, please."), field="/units", most=MOST_TYPES)
    with recorded(by=by, campaign=campaign, kind="other", rule="PF-1.11", private=False) as told:
        with gathered() as parts:
            written = _written(by, campaign, rows)
        told.take(parts)
        told.text = say(_("{count} unit types were brought in."), count=len(written))
    return written


def _written(by: User, campaign: Campaign, rows: Sequence[Any]) -> list[UnitType]:
    written, problems = [], []
    for index, row in enumerate(rows):
        try:
            written.append(_import_one(by, campaign, row))
        except Refusal as refusal:
            problems += _named(index, row, refusal)
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    return written


def _import_one(by: User, campaign: Campaign, row: Any) -> UnitType:
    demand(isinstance(row, Mapping) and isinstance(row.get("unit"), Mapping),
           _("Give an object with slug, family and unit."))  # fmt: skip
    for name in row:
        demand(name in ROW, _("“{name}” is not a field here."), field=f"/{name}", name=str(name)[:60])
    return save_unit_type(
        by=by, campaign=campaign, unit=row["unit"], family=row.get("family") or "other", slug=str(row.get("slug") or "")
    )


def _named(index: int, row: Any, refusal: Refusal) -> list[tuple[str, Said]]:
    """The refusal's problems, said of this row of the file."""
    unit = row.get("unit") if isinstance(row, Mapping) else None
    name = str(unit.get("name", "")) if isinstance(unit, Mapping) else ""
    return [
        (f"/units/{index}{pointer}", say(_("Row {row} ({name}): {problem}"), row=index + 1, name=name, problem=message))
        for pointer, message in refusal.errors
    ]

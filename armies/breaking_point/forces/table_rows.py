"""CSV rows of an army's units, and of the campaign's own types of troops (BP-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.arsenal.services import save_thing, stem_of
from armies.documents.rows import DocumentRows
from armies.tables.tables import Cells, ThingTable, parse_yes_or_no
from core.clean_input import read_typed_whole
from core.text_search import Slugs
from kingdom.models import Campaign, User
from rules.breaking_point.documents import ARMY, UNIT
from rules.breaking_point.house import TYPE_FLAGS, TYPES
from rules.core.text import _
from rules.house import OWN

# Units of an army (`armies.documents.rows` defines how a weapon is written).

COLUMNS = tuple(dict.fromkeys((
    "name", "type", "strength", "combat", "weapons", "armour", "shield", "group", "reserve", "pieces", "machine",
    "toughness", "mobility", "breaking", "never", "engineers", "starves", *UNIT.members,
)))  # fmt: skip


class UnitRowsOfArmies(DocumentRows):
    def rows_of(self, document: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Rows of the units. `none` is written only for machines without weapons, since a machine's missing weapons
        mean those of its kind.
        """
        units = ({**unit, "weapons": unit.get("weapons") or (unit.get("weapons") if "machine" in unit else None)}
                 for unit in document.get("units", ()))  # fmt: skip
        return super().rows_of({"units": list(units)})


ROWS = UnitRowsOfArmies(ARMY, COLUMNS, ("name", "type", "strength"))


# The campaign's own types of troops (BP-2).

NUMBERS = ("toughness", "charge")


class TypeTable(ThingTable[Mapping[str, Any]]):
    """Table of the campaign's own types of troops."""

    title = _("Types of troops")
    about = _(
        "Each row is a type of troops made for this campaign, identified by its slug. Without a slug, one is "
        "made from the name. The ruleset’s own types are not listed."
    )
    again = _("This type of troops is already in line {line}.")
    brought = _("Types of troops imported from a table: {new} new, {changed} changed.")
    head = ("slug", "name", "toughness", "charge", "starves", *TYPE_FLAGS)
    needed = ("name", "toughness")

    def there(self, campaign: Campaign) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = campaign.house_rules.get(OWN, {}).get(TYPES, {})
        return found

    def cells(self, slug: str, thing: Mapping[str, Any]) -> Cells:
        flags = {name: "yes" if thing.get(name) else "" for name in TYPE_FLAGS}
        starves = "" if "starves" not in thing else "yes" if thing["starves"] else "no"
        return {"slug": slug, "name": thing["name"], "toughness": thing["toughness"], "charge": thing.get("charge", 1),
                "starves": starves, **flags}  # fmt: skip

    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        name = cells.get("name", "")
        return cells.get("slug") or slugs.of(stem_of(TYPES, name), name)

    def write(
        self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:  # fmt: skip
        kept = {name: value for name, value in (old or {}).items() if name not in cells}
        slug = save_thing(by=by, campaign=campaign, kind=TYPES, thing={**kept, **_thing(cells)}, slug=slug)
        campaign.refresh_from_db(fields=["house_rules"])
        return self.there(campaign)[slug]


def _thing(cells: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {"name": cells["name"]}
    given |= {name: read_typed_whole(cells[name]) for name in NUMBERS if cells.get(name)}
    given |= {
        name: parse_yes_or_no(cells[name], field=f"/{name}") for name in ("starves", *TYPE_FLAGS) if cells.get(name)
    }
    return given

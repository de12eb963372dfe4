"""Table rows of the campaign's own types of troops (WC-HOUSE)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.text import slugify

from armies.documents.cells import cells_of, document_of
from armies.tables.slug_rows import ThingTable
from armies.tables.tables import Cells
from armies.wing_command.type_services import save_type
from core.slugs import Slugs
from kingdom.models import Campaign, User
from rules.core.text import _
from rules.house import OWN
from rules.wing_command.own import SHAPE, TYPES

STEM = "troops"

type OwnType = Mapping[str, Any]


class TroopTypeTable(ThingTable[OwnType]):
    """What types of troops a campaign has beside the ruleset's."""

    title = _("Types of troops")
    about = _(
        "A row is a type of troops of the campaign’s own. Which one, its slug says; without one it is made from the "
        "name. The law’s own are not among them."
    )
    again = _("This type of troops stands in line {line} already.")
    brought = _("Types of troops were brought in as a table: {new} new, {changed} changed.")
    head = ("slug", *SHAPE.members)
    needed = ("name", "tag")

    def there(self, campaign: Campaign) -> Mapping[str, OwnType]:
        found: Mapping[str, OwnType] = campaign.house_rules.get(OWN, {}).get(TYPES, {})
        return found

    def cells(self, slug: str, thing: OwnType) -> Cells:
        return {"slug": slug, **cells_of(SHAPE, thing)}

    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        name = cells.get("name", "")
        return cells.get("slug") or slugs.of(slugify(name)[:50].strip("-") or STEM, name)

    def write(
        self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: OwnType | None
    ) -> OwnType:  # fmt: skip
        kept = {name: value for name, value in (old or {}).items() if name not in cells}
        save_type(by=by, campaign=campaign, slug=slug, type_={**kept, **document_of(SHAPE, cells)})
        campaign.refresh_from_db(fields=["house_rules"])
        return self.there(campaign)[slug]

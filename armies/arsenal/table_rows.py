"""Table files of a campaign's own entries of one kind, with a column for each member of their shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.arsenal.services import save_thing, stem_of
from armies.documents.rows import cells_of, document_of
from armies.tables.tables import Cells, ThingTable
from core.text_search import Slugs
from kingdom.models import Campaign, User
from rules.core.shapes import DeclaredShape
from rules.core.text import Term, _
from rules.house import OWN

type OwnThing = Mapping[str, Any]


class OwnThingTable(ThingTable[OwnThing]):
    """The campaign's own entries of one kind, without the ruleset's."""

    def __init__(
        self, kind: str, shape: DeclaredShape, slug: str, title: Term, about: Term, again: Term, brought: Term
    ):
        self.kind, self.shape, self.slug = kind, shape, slug
        self.title, self.about, self.again, self.brought = title, about, again, brought
        self.head: Sequence[str] = ("slug", *shape.members)
        self.needed: Sequence[str] = [key for key, one in shape.members.items() if one.needed]

    def there(self, campaign: Campaign) -> Mapping[str, OwnThing]:
        found: Mapping[str, OwnThing] = campaign.house_rules.get(OWN, {}).get(self.kind, {})
        return found

    def cells(self, slug: str, thing: OwnThing) -> Cells:
        return {"slug": slug, **cells_of(self.shape, thing)}

    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        name = cells.get("name", "")
        return cells.get("slug") or slugs.of(stem_of(self.kind, name), name)

    def write(
        self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: OwnThing | None
    ) -> OwnThing:  # fmt: skip
        kept = {name: value for name, value in (old or {}).items() if name not in cells}
        thing = {**kept, **document_of(self.shape, cells)}
        slug = save_thing(by=by, campaign=campaign, kind=self.kind, thing=thing, slug=slug)
        campaign.refresh_from_db(fields=["house_rules"])
        return self.there(campaign)[slug]


ABOUT_TYPES = _(
    "Each row is a type of troops made for this campaign, identified by its slug. Without a slug, one is "
    "made from the name. The ruleset’s own types are not listed."
)


class TypesTable(OwnThingTable):
    """Table of unit types."""

    def __init__(self, kind: str, shape: DeclaredShape):
        again = _("This type of troops is already in line {line}.")
        brought = _("Types of troops imported from a table: {new} new, {changed} changed.")
        super().__init__(kind, shape, "units", _("Types of troops"), ABOUT_TYPES, again, brought)

"""Carried tables: the tables of a campaign's document, and the models that are left out with the reasons.

A test fails for a model below a campaign that is neither carried nor left out, and for a column without a defined
format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from kingdom.archive import import_checks
from kingdom.archive.columns import Column, OwnId, RowReference, build_column
from kingdom.archive.import_checks import demand_playable
from kingdom.contributions import contributed
from kingdom.models import (
    ApiToken,
    ApprovalRequest,
    Campaign,
    CampaignImport,
    CampaignMap,
    ChronicleEntry,
    DeletedMembership,
    DeletedRow,
    Invitation,
    Kingdom,
    KingdomPlayer,
    LedgerEntry,
    MapKnowledge,
    MapRow,
    Membership,
    Note,
    NoteVersion,
    Picture,
    Settlement,
    ShareLink,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)

CAMPAIGN = "campaign"
Check = Callable[[Any], object]


@dataclass(frozen=True)
class CarriedTable:
    """A table of the document.

    - `left_out`: columns that are not exported, each with its reason.
    - `chosen`: a condition on the exported rows, with the reason for the others.
    - `people`: its rows are people, exported only on request.
    - `check(row)`: whatever it raises for an imported row refuses the document. `ready` adds what `check` reads.
    - `added`: columns added without a new version of the document, with the value for rows that lack them
      (`rules.army_figures.ADDED_LATER`).
    """

    name: str
    model: type[models.Model]
    left_out: Mapping[str, str] = field(default_factory=dict)
    chosen: tuple[models.Q, str] | None = None
    people: bool = False
    check: Check | None = None
    ready: Callable[[QuerySet[Any]], QuerySet[Any]] = lambda rows: rows
    added: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def fields(self) -> list[Any]:
        """The model's own columns that are exported, without the campaign."""
        behind = {*self.left_out, CAMPAIGN}
        return [found for found in self.model._meta.local_concrete_fields if found.name not in behind]

    @cached_property
    def columns(self) -> dict[str, Column]:
        names = {table.model: table.name for table in contributed().carried_tables}
        return {found.name: build_column(found, names) for found in self.fields}

    @cached_property
    def key(self) -> str:
        """The name of its id column; "" if its rows have no ids of their own."""
        return next((name for name, column in self.columns.items() if isinstance(column, OwnId)), "")

    @cached_property
    def owned(self) -> bool:
        """Whether it has a column of its own for the campaign."""
        return any(found.name == CAMPAIGN for found in self.model._meta.local_concrete_fields)

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        """Return the exported rows of a campaign, oldest first."""
        found = self.model._default_manager.filter(campaign=campaign.pk).order_by("pk")
        return found.filter(self.chosen[0]) if self.chosen else found


def select_campaign(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Add the campaign of each row, for `ready`, if `check` reads it."""
    return rows.select_related(CAMPAIGN)


ROOT = CarriedTable(
    CAMPAIGN,
    Campaign,
    left_out={
        "created_by": "whoever brings it in",
        "revision": "counts what open pages were told",
        "brought_bytes": "of the document it is brought in by",
        "players_share": "about links of the site they are made on",
        "owner": "whoever brings it in",
        "offered_to": "people of the site it was on",
        "deleted_at": "what is deleted is taken along by nobody",
    },
    check=demand_playable,
)


def list_carried_tables() -> list[CarriedTable]:
    """Return every table, each after those its rows refer to."""
    tables = {table.name: table for table in contributed().carried_tables}
    order: TopologicalSorter[str] = TopologicalSorter()
    for name in sorted(tables):
        order.add(name, *sorted(_named(tables[name])))
    return [tables[name] for name in order.static_order()]


def _named(table: CarriedTable) -> Iterable[str]:
    found = {column.table for column in table.columns.values() if isinstance(column, RowReference)}
    return found - {table.name}


def find_table(name: str) -> CarriedTable | None:
    return next((table for table in contributed().carried_tables if table.name == name), None)


# Tables of campaigns and kingdoms.


CARRIED = (
    CarriedTable("kingdoms", Kingdom, check=import_checks.demand_kingdom, ready=select_campaign),
    CarriedTable("settlements", Settlement, check=import_checks.demand_settlement),
    CarriedTable("chronicle", ChronicleEntry, check=import_checks.demand_entry, ready=select_campaign),
    CarriedTable("struck", DeletedRow, check=import_checks.demand_deleted_row, ready=select_campaign),
    CarriedTable("ledger", LedgerEntry, check=import_checks.demand_ledger),
    CarriedTable("map", CampaignMap, check=import_checks.demand_map),
    CarriedTable("map_rows", MapRow),
    CarriedTable("map_knowledge", MapKnowledge),
    CarriedTable("notes", Note, check=import_checks.demand_note),
    CarriedTable("note_versions", NoteVersion, check=import_checks.demand_version),
    CarriedTable("pictures", Picture, check=import_checks.demand_picture),
    CarriedTable("requests", ApprovalRequest, check=import_checks.demand_request, ready=select_campaign, chosen=(
        ~Q(status=ApprovalRequest.State.WAITING), "what waits was asked by somebody who has no seat there")),
    CarriedTable("members", Membership, people=True, left_out={"invitation": "a link of the site it was made on"}),
    CarriedTable("kingdom_players", KingdomPlayer, people=True),
)  # fmt: skip
LEFT_OUT: Mapping[type[models.Model], str] = {
    ApiToken: "keys of people to the site they were made on",
    Invitation: "links of the site they were made on",
    CampaignImport: "campaigns on their way in, each for whoever brings it",
    ShareLink: "links of the site they were made on",
    Webhook: "an address that trusts the site it was made on, by a secret of that site",
    WebhookDelivery: "what that site has told",
    WebhookAttempt: "what that site has told",
    DeletedMembership: "only what is deleted has any, and that is taken along by nobody",
}

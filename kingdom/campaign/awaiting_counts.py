"""Counts of what awaits a reader, for the tabs of a campaign's pages, which apps contribute.

What a count is made of is read in the query that reads the campaign, so that no page asks for it apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db.models import Model
from django.db.models.expressions import Combinable

from kingdom.contributions import contributed
from kingdom.models import Campaign, User

READ = "_awaiting"  # where a campaign in hand keeps what was read for its counts


class Counter(NamedTuple):
    """`columns`: expressions over the column that names the campaign, by name; `count`: of what these came to."""

    columns: Callable[[str], Mapping[str, Combinable]]
    count: Callable[[User, Campaign, Mapping[str, Any]], int]  # type: ignore[assignment]


def build_columns(campaign: str) -> dict[str, Combinable]:
    """What rows are annotated with whose campaign this column names (`know_awaiting` takes it off them)."""
    return {
        f"_{tab}_{name}": column
        for tab, counter in contributed().awaiting.items()
        for name, column in counter.columns(campaign).items()
    }


def know_awaiting(row: Model, campaign: Campaign) -> None:
    """What `columns` came to in this row is kept with its campaign."""
    campaign.__dict__[READ] = {name: row.__dict__.pop(name) for name in build_columns("pk")}


def awaiting(user: User, campaign: Campaign, tab: str) -> int:
    """How much of this tab awaits the reader. Asked once per campaign object, if it was not read with it."""
    counter = contributed().awaiting.get(tab)
    return counter.count(user, campaign, read(campaign, tab)) if counter else 0


def read(campaign: Campaign, tab: str) -> dict[str, Any]:
    """What the columns of this tab came to."""
    if READ not in campaign.__dict__:
        columns = build_columns("pk")
        found = Campaign.objects.filter(pk=campaign.pk).values_list(*columns.values()).get()
        campaign.__dict__[READ] = dict(zip(columns, found, strict=True))
    start = f"_{tab}_"
    known = campaign.__dict__[READ].items()
    return {name.removeprefix(start): value for name, value in known if name.startswith(start)}

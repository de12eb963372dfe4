"""Counts on the tabs of a campaign's pages: how much awaits the reader. Apps contribute them.

The query that reads the campaign reads their columns too, so that no page needs another query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db.models import Model
from django.db.models.expressions import Combinable

from kingdom.contributions import contributed
from kingdom.models import Campaign, User

READ = "_awaiting"  # attribute of a campaign object: the values of the columns


class Counter(NamedTuple):
    """`columns(campaign)` returns expressions by name, where `campaign` is the column of the campaign's id; `count`
    computes the number from their values.
    """

    columns: Callable[[str], Mapping[str, Combinable]]
    count: Callable[[User, Campaign, Mapping[str, Any]], int]  # type: ignore[assignment]


def build_columns(campaign: str) -> dict[str, Combinable]:
    """Return the annotations for rows whose campaign is in this column (`know_awaiting` takes them off the rows)."""
    return {
        f"_{tab}_{name}": column
        for tab, counter in contributed().awaiting.items()
        for name, column in counter.columns(campaign).items()
    }


def know_awaiting(row: Model, campaign: Campaign) -> None:
    """Move the values of `build_columns` from the row to its campaign."""
    starts = tuple(f"_{tab}_" for tab in contributed().awaiting)
    names = [name for name in row.__dict__ if name.startswith(starts)] if starts else []
    campaign.__dict__[READ] = {name: row.__dict__.pop(name) for name in names}


def awaiting(user: User, campaign: Campaign, tab: str) -> int:
    """Return how much of this tab awaits the reader. Queried once per campaign object, unless read with the
    campaign.
    """
    counter = contributed().awaiting.get(tab)
    return counter.count(user, campaign, read(campaign, tab)) if counter else 0


def read(campaign: Campaign, tab: str) -> dict[str, Any]:
    """Return the values of this tab's columns."""
    if READ not in campaign.__dict__:
        columns = build_columns("pk")
        found = Campaign.objects.filter(pk=campaign.pk).values_list(*columns.values()).get()
        campaign.__dict__[READ] = dict(zip(columns, found, strict=True))
    start = f"_{tab}_"
    known = campaign.__dict__[READ].items()
    return {name.removeprefix(start): value for name, value in known if name.startswith(start)}

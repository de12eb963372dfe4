"""Counts on the tabs of a campaign's pages: how much awaits the reader. Apps contribute them.

The query that reads the campaign reads their columns too, so that no page needs another query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from kingdom.contributions import Contribution, contributed
from kingdom.models import ApprovalRequest, Campaign, User

READ = "_awaiting"  # attribute of a campaign object: the values of the columns, by tab
WAITS = "_waits"  # attribute of a campaign object: the number of waiting requests


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


def waiting_in(campaign: str) -> Combinable:
    """Return an expression that counts the waiting approval requests of the campaign in this column."""
    rows = ApprovalRequest.objects.filter(campaign=OuterRef(campaign), status=ApprovalRequest.State.WAITING).order_by()
    counted: Combinable = Coalesce(Subquery(rows.values("campaign").annotate(n=Count("pk")).values("n")), 0)
    return counted


def with_counts[Row: Model](rows: QuerySet[Row], campaign: str) -> QuerySet[Row]:
    """Add `WAITS` and `build_columns` to rows whose campaign is in this column. The answer's rows go through
    `know_awaiting`.
    """
    return rows.annotate(**{WAITS: waiting_in(campaign)} | build_columns(campaign))


def know_awaiting(row: Model, campaign: Campaign) -> None:
    """Move the counts from a row of `with_counts` to its campaign."""
    campaign.__dict__[WAITS] = row.__dict__.pop(WAITS)
    names = _list_names(contributed())
    campaign.__dict__[READ] = {
        tab: {name: row.__dict__.pop(f"_{tab}_{name}") for name in columns} for tab, columns in names.items()
    }


@lru_cache(maxsize=4)
def _list_names(whole: Contribution) -> dict[str, tuple[str, ...]]:
    return {tab: tuple(counter.columns("pk")) for tab, counter in whole.awaiting.items()}


def awaiting(user: User, campaign: Campaign, tab: str) -> int:
    """Return how much of this tab awaits the reader. Queried once per campaign object, unless read with the
    campaign.
    """
    counter = contributed().awaiting.get(tab)
    return counter.count(user, campaign, read(campaign, tab)) if counter else 0


def read(campaign: Campaign, tab: str) -> dict[str, Any]:
    """Return the values of this tab's columns."""
    known: dict[str, dict[str, Any]] = campaign.__dict__.setdefault(READ, {})
    if tab not in known:
        columns = contributed().awaiting[tab].columns("pk")
        found = Campaign.objects.filter(pk=campaign.pk).values_list(*columns.values()).get()
        known[tab] = dict(zip(columns, found, strict=True))
    return known[tab]

"""Contributions of apps and rulesets, joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import pytest
from django.conf import settings

from kingdom import contributions
from kingdom.contributions import ORDERED, Contribution, SlotPanel, contributed

NAMED_BY = {
    "carried_tables": lambda table: table.name,
    "first_steps": lambda step: step.slug,
    "search": lambda finder: finder.kind,
    "tracked_models": lambda tracked: (tracked.kind, tracked.family),
    "undo_followers": lambda follower: follower,
    "overlaps": lambda overlap: overlap,
}


def parts() -> list[Contribution]:
    return [contributions._load(path) for path in settings.CONTRIBUTIONS]


def names_of(field: str) -> Iterator[Any]:
    for part in parts():
        items = getattr(part, field)
        yield from items if isinstance(items, Mapping) else map(NAMED_BY[field], items)


MAPPINGS = [one.name for one in fields(Contribution) if isinstance(getattr(Contribution(), one.name), Mapping)]


@pytest.mark.parametrize("field", [*MAPPINGS, *NAMED_BY])
def test_no_two_apps_contribute_the_same(field):
    """The later one would stand in the place of the earlier one, and nobody would be told."""
    names = list(names_of(field))
    assert names
    assert len(names) == len(set(names))


@pytest.mark.parametrize("field", ORDERED)
def test_lower_orders_come_first(field):
    orders = [item.order for item in getattr(contributed(), field)]
    assert orders == sorted(orders)
    assert len(orders) == sum(len(getattr(part, field)) for part in parts())


def test_a_test_may_contribute_something_else(contribute):
    panel = SlotPanel("nav", lambda user, campaign: None)
    contribute(slots=[panel])
    assert contributed().slots == [panel]
    assert contributed().search

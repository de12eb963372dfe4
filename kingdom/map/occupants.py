"""Occupants of the campaign's map, for whoever paints it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from armies.models import Army, ArmySeat, list_seat_models
from core.text import render
from kingdom.models import Campaign
from kingdom.models.natural import Natural


class Occupant(NamedTuple):
    """An army on `hex`, "" for nowhere, a kingdom's; `held`: by what, "" for nothing."""

    id: str
    name: str
    kingdom: UUID
    hex: str
    held: str = ""


def list_occupants(campaign: Campaign) -> list[Occupant]:
    """Standing armies that are on a hex, or in something that is not over: for painters, who see everything."""
    return list(_occupants(campaign))


def _occupants(campaign: Campaign) -> Iterator[Occupant]:
    seats = list_seat_models()
    names = {f"held_{number}": Subquery(_events(model)) for number, model in enumerate(seats)}
    there = reduce(Q.__or__, (Q(**{f"{name}__isnull": False}) for name in names), ~Q(hex=""))
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).annotate(**names).filter(there)
    rows = rows.order_by(Natural("name"), "id")
    for key, name, kingdom, label, *events in rows.values_list("pk", "name", "kingdom_id", "hex", *names):
        held = next((f"{render(model.HELD)} {event}" for model, event in zip(seats, events, strict=True) if event), "")
        yield Occupant(str(key), name, kingdom, label, held)


def _events(model: type[ArmySeat]) -> QuerySet[Any, Any]:
    """The name of what an army of the query sits in now."""
    rows: QuerySet[Any] = model._default_manager.filter(model.GOES_ON)
    return rows.filter(army=OuterRef("pk")).values(model.EVENT_NAME)[:1]


def list_held(campaign: Campaign) -> dict[str, str]:
    """By what each is held, by its id: "In battle: The ford"."""
    return {one.id: one.held for one in list_occupants(campaign) if one.held}

"""Posted rows: what a form names, read before the services see it."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from armies.default.views import named
from armies.pathfinder.armies.page import receivers_of
from armies.pathfinder.armies.transfer_services import Share
from armies.pathfinder.models import PathfinderArmy
from core.shapes.typed import read_typed_whole


def read_quantity(data: QueryDict, name: str) -> Any:
    """A number of pieces as typed, 1 if left empty; the services check it."""
    return read_typed_whole(data.get(name) or "1")


def shares(data: QueryDict, army: PathfinderArmy, prefix: str = "") -> list[Share]:
    """The armies ticked, each with its quantity. Raises `InvalidInput`."""
    receivers = receivers_of(army)
    return [
        Share(named(receivers, pk, "/to"), read_quantity(data, f"{prefix}quantity-{pk}"))
        for pk in data.getlist(f"{prefix}to")
        if pk
    ]

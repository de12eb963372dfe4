"""Every operation of the API: from the resolver, with its view, what the document tells of it, and a body it takes."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.urls import resolve
from rest_framework.permissions import SAFE_METHODS

from tests.manners.bodies import body_of, document, operations, shape
from tests.manners.doors import Door, doors

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Operation(NamedTuple):
    """One method at one address. `view`: as it is set up for it; `path`: as the document spells the address; `told`:
    what it tells of it, nothing of the document itself. `query`: what has to be asked there. `body`: None: it takes
    none.
    """

    method: str
    door: Door
    view: Any
    path: str
    told: dict[str, Any]
    query: str
    body: Any

    @property
    def changes(self) -> bool:
        return self.method not in SAFE_METHODS

    @property
    def url(self) -> str:
        return self.door.url

    def __str__(self) -> str:
        return f"{self.method} {self.door.pattern}"


def operations_at(table: SimpleNamespace, found: list[Door] | None = None) -> Iterator[Operation]:
    """All of them, or those at the doors that were `found`."""
    doc = document()
    documented = {(method, shape(path)): (path, told) for (method, path), told in operations(doc).items()}
    asked = {"/api/v1/arsenal/": table.walls.campaign.pk, "/api/v1/unit-types/": table.campaign.pk}
    for door in doors(table) if found is None else found:
        query = next((f"?campaign={pk}" for start, pk in asked.items() if door.pattern.startswith(start)), "")
        for method, view in _answered(door):
            path, told = documented.get((method, shape(door.pattern)), ("", {}))
            yield Operation(method, door, view, path, told, query, body_of(told, doc, table))


def _answered(door: Door) -> Iterator[tuple[str, Any]]:
    """By which methods it is asked, with the view that answers."""
    made = resolve(door.url).func if door.api else None
    if made is None or not hasattr(made, "cls"):  # a page, or whatever answers for addresses that are none
        return
    actions = getattr(made, "actions", None) or {}
    for method in METHODS:
        name = actions.get(method.lower()) if actions else method.lower()
        if name and hasattr(made.cls, name):
            view = made.cls(**made.initkwargs)
            view.action = name
            yield method, view

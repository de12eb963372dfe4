"""Service arguments as JSON, for requests that wait for days.

Apps contribute what their services take: rows, kept by their id and looked up again within the campaign, and named
tuples. A mapping is wrapped like those, so nothing somebody types can pass for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model

from kingdom.contributions import contributed
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand
from rules.core.text import _, say

MAPPING = "map"

ArgumentReader = Callable[[type[Any], Campaign, str], Any]
"""`read(model, campaign, pk)` finds a row again, or None."""


def list_types() -> dict[str, type[Any]]:
    """Models and named tuples that can be arguments, by the names by which they are stored."""
    return {kind.__name__: kind for kind in contributed().arguments}


def read_row(kind: type[Any], campaign: Campaign, pk: str) -> Any:
    return kind.objects.filter(pk=pk, campaign=campaign).first()


def read_same_campaign(_kind: type[Any], campaign: Campaign, pk: str) -> Any:
    """The reader of campaigns: there is but the one the deed was asked in."""
    return campaign if str(campaign.pk) == pk else None


def dump_argument(value: Any) -> Any:
    """What `load_argument` reads back as equal. Raises `TypeError` for what nobody contributes."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Model():
            return {"a": _tag(value), "id": str(value.pk), "name": str(value)}
        case Mapping():
            return {"a": MAPPING, "of": {str(key): dump_argument(item) for key, item in value.items()}}
        case tuple() if hasattr(value, "_asdict"):
            return {"a": _tag(value), "of": {key: dump_argument(item) for key, item in value._asdict().items()}}
        case list() | tuple():
            return [dump_argument(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot wait for leave")


def _tag(value: Any) -> str:
    for kind in type(value).__mro__:
        if kind in contributed().arguments:
            return kind.__name__
    raise TypeError(f"{type(value).__name__} cannot wait for leave: nobody made it known")


def load_argument(data: Any, campaign: Campaign) -> Any:
    """The value again, rows as they are now. Raises `IllegalCommand` naming a row that is gone."""
    match data:
        case list():
            return [load_argument(item, campaign) for item in data]
        case {"a": "map", "of": items}:
            return {key: load_argument(item, campaign) for key, item in items.items()}
        case {"a": tag, "of": items}:
            return list_types()[tag](**{key: _tupled(load_argument(item, campaign)) for key, item in items.items()})
        case {"a": tag, "id": pk, "name": name}:
            return _row(tag, pk, name, campaign)
        case _:
            return data


def _tupled(value: Any) -> Any:
    """Lists inside a named tuple were tuples."""
    return tuple(value) if isinstance(value, list) else value


def _row(tag: str, pk: str, name: str, campaign: Campaign) -> Any:
    kind = list_types()[tag]
    row = contributed().arguments[kind](kind, campaign, pk)
    if row is None:
        raise IllegalCommand(say(_("{subject} no longer exists."), subject=name))
    return row

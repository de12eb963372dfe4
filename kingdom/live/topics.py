"""Topics that pages may follow: campaigns, and what other apps register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from kingdom.models import User


class Followable(NamedTuple):
    """`see`: the thing, for somebody who may see it (raises Http404 or `PermissionDenied`). `version`: as it is now."""

    see: Callable[[User, UUID], Any]
    version: Callable[[UUID], int | None]


_kinds: dict[str, Followable] = {}


def register(name: str, kind: Followable) -> None:
    """Pages may follow things of this kind at /live/<name>/<id>/. Registering twice counts once."""
    _kinds[name] = kind


def kind_called(name: str) -> Followable | None:
    return _kinds.get(name)

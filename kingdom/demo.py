"""Who can set up the demo campaign. Kingdoms do not know battles, so the maker registers itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.utils.module_loading import import_string

from kingdom.models import Campaign, User
from kingdom.services.rate_limits import Limit, knock
from rules.errors import require
from rules.text import _

LOADED = Limit("demo", 3, 60)
_makers: list[str | Callable[..., Any]] = []


def register(maker: str | Callable[..., Any]) -> None:
    """`maker(owner=user)` makes the demo campaign and returns it; a dotted path is imported when needed."""
    _makers[:] = [maker]


def available() -> bool:
    return bool(_makers)


def load(*, owner: User) -> Campaign:
    """A fresh demo campaign whose GM is `owner`.

    Raises Http404 when nobody makes one, `IllegalCommand` when he asks for too many: one is some thousand rows.
    """
    if not _makers:
        raise Http404
    wait = knock(LOADED, str(owner.pk))
    require(not wait, _("{most} demo campaigns an hour are enough: try again in {minutes} minutes."),
            most=LOADED.most, minutes=math.ceil(wait / 60))  # fmt: skip
    return make(owner=owner)


def make(*, owner: User) -> Campaign:
    """The same for whoever runs the server: as often as he likes."""
    maker = _makers[0]
    found = import_string(maker) if isinstance(maker, str) else maker
    campaign: Campaign = found(owner=owner)
    return campaign

"""Demo campaigns, by makers that apps contribute for each ruleset."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.utils.module_loading import import_string

from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.errors import require
from rules.core.text import Said, _
from rules.registry import ruleset

LOADED = Limit("demo", 3, 60)
DemoMaker = str | Callable[..., Any]
"""`maker(owner=user)` makes the demo campaign of a law and returns it; a dotted path is imported when needed."""


def list_demos() -> list[tuple[str, Said]]:
    """The laws of which there is one, by slug and name."""
    return [(slug, ruleset(slug).name) for slug in contributed().demos]


def load(*, owner: User, law: str = "") -> Campaign:
    """A fresh demo campaign whose GM is `owner`; where no law is named, of the first.

    Raises Http404 when nobody makes one, `IllegalCommand` when they ask for too many: one is some thousand rows.
    """
    makers = contributed().demos
    if not makers or (law and law not in makers):
        raise Http404
    wait = count_attempt(LOADED, str(owner.pk))
    require(not wait, _("{most} demo campaigns an hour are enough: try again in {minutes} minutes."),
            most=LOADED.most, minutes=math.ceil(wait / 60))  # fmt: skip
    return make(owner=owner, law=law)


def make(*, owner: User, law: str = "") -> Campaign:
    """The same for whoever runs the server: as often as they like."""
    makers = contributed().demos
    maker = makers[law or next(iter(makers))]
    found = import_string(maker) if isinstance(maker, str) else maker
    campaign: Campaign = found(owner=owner)
    return campaign

"""Client for the API of Warhost. See README.md."""

from __future__ import annotations

from warhost_client.client import Battle, Page, Throw, Warhost, is_request
from warhost_client.live import News
from warhost_client.problems import (
    DiceNeeded,
    Forbidden,
    Illegal,
    Invalid,
    NotFound,
    NotSignedIn,
    Problem,
    Stale,
    TooManyRequests,
    Unavailable,
    Unreachable,
    WarhostError,
)

__all__ = [
    "Battle",
    "DiceNeeded",
    "Forbidden",
    "Illegal",
    "Invalid",
    "News",
    "NotFound",
    "NotSignedIn",
    "Page",
    "Problem",
    "Stale",
    "Throw",
    "TooManyRequests",
    "Unavailable",
    "Unreachable",
    "Warhost",
    "WarhostError",
    "is_request",
]

"""Exceptions for the refusals of the API: one class for each kind of problem document (RFC 9457)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from warhost_client import types as t

PREFIX = "urn:warhost:problem:"


class WarhostError(Exception):
    """Anything that went wrong between the client and Warhost."""


class Unreachable(WarhostError):
    """No answer from the site, even after repeats."""


class Problem(WarhostError):
    """A refusal of the API. `errors`: JSON pointers into the request, each with what is wrong there."""

    def __init__(self, document: dict[str, Any], wait: float | None = None):
        self.document = document
        self.kind = str(document.get("type", "")).removeprefix(PREFIX)
        self.title = str(document.get("title", ""))
        self.status = int(document.get("status", 0))
        self.detail = str(document.get("detail", ""))
        self.errors = {str(one["pointer"]): str(one["detail"]) for one in document.get("errors", ())}
        self.instance = document.get("instance")
        self.wait = wait
        """Seconds until the request is worth repeating, if the site says so."""
        places = "; ".join(f"{pointer}: {said}" for pointer, said in self.errors.items())
        super().__init__(f"{self.status} {self.detail}" + (f" ({places})" if places else ""))


class Invalid(Problem):
    """400: malformed, or values that are not valid."""


class NotSignedIn(Problem):
    """401: no token, or one that is not valid any more."""


class Forbidden(Problem):
    """403: not for this user, or not with this token's scope."""


class NotFound(Problem):
    """404: nothing there, or nothing this user may know of."""


class Illegal(Problem):
    """409: not legal in this state."""


class DiceNeeded(Problem):
    """409: nothing has happened yet; the same command with the dice in `asks` goes through."""

    @property
    def asks(self) -> list[t.Ask]:
        return cast("list[t.Ask]", self.document["asks"])


class Stale(Problem):
    """412: it has changed since the version the request names. `version`: the present one of a battle."""

    @property
    def version(self) -> int | None:
        return self.document.get("version")


class TooManyRequests(Problem):
    """429: wait as long as `wait` says."""


class Unavailable(Problem):
    """503 or 507: the site cannot do it at the moment."""


KINDS: dict[str, type[Problem]] = {
    "invalid": Invalid,
    "not-signed-in": NotSignedIn,
    "forbidden": Forbidden,
    "not-found": NotFound,
    "illegal": Illegal,
    "dice-needed": DiceNeeded,
    "stale": Stale,
    "too-many-requests": TooManyRequests,
    "unavailable": Unavailable,
    "no-room": Unavailable,
}
BY_STATUS: dict[int, type[Problem]] = {
    400: Invalid, 401: NotSignedIn, 403: Forbidden, 404: NotFound, 409: Illegal, 412: Stale, 429: TooManyRequests,
    502: Unavailable, 503: Unavailable, 504: Unavailable, 507: Unavailable,
}  # fmt: skip
"""Answers that are no problem documents: of the event streams, or of a proxy."""


def problem_of(status: int, body: bytes, wait: float | None = None) -> Problem:
    """Return the problem of an answer. What is no problem document becomes one."""
    try:
        document = json.loads(body)
        assert isinstance(document, dict)
    except (ValueError, AssertionError):
        document = {"detail": body[:200].decode("utf-8", "replace")}
    document = {"status": status, **document}
    kind = str(document.get("type", "")).removeprefix(PREFIX)
    found = KINDS.get(kind) or BY_STATUS.get(status, Problem)
    return found(document, wait)

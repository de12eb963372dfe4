"""Rate limits: for passwords by address, account and device; for other requests by token, account or address.

Counters are in the database, so processes share them and they survive a restart. A device that has signed in before is
counted alone, so guesses of strangers do not lock its owner out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.client_info import API_PREFIX, get_limit_address, request_words
from kingdom.models import ApiToken

SWEPT = 100  # expired rows deleted with each new one

_COUNT = """
WITH haste AS MATERIALIZED (
    SELECT CASE WHEN %(hasty)s THEN set_config('synchronous_commit', 'off', true) ELSE '' END AS told)
INSERT INTO kingdom_tally AS t (key, count, until)
SELECT asked.key, 1, asked.until
FROM unnest(%(keys)s::text[], %(untils)s::timestamptz[]) AS asked (key, until), haste ORDER BY asked.key
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN t.until <= %(now)s THEN 1 ELSE t.count + 1 END,
    until = CASE WHEN t.until <= %(now)s THEN excluded.until ELSE t.until END
RETURNING key, count, until"""
_LOOK = "SELECT until FROM kingdom_tally WHERE key = %s AND count >= %s AND until > %s"
_UNCOUNT = "UPDATE kingdom_tally SET count = greatest(count - 1, 0) WHERE key = %s"
_FORGET = "DELETE FROM kingdom_tally WHERE key = %s"
_SWEEP = """
DELETE FROM kingdom_tally WHERE key IN
(SELECT key FROM kingdom_tally WHERE until <= %s ORDER BY until LIMIT %s FOR UPDATE SKIP LOCKED)"""


@dataclass(frozen=True, order=True, slots=True)
class Limit:
    """At most `most` attempts of `what` within `minutes`, counted from the first."""

    what: str
    most: int
    minutes: int

    def key(self, who: str) -> str:
        return salted_hmac("kingdom.doors", f"{self.what}:{who}", algorithm="sha256").hexdigest()


ADDRESS = Limit("password-address", 30, 10)
ACCOUNT = Limit("password-account", 10, 10)
DEVICE = Limit("password-device", 10, 10)


def count_attempt(limit: Limit, who: str) -> float:
    """Count an attempt. Return the seconds to wait if there were too many, else 0. Attempts do not extend the wait."""
    now = timezone.now()
    ((_key, count, until),) = _count([(limit, who)], now, hasty=False)
    if count == 1:
        with connection.cursor() as cursor:
            cursor.execute(_SWEEP, [now, SWEPT])
    return (until - now).total_seconds() if count > limit.most else 0


def wait_at(limit: Limit, who: str) -> float:
    """Return the seconds to wait, or 0, without counting: for checks where only failures count."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, [limit.key(who), limit.most, now := timezone.now()])
        found = cursor.fetchone()
    return (found[0] - now).total_seconds() if found else 0


def count_attempts(counted: Sequence[tuple[Limit, str]]) -> float:
    """Count a request under each of these limits. Return the longest wait in seconds, or 0.

    One query. Outside a transaction it does not wait for the disk: a crash loses about a second of counts. Housekeeping
    deletes old rows.
    """
    return wait_of(read_tallies(counted))


class LimitState(NamedTuple):
    """State of a limit: requests `left` until it restarts in `seconds`. A negative `left` is the number in excess."""

    limit: Limit
    left: int
    seconds: float


def read_tallies(counted: Sequence[tuple[Limit, str]]) -> list[LimitState]:
    """Count a request under each of these, as `count_attempts` does. Return the state of each limit."""
    if not counted:
        return []
    now = timezone.now()
    limits = {limit.key(who): limit for limit, who in counted}
    rows = _count(counted, now, hasty=not connection.in_atomic_block)
    return [
        LimitState(limits[key], limits[key].most - count, (until - now).total_seconds()) for key, count, until in rows
    ]


def wait_of(tallies: Iterable[LimitState]) -> float:
    """Return the seconds until none of these limits is exceeded; 0 if none is."""
    return max([tally.seconds for tally in tallies if tally.left < 0], default=0)


def _count(tries: Sequence[tuple[Limit, str]], now: datetime, *, hasty: bool) -> list[tuple[str, int, datetime]]:
    """Add one to each counter. Return its key, its count and its end."""
    keys = [limit.key(who) for limit, who in tries]
    untils = [now + timedelta(minutes=limit.minutes) for limit, _who in tries]
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"keys": keys, "untils": untils, "now": now, "hasty": hasty})
        return list(cursor.fetchall())


def try_password(*, address: str, account: str, device: str = "") -> float:
    """Count an attempt at an account's password, before it is checked. Return the seconds to wait, or 0.

    Counting stops at the first exceeded limit, so a blocked address cannot lock accounts.
    """
    for limit, who in _counted(address, account, device):
        if wait := count_attempt(limit, who):
            return wait
    return 0


def password_was_right(*, address: str, account: str, device: str = "") -> None:
    """Take back the counted attempt. Only a known device's counter is reset, so a guesser gains nothing by signing in
    to an account of their own.
    """
    with connection.cursor() as cursor:
        for limit, who in _counted(address, account, device):
            cursor.execute(_FORGET if limit is DEVICE else _UNCOUNT, [limit.key(who)])


def _counted(address: str, account: str, device: str) -> tuple[tuple[Limit, str], ...]:
    if device:
        return ((DEVICE, f"{device}:{account}"),)
    return (ADDRESS, address), (ACCOUNT, account)


# Throttling: the API by token, account and address, pages by account and address, and costly requests. All processes
# share the counters: one query for a request, whatever its limits. `settings.PER_MINUTE` sets them; 0 is unlimited.


MINUTES = 1


def count_call(request: Any, counted: str = "") -> list[LimitState]:
    """Count a request to the API, and under `counted` ("costly", "search") unless it is "". Return the state of each
    limit.
    """
    return read_tallies([*_called(request), *(_dear(request, counted) if counted else ())])


def build_headers(tallies: Iterable[LimitState]) -> dict[str, str]:
    """Return the headers `RateLimit` and `RateLimit-Policy` of the IETF draft (in seconds)."""
    known = sorted(tallies)
    if not known:
        return {}
    policies = [f'"{limit.what}";q={limit.most};w={limit.minutes * 60}' for limit, _left, _seconds in known]
    states = [f'"{limit.what}";r={max(left, 0)};t={math.ceil(seconds)}' for limit, left, seconds in known]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}


def count_page(request: Any) -> float:
    """Count a page, by account for a signed-in user and else by address. Return the seconds to wait, or 0."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    counted = ("page-account", str(request.user.pk)) if known else ("page-address", get_limit_address(request))
    return count_attempts([*_limited(*counted)])


def count_wrong_token(request: Any) -> float:
    """Count an invalid token, by address. Return the seconds to wait, or 0."""
    return count_attempts([*_limited("wrong-token", get_limit_address(request))])


def count_token_guess(who: str) -> None:
    """Count an invalid token outside Django requests. `who`: the address as limits use it."""
    count_attempts([*_limited("wrong-token", who)])


def is_token_guesser(who: str) -> bool:
    """Return whether too many invalid tokens came from this address lately."""
    return any(wait_at(limit, whom) for limit, whom in _limited("wrong-token", who))


def _called(request: Any) -> Iterator[tuple[Limit, str]]:
    if not request.user.is_authenticated:
        yield from _limited("api-address", get_limit_address(request))
        return
    yield from _limited("api-account", str(request.user.pk))
    if isinstance(request.auth, ApiToken):
        yield from _limited("api-token", str(request.auth.public_id))


def _dear(request: Any, counted: str) -> Iterator[tuple[Limit, str]]:
    user = request.user
    yield from _limited(counted, str(user.account.pk) if user.is_authenticated else get_limit_address(request))


def _limited(what: str, who: str) -> Iterator[tuple[Limit, str]]:
    if most := settings.PER_MINUTE[what]:
        yield Limit(what, most, MINUTES), who


def limit_page[**P](what: str) -> Callable[[Callable[P, HttpResponseBase]], Callable[P, HttpResponseBase]]:
    """Decorator of a page that is costly or large ("costly", "search"): too many requests get 429."""

    def around(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
        @wraps(view)
        def asked(*args: P.args, **given: P.kwargs) -> HttpResponseBase:
            request: Any = args[0]
            if wait := count_attempts([*_dear(request, what)]):
                return render_too_often(request, request_words(wait), wait)
            return view(*args, **given)

        return asked

    return around


class PageLimits:
    """Middleware: 429 for too many pages. The API counts its own requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(API_PREFIX) and (wait := self._wait(request)):
            return render_too_often(request, request_words(wait), wait)
        return self.get_response(request)

    @staticmethod
    def _wait(request: HttpRequest) -> float:
        try:
            return count_page(request)
        except OperationalError:  # some pages need no database; others report the failure themselves
            return 0


def render_too_often(request: HttpRequest, words: str, wait: float) -> HttpResponse:
    """Render the page of a 429. `wait`: seconds."""
    response = render(request, "429.html", {"words": words}, status=429)
    response["Retry-After"] = str(math.ceil(wait))
    return response


# Throttle for REST framework.


class Throttle(BaseThrottle):
    """Throttle of every API view. A view's `counted` adds a limit (`kingdom.accounts.authentication`)."""

    seconds: float = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        view.tallies = count_call(request, getattr(view, "counted", ""))
        self.seconds = wait_of(view.tallies)
        return not self.seconds

    def wait(self) -> float:
        return self.seconds

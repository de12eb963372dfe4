"""Client information: address and device of a request."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import ngettext

API_PREFIX = "/api/"  # prefix of all API addresses; no page has it
COOKIE = "warhost_device"
COOKIE_AGE = 60 * 60 * 24 * 365
ACCOUNTS_MAX = 6  # people who share a device
HOUSE = 64  # bits of an IPv6 address that one household shares

type Network = IPv4Network | IPv6Network


def parse_networks(names: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks such as `10.0.0.0/8` or `::1`. Raises ValueError."""
    return tuple(ip_network(name.strip(), strict=False) for name in names if name.strip())


def client_address(peer: str, forwarded: str, trusted: Iterable[Network]) -> str:
    """Return the client's address, from X-Forwarded-For as far as trusted proxies wrote it.

    Each proxy appends the address that called it. Read from the right, the first address that is no trusted proxy is
    the client.
    """
    trusted = tuple(trusted)
    hops = [hop.strip() for hop in forwarded.split(",")] if forwarded else []
    here = peer
    while hops and is_among(here, trusted):
        before = _address(hops.pop())
        if before is None:
            break
        here = str(before)
    return here


def is_among(peer: str, trusted: Iterable[Network]) -> bool:
    """Whether this address is in one of those networks."""
    address = _address(peer)
    return address is not None and any(address in network for network in trusted)


def get_limit_address(request: HttpRequest) -> str:
    """Return the address for rate limits; an IPv6 household counts as one. The middleware has already determined the
    client.
    """
    return house_at(request.META.get("REMOTE_ADDR", ""))


def house_at(client: str) -> str:
    """Return the address for rate limits of this client."""
    address = _address(client)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSE), strict=False))
    return str(address or "unknown")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address without its port (`192.0.2.1:80`, `[::1]:80`). An IPv4-mapped IPv6 address becomes IPv4."""
    text = text[1:].partition("]")[0] if text.startswith("[") else text
    text = text.partition(":")[0] if text.count(":") == 1 else text
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Caller(NamedTuple):
    """Origin of a request for the logs: a shortened address, and the device in words."""

    address: str = ""
    device: str = ""


_headers: ContextVar[tuple[str, str]] = ContextVar("headers", default=("", ""))


@contextmanager
def calling(request: HttpRequest) -> Iterator[None]:
    """Context manager in which `caller` knows this request."""
    told = _headers.set((request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_USER_AGENT", "")))
    try:
        yield
    finally:
        _headers.reset(told)


def caller() -> Caller:
    """Return the origin of the current request; empty in a management command."""
    address, agent = _headers.get()
    return Caller(shorten_address(address), device_words(agent))


def shorten_address(text: str) -> str:
    """Return the address without the part that identifies one device: `192.0.2.…`, `2001:db8:7::…`; "" for none."""
    match _address(text):
        case IPv4Address() as address:
            return f"{str(address).rpartition('.')[0]}.…"
        case IPv6Address() as address:
            return f"{ip_network((address, 48), strict=False).network_address}…"
    return ""


# Names in User-Agent headers, specific ones first, because most headers contain several.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_words(agent: str) -> str:
    """Return browser and system from the User-Agent header, such as "Firefox, Linux"; "" if unknown."""
    known = [next((name for mark, name in marks if mark in agent), "") for marks in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, known))


def device_of(request: Any, account: str) -> str:
    """Return the device's id if somebody has signed in to this account on it before; otherwise ""."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.get_username().casefold() == account:
        return f"session-of-{user.pk}"
    device, accounts = _kept(request)
    return device if _mark(account) in accounts else ""


def remember_device(request: HttpRequest, response: HttpResponse, account: str) -> None:
    """Set the cookie that lets this device be recognized for the account."""
    device, accounts = _kept(request)
    mark = _mark(account)
    accounts = [mark, *(known for known in accounts if known != mark)][:ACCOUNTS_MAX]
    value = signing.dumps([device or get_random_string(22), *accounts], salt=COOKIE)
    response.set_cookie(
        COOKIE, value, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def _kept(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=COOKIE_AGE)
    except signing.BadSignature:
        return "", []
    return device, accounts


def _mark(account: str) -> str:
    return salted_hmac(COOKIE, account, algorithm="sha256").hexdigest()[:24]


def wait_words(seconds: float) -> str:
    """Say how long somebody with too many attempts has to wait."""
    minutes = math.ceil(seconds / 60)
    return ngettext(
        "Too many attempts. Wait a minute, then try again.",
        "Too many attempts. Wait %(minutes)d minutes, then try again.",
        minutes,
    ) % {"minutes": minutes}


def request_words(wait: float) -> str:
    """Say how long somebody with too many requests has to wait (seconds)."""
    seconds = math.ceil(wait)
    return ngettext(
        "Too many requests. Wait a second, then try again.",
        "Too many requests. Wait %(seconds)d seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}

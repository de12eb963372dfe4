"""Client information: the address and the device a request comes from."""

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

COOKIE = "warhost_device"
COOKIE_AGE = 60 * 60 * 24 * 365
ACCOUNTS_MAX = 6  # people who share a device
HOUSE = 64  # bits of an IPv6 address that one household shares

type Network = IPv4Network | IPv6Network


def parse_networks(names: Iterable[str]) -> tuple[Network, ...]:
    """`10.0.0.0/8`, `::1`… Raises ValueError."""
    return tuple(ip_network(name.strip(), strict=False) for name in names if name.strip())


def client_address(peer: str, forwarded: str, trusted: Iterable[Network]) -> str:
    """Who is behind the connection, by X-Forwarded-For as far as trusted proxies wrote it.

    A proxy adds on the right whom it was called by; the first one on that way who is no trusted proxy is the client.
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
    """Whether this address is one of those."""
    address = _address(peer)
    return address is not None and any(address in network for network in trusted)


def get_limit_address(request: HttpRequest) -> str:
    """The address limits count by: a whole IPv6 household is one. The middleware has settled who the client is."""
    return house_at(request.META.get("REMOTE_ADDR", ""))


def house_at(client: str) -> str:
    """The same for a client whose address is known otherwise."""
    address = _address(client)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSE), strict=False))
    return str(address or "unknown")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """The address, without its port (`192.0.2.1:80`, `[::1]:80`); an IPv4 in IPv6 clothes as itself."""
    text = text[1:].partition("]")[0] if text.startswith("[") else text
    text = text.partition(":")[0] if text.count(":") == 1 else text
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Caller(NamedTuple):
    """Whom a request comes from, as far as a log may tell it: part of their address, their device in words."""

    address: str = ""
    device: str = ""


_headers: ContextVar[tuple[str, str]] = ContextVar("headers", default=("", ""))


@contextmanager
def calling(request: HttpRequest) -> Iterator[None]:
    """While this request is answered `caller` knows whose it is."""
    told = _headers.set((request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_USER_AGENT", "")))
    try:
        yield
    finally:
        _headers.reset(told)


def caller() -> Caller:
    """Of the request that is being answered; nothing is known of what a command does."""
    address, agent = _headers.get()
    return Caller(shorten_address(address), device_words(agent))


def shorten_address(text: str) -> str:
    """The address without the part that names one device: `192.0.2.…`, `2001:db8:7::…`; "" for none."""
    match _address(text):
        case IPv4Address() as address:
            return f"{str(address).rpartition('.')[0]}.…"
        case IPv6Address() as address:
            return f"{ip_network((address, 48), strict=False).network_address}…"
    return ""


# What a browser calls itself, the narrower name first: most of them name others besides.
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
    """Browser and system by the User-Agent header, "Firefox, Linux"; "" where it names none that are known."""
    known = [next((name for mark, name in marks if mark in agent), "") for marks in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, known))


def device_of(request: Any, account: str) -> str:
    """The device, if somebody has signed in to this account on it before; else an empty string."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.get_username().casefold() == account:
        return f"session-of-{user.pk}"
    device, accounts = _kept(request)
    return device if _mark(account) in accounts else ""


def remember_device(request: HttpRequest, response: HttpResponse, account: str) -> None:
    """From now on this device is known to the account."""
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
    """How long whoever tried too often waits, in words."""
    minutes = math.ceil(seconds / 60)
    return ngettext(
        "Too many attempts. Wait a minute, then try again.",
        "Too many attempts. Wait %(minutes)d minutes, then try again.",
        minutes,
    ) % {"minutes": minutes}


def request_words(wait: float) -> str:
    """How long whoever asks too much waits (seconds), in words."""
    seconds = math.ceil(wait)
    return ngettext(
        "Too many requests. Wait a second, then try again.",
        "Too many requests. Wait %(seconds)d seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}

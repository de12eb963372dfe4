"""Addresses of webhooks: public ones over HTTPS, and private ones that the site's settings allow.

An address is checked when it is saved, and again as the IP address that is connected to: the name may resolve to
another one by then.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.encoding import iri_to_uri

from core.client_info import is_among
from rules.core.errors import InvalidInput, demand
from rules.core.text import _

URL_MAX, HOST_MAX = 2_000, 253
NAME_SECONDS = 4.0  # for resolving a host name
PORTS = {"https": 443, "http": 80}
GLOBAL = IPv6Network("2000::/3")  # all allocated IPv6 addresses
NOT_OPEN = tuple(IPv6Network(name) for name in ("2001::/32", "2002::/16", "3fff::/20"))
"""Networks within these that are refused: Teredo and 6to4, which lead to an IPv4 address, and newer example
addresses.
"""
OF_THE_CLOUD = (ip_network("168.63.129.16/32"),)  # a public number, but Azure's internal host for its virtual machines


class Target(NamedTuple):
    """A parsed address. `path` includes the query."""

    secure: bool
    host: str
    port: int
    path: str


class Nowhere(OSError):
    """The host name has no address."""


class NotPublic(OSError):
    """The host name has an address that must not be connected to."""


def clean_url(value: object) -> str:
    """Return the normalised URL. Raises `InvalidInput` for a malformed URL, or one that must not be connected to."""
    demand(isinstance(value, str) and value.strip(), _("Enter an address."), field="/url")
    url = str(value).strip()
    demand(len(url) <= URL_MAX, _("Use at most {most} characters; this has {count}."), field="/url",
           most=URL_MAX, count=len(url))  # fmt: skip
    target = target_of(url)
    try:
        addresses_of(target)
    except Nowhere:
        raise InvalidInput(_("This host name wasn’t found. Check the address."), "/url") from None
    except NotPublic as error:
        raise InvalidInput(_private(target), "/url") from error
    return _put_together(url, target)


def _private(target: Target) -> Any:
    if target.secure:
        return _("This address leads into a private network. Use a public one.")
    return _("Enter an address that begins with https://.")


def target_of(url: str) -> Target:
    """Return the parsed URL. Raises `InvalidInput`."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode() if not _is_number(parts.hostname) else parts.hostname
        port = parts.port
    except (ValueError, UnicodeError):
        raise InvalidInput(_("This isn’t a valid web address."), "/url") from None
    demand(parts.scheme in PORTS, _("Enter an address that begins with https://."), field="/url")
    plain = url.isprintable() and not set(url) & set(' <>"\\^`{|}')
    known = host and len(host) <= HOST_MAX and port != 0
    demand(known and plain, _("This isn’t a valid web address."), field="/url")
    demand(not (parts.username or parts.password), _("Remove the name and password before the “@”."), field="/url")
    path = iri_to_uri((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    return Target(parts.scheme == "https", str(host), port or PORTS[parts.scheme], path)


def _is_number(host: str | None) -> bool:
    try:
        return host is not None and bool(ip_address(host))
    except ValueError:
        return False


def _put_together(url: str, target: Target) -> str:
    scheme = "https" if target.secure else "http"
    host = f"[{target.host}]" if ":" in target.host else target.host
    port = "" if target.port == PORTS[scheme] else f":{target.port}"
    return f"{scheme}://{host}{port}{target.path}"


def addresses_of(target: Target) -> list[str]:
    """Return the IP addresses of the host, all of which are allowed. Raises `Nowhere`, `NotPublic`."""
    found = resolve(target.host, target.port)
    if any(not may_be_told(address, secure=target.secure) for address in found):
        raise NotPublic(target.host)
    return found


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of the host name. Raises `Nowhere`."""
    try:
        rows = _in_time(NAME_SECONDS, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError, TimeoutError):
        raise Nowhere(host) from None
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def _in_time[Result](seconds: float, work: Callable[[], Result]) -> Result:
    """Run the name lookup with a time limit, which the system's lookup lacks. Raises `TimeoutError`, or what it
    raises.
    """
    answers: SimpleQueue[tuple[Result | None, Exception | None]] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put((work(), None))
        except Exception as error:
            answers.put((None, error))

    Thread(target=ask, name="names", daemon=True).start()
    try:
        found, error = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error:
        raise error
    return found  # type: ignore[return-value]


def may_be_told(address: str, *, secure: bool) -> bool:
    """Return whether this IP address may be connected to, over HTTPS or not."""
    return is_among(address, settings.WEBHOOKS_TO) or (secure and is_public(address))


def is_public(text: str) -> bool:
    """Return whether the IP address is on the open internet: in no private, local, shared, reserved or tunnelled
    network, nor a cloud's internal one.
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        return _is_public_6(address)
    return _is_open(address) and not is_among(text, OF_THE_CLOUD)


def _is_public_6(address: IPv6Address) -> bool:
    """Return whether an IPv6 address is public. One that stands for an IPv4 address (`::ffff:…`, Teredo, 6to4, NAT64)
    is not: the IPv4 host has a name of its own.
    """
    return _is_open(address) and address in GLOBAL and not any(address in network for network in NOT_OPEN)


def _is_open(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)

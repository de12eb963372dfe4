"""Addresses of webhooks: public ones over HTTPS, and private ones that the site's settings allow.

An address is checked when it is saved, and again as the IP address that is connected to: the name may resolve to
another one by then.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Event, Thread, Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.encoding import iri_to_uri

from core.client_info import is_among
from kingdom.models import WebhookAttempt
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


# Transport of one message: one attempt, to the checked IP addresses, with a time limit and without redirects.

LIMIT = 10.0  # seconds for the whole attempt
READ_MAX = 4_096  # bytes read of a response
LINES, ANSWER_MAX = 5, 500  # lines and characters of a response that are stored
ADDRESSES_TRIED = 3
AGENT = "Warhost-Webhooks/1"
GONE = 410
Hitch = WebhookAttempt.Hitch


class Answered(NamedTuple):
    """The result of an attempt. `wait`: seconds after which the response asks to try again."""

    status: int | None
    trouble: str
    answer: str = ""
    wait: float = 0.0
    milliseconds: int = 0

    @property
    def well(self) -> bool:
        return not self.trouble


class PinnedLine(HTTPConnection):
    """Connection to these addresses of the host only, with TLS for its name if the target is secure."""

    def __init__(self, target: Target, addresses: list[str], until: float):
        super().__init__(target.host, target.port, timeout=LIMIT)
        self._secure, self._addresses, self._until = target.secure, addresses[:ADDRESSES_TRIED], until
        self.over = Event()

    def connect(self) -> None:
        self.sock = self._reach()
        if self._secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()

    def _reach(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return self._line_to(address, LIMIT / (ADDRESSES_TRIED + 1))
        return self._line_to(self._addresses[-1], LIMIT)

    def _line_to(self, address: str, seconds: float) -> socket.socket:
        left = max(0.01, self._until - time.monotonic())
        line = socket.create_connection((address, self.port), min(left, seconds))
        line.settimeout(LIMIT)
        return line

    def cut(self) -> None:
        """End the connection when the time is over; a thread waiting for it continues."""
        self.over.set()
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # below TLS, which would wait for the other end


def post(url: str, headers: Mapping[str, str], body: str | bytes) -> Answered:
    """Send the message. Every failure is returned as a result."""
    began = time.monotonic()
    answered = _tried(url, headers, body, began + LIMIT)
    return answered._replace(milliseconds=int((time.monotonic() - began) * 1000))


def _tried(url: str, headers: Mapping[str, str], body: str | bytes, until: float) -> Answered:
    try:
        target = target_of(url)
        line = PinnedLine(target, addresses_of(target), until)
    except Nowhere:
        return Answered(None, Hitch.NOWHERE)
    except (NotPublic, InvalidInput):
        return Answered(None, Hitch.FORBIDDEN)
    clock = Timer(max(0.0, until - time.monotonic()), line.cut)
    clock.daemon = True
    clock.start()
    try:
        return _exchanged(line, target, headers, body)
    except (OSError, HTTPException) as error:
        return Answered(None, _trouble(line, error))
    finally:
        clock.cancel()
        line.close()


def _exchanged(line: PinnedLine, target: Target, headers: Mapping[str, str], body: str | bytes) -> Answered:
    own = {"User-Agent": AGENT, "Content-Type": "application/json", "Connection": "close"}
    sent = body.encode() if isinstance(body, str) else body
    line.request("POST", target.path, sent, {**own, **headers, "Host": _host(target)})
    with line.getresponse() as response:
        if line.over.is_set():  # a truncated head looks like a complete one
            raise TimeoutError
        wait = _seconds(response.headers.get("Retry-After", ""))
        return Answered(response.status, _judged(response.status), _first_lines(response), wait)


def _host(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.port == (443 if target.secure else 80) else f"{host}:{target.port}"


def _judged(status: int) -> str:
    if 200 <= status < 300:
        return Hitch.NONE
    return Hitch.REDIRECT if 300 <= status < 400 else Hitch.REFUSED


def _trouble(line: PinnedLine, error: Exception) -> str:
    if line.over.is_set() or isinstance(error, TimeoutError):
        return Hitch.SLOW
    return Hitch.UNTRUSTED if isinstance(error, ssl.SSLError) else Hitch.UNREACHABLE


def _first_lines(response: HTTPResponse) -> str:
    """Return the first lines that arrived in time: the status alone decides."""
    read = b""
    with suppress(OSError, HTTPException):
        while len(read) < READ_MAX and (piece := response.read1(READ_MAX - len(read))):
            read += piece
    lines = read.decode(errors="replace").splitlines()[:LINES]
    kept = "\n".join("".join(sign for sign in line if unicodedata.category(sign)[0] != "C") for line in lines)
    return kept[:ANSWER_MAX]


def _seconds(text: str) -> float:
    """Return the seconds; 0 for a date or an invalid value, since the schedule waits long enough."""
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) else 0.0

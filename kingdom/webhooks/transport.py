"""Transport of one message: one attempt, to the checked IP addresses, with a time limit and without redirects."""

from __future__ import annotations

import re
import socket
import ssl
import time
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event, Timer
from typing import NamedTuple

from kingdom.models import WebhookAttempt
from kingdom.webhooks.addresses import NotPublic, Nowhere, Target, addresses_of, target_of
from rules.core.errors import InvalidInput

LIMIT = 10.0  # seconds for the whole attempt
READ_MAX = 4_096  # bytes read of a response
LINES, ANSWER_MAX = 5, 500  # of those, lines and characters stored
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

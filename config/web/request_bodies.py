"""Request bodies: read completely and within limits before a worker thread is occupied."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from config.ops.infrastructure_errors import find_trouble

IN_MEMORY = 65_536  # bytes of one body in memory; more go to a temporary file
SLOWEST = 8_192  # bytes per second that extend the time limit of a body
EMPTY = {b"", b"0"}

BodyFile = SpooledTemporaryFile[bytes]


class ClientGone(Exception):
    """The client has disconnected."""


class Refused(Exception):
    """The body is refused, with `status` and a sentence for the client."""

    def __init__(self, status: HTTPStatus, said: Any, **params: Any):
        super().__init__(status)
        self.status, self.said, self.params = status, said, params


TOO_LARGE = _("This is too large. Send %(limit)s at most.")
TOO_SLOW = _("The request took too long to arrive. Nothing was changed. Try again with a better connection.")
TOO_MANY = _("The server is receiving too much data. Nothing was changed. Try again in a moment.")


def get_limit(path: str) -> int:
    """Return the most bytes a body sent to this path may have."""
    return next((limit for pattern, limit in settings.BODY_LIMITS if pattern.search(path)), settings.BODY_LIMIT)


class Space:
    """Bytes of bodies in temporary files, for all present requests together."""

    used = 0

    def claim(self, size: int) -> None:
        if self.used + size > settings.BODY_SPACE:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MANY)
        self.used += size

    def release(self, size: int) -> None:
        self.used -= size


space = Space()


class Arriving:
    """The body of one request. As a context manager it releases its space when the request is over."""

    def __init__(self, scope: Any):
        self.headers = scope["headers"]
        self.limit = get_limit(scope["path"])
        self.size = self.claimed = 0
        self.body: BodyFile = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (closed with its request)

    def __enter__(self) -> Arriving:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        space.release(self.claimed)
        if kind is not None and issubclass(kind, Exception):  # a cancelled request may have a thread that still reads
            self.body.close()

    async def wait(self, receive: Any) -> BodyFile:
        """Return the complete body, rewound. Raises `Refused` (too large, too slow, no space) or `ClientGone`."""
        if expects_body(self.headers):
            self._demand_room(announced(self.headers))
            try:
                await self._fill(receive)
            except TimeoutError:
                raise Refused(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW) from None
            except OSError as error:  # most likely the disk is full
                raise _machine(error) from None
        self.body.seek(0)
        return self.body

    async def _fill(self, receive: Any) -> None:
        more = True
        async with asyncio.timeout(settings.BODY_SECONDS) as clock:
            start = asyncio.get_running_loop().time()
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                self._add(message.get("body", b""))
                more = message.get("more_body", False)
                clock.reschedule(start + settings.BODY_SECONDS + self.size / SLOWEST)

    def _demand_room(self, size: int) -> None:
        if size > self.limit:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE, limit=self.limit)

    def _add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self._demand_room(self.size)
        if self.size > IN_MEMORY:
            space.claim(self.size - self.claimed)
            self.claimed = self.size
        self.body.write(chunk)


def _machine(error: OSError) -> Exception:
    trouble = find_trouble(error)
    return Refused(HTTPStatus(trouble.status), trouble.words) if trouble else error


def expects_body(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value not in EMPTY) for name, value in headers
    )


def announced(headers: list[tuple[bytes, bytes]]) -> int:
    """Return the length that the client announces; 0 if it announces none."""
    lengths = [value for name, value in headers if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


def set_length(scope: Any, size: int) -> Any:
    """Return the scope with the true length: Django reads no body without one."""
    kept = [pair for pair in scope["headers"] if pair[0] not in {b"content-length", b"transfer-encoding"}]
    return {**scope, "headers": [*kept, (b"content-length", b"%d" % size)]}

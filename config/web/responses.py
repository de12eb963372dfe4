"""Responses that are complete before the first byte is sent, so that no thread waits for a slow reader."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _

from config.web.request_bodies import ClientGone, Refused

CHUNK = 65_536
WITHOUT_LENGTH = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}


@dataclass(slots=True)
class Answer:
    """A response for ASGI."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes | IO[bytes]

    def chunks(self) -> Generator[bytes]:
        if isinstance(self.content, bytes):
            yield from (self.content[start : start + CHUNK] for start in range(0, len(self.content), CHUNK))
            return
        with self.content as file:
            while chunk := file.read(CHUNK):
                yield chunk


def answer_of(response: HttpResponseBase, whose: Callable[[], str] = str) -> Answer:
    """Return the response as an answer and close it (a file is read while it is sent).

    `whose` returns the owner of a download; it is called only for streamed responses, since the database may be away.
    Raises `Refused` if there is no room for the download.
    """
    if isinstance(response, FileResponse) and response.file_to_stream is not None:
        return Answer(response.status_code, list(_headers(response)), response.file_to_stream)
    try:
        content = _spooled(response, whose()) if response.streaming else response.content  # type: ignore[attr-defined]
        if not response.has_header("Content-Length") and response.status_code not in WITHOUT_LENGTH:
            response["Content-Length"] = str(_size(content))
        return Answer(response.status_code, list(_headers(response)), content)
    finally:
        response.close()


def _headers(response: HttpResponseBase) -> Iterator[tuple[bytes, bytes]]:
    for name, value in response.items():
        yield name.encode("ascii").lower(), value.encode("latin-1")
    for cookie in response.cookies.values():
        yield b"set-cookie", cookie.OutputString().encode("ascii")


def _spooled(response: Any, whose: str) -> IO[bytes]:
    spool = Download(whose)  # closed after it is sent
    try:
        for part in response:
            spool.write(part)
        spool.complete()
    except BaseException:
        spool.close()
        raise
    return spool


def _size(content: bytes | IO[bytes]) -> int:
    if isinstance(content, bytes):
        return len(content)
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    return size


async def give(answer: Answer, send: Any, *, last: bool = True) -> None:
    """Send the answer. With `last=False` the exchange stays open.

    Raises `ClientGone` if the reader takes less than `READ_SPEED` bytes per second, or its download had to make room.
    """
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    try:
        await _give_content(answer, send)
    except TimeoutError:
        raise ClientGone from None
    if last:
        await send({"type": "http.response.body", "body": b""})


async def _give_content(answer: Answer, send: Any) -> None:
    start, sent = asyncio.get_running_loop().time(), 0
    async with asyncio.timeout(settings.STALL_SECONDS) as clock:
        with closing(answer.chunks()) as chunks:
            for chunk in chunks:
                clock.reschedule(start + settings.STALL_SECONDS + sent / settings.READ_SPEED)
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                sent += len(chunk)


async def linger(receive: Any, send: Any, *, seconds: float, most: int) -> None:
    """Discard what the client still sends, so that it can read the answer, then end the exchange.

    A connection closed with unread bytes is reset, and the reset may overtake the answer.
    """
    try:
        async with asyncio.timeout(seconds):
            more = True
            while more and most > 0:
                message = await receive()
                most -= len(message.get("body", b""))
                more = message.get("more_body", False)
    except TimeoutError:
        pass
    await send({"type": "http.response.body", "body": b""})


# Compression middleware: compresses text unless that could be used to guess secrets in it (docs/decisions).


TEXT = re.compile(r"text/|application/([\w.-]+\+)?(json|xml|yaml)\b|application/vnd\.oai\.openapi|image/svg\+xml")
REFUSED = re.compile(r"\bgzip\s*;\s*q\s*=\s*0(\.0*)?\s*(,|$)")
SECRETS = "/accounts/2fa/"  # pages that show a long-lived secret
OURS = {"", "same-origin", "none"}  # Sec-Fetch-Site: from this site or the address bar only


class Compression(GZipMiddleware):
    """gzip middleware for text, except for requests that pages of other sites have caused."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not TEXT.match(response.get("Content-Type", "")) or request.path.startswith(SECRETS):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if REFUSED.search(request.headers.get("Accept-Encoding", "").lower()):
            return response
        if request.headers.get("Sec-Fetch-Site", "") not in OURS:
            return response
        return super().process_response(request, response)


# Downloads: responses kept in temporary files until slow readers have them. Each process limits its own: the number an
# account has open, and the bytes of all together. If there is no room, the account with most bytes loses a download, so
# that no account blocks others.


IN_MEMORY = 1_048_576  # bytes of one response in memory; more go to a temporary file
NUMBERS = count()
TOO_MANY = _("You are already downloading %(most)s files. Wait until one has finished.")
TOO_MUCH = _("Too many downloads are running on this server. Try again in a moment.")


class Downloads:
    """The present downloads of this process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # reentrant: a finalizer may release space at any point, also inside the lock
        self.open: Counter[str] = Counter()
        self.held: Counter[str] = Counter()  # bytes
        self.used = 0
        self._complete: dict[int, tuple[str, weakref.ref[Download]]] = {}  # their owners; oldest first

    def begin(self, whose: str) -> None:
        """Count a new download. Raises `Refused` if the user has too many; "" is an anonymous owner."""
        with self._lock:
            if whose and self.open[whose] >= settings.DOWNLOADS:
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY, most=settings.DOWNLOADS)
            self.open[whose] += 1

    def claim(self, whose: str, size: int) -> None:
        """Reserve bytes. Raises `Refused` if there is no room."""
        with self._lock:
            while self.used + size > settings.DOWNLOAD_SPACE:
                self._make_room(self.held[whose] + size)
            self.used += size
            self.held[whose] += size

    def complete(self, number: int, whose: str, download: Download) -> None:
        """Mark a download as complete: it waits for its reader, and may have to make room."""
        with self._lock:
            self._complete[number] = whose, weakref.ref(download)

    def end(self, number: int, whose: str, size: int) -> None:
        with self._lock:
            self._complete.pop(number, None)
            self.open[whose] -= 1
            self.used -= size
            self.held[whose] -= size
            if not self.open[whose]:
                del self.open[whose], self.held[whose]

    def _make_room(self, wanted: int) -> None:
        """Close the oldest download of the user with most bytes, if they hold more than twice what is wanted. Raises
        `Refused` otherwise.
        """
        heaviest = max((whose for whose, _file in self._complete.values()), key=self.held.__getitem__, default="")
        if self.held[heaviest] <= 2 * wanted:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MUCH)
        oldest = next(number for number, (whose, _file) in self._complete.items() if whose == heaviest)
        _whose, found = self._complete.pop(oldest)
        if download := found():
            download.close()


downloads = Downloads()


class Download(SpooledTemporaryFile[bytes]):
    """The temporary file of a download. It releases its space when closed, or garbage collected because its reader is
    gone.
    """

    def __init__(self, whose: str):
        super().__init__(IN_MEMORY)
        try:
            downloads.begin(whose)
        except Refused:
            super().close()
            raise
        self._whose, self._number, self._claimed = whose, next(NUMBERS), [0]
        self._end = weakref.finalize(self, _give_back, self._number, whose, self._claimed)

    def write(self, part: bytes) -> int:  # type: ignore[override]
        size = self.tell() + len(part)
        if size > IN_MEMORY:
            downloads.claim(self._whose, size - self._claimed[0])
            self._claimed[0] = size
        return super().write(part)

    def complete(self) -> None:
        """Mark the file as completely written."""
        downloads.complete(self._number, self._whose, self)

    def read(self, size: int = -1) -> bytes:
        """Return bytes. Raises `ClientGone` if the download had to make room for another."""
        try:
            return super().read(size)
        except ValueError:
            raise ClientGone from None

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        super().close()
        self._end()


def _give_back(number: int, whose: str, claimed: list[int]) -> None:
    downloads.end(number, whose, claimed[0])

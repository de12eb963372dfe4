"""Responses that are complete before the first byte leaves: no thread waits for a slow reader."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from typing import IO, Any

from django.conf import settings
from django.http import FileResponse, HttpResponseBase

from config.web.downloads import Download
from config.web.request_bodies import ClientGone

CHUNK = 65_536
WITHOUT_LENGTH = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}


@dataclass(slots=True)
class Answer:
    """What goes over the wire."""

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
    """The whole response, which is closed (a file is read while it is sent). `whose` names the owner of a
    download: it is asked only where the answer is streamed, for the database may be away.

    Raises `Refused` where there is no room for it.
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
    spool = Download(whose)  # closed when it is sent
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
    """Send it. With `last=False` the exchange stays open behind it.

    Raises `ClientGone` where its reader takes less than `READ_SPEED`, or its file had to make room.
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
    """Swallow what the client still sends, so that it gets to read the answer, then end the exchange.

    A connection closed on unread bytes is reset, and a reset may overtake the answer.
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

"""What a client puts on the wire, byte by byte, and what it reads there."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import NamedTuple

PATIENCE = 10


class Reply(NamedTuple):
    """One answer as it was read."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Wire:
    """One connection to the server."""

    def __init__(self, url: str):
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.read = b""

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def put(self, data: bytes) -> Wire:
        self.socket.sendall(data)
        return self

    def ask(self, path: str, *lines: str, method: str = "GET", body: bytes = b"", version: str = "1.1") -> Reply:
        self.put(head(path, *lines, *length(body), method=method, version=version) + body)
        return self.reply(method)

    def reply(self, method: str = "GET") -> Reply:
        """The next answer, interim ones left out."""
        reply = self._one(method)
        return self.reply(method) if reply.status == 100 else reply

    def _one(self, method: str) -> Reply:
        first, *lines = self._until(b"\r\n\r\n").decode("latin-1").strip().split("\r\n")
        headers = {line.split(":")[0].lower(): line.split(": ", 1)[1] for line in lines}
        status = int(first.split(" ")[1])
        bare = method == "HEAD" or status in {100, 204, 304}
        return Reply(status, headers, b"" if bare else self._exactly(int(headers["content-length"])))

    def ended(self) -> bool:
        """Whether the server ends the connection without an error while a client is patient."""
        with suppress(TimeoutError):
            while chunk := self.socket.recv(65_536):
                self.read += chunk
            return True
        return False

    def _until(self, mark: bytes) -> bytes:
        while mark not in self.read:
            self._more()
        found, self.read = self.read.split(mark, 1)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self.read) < size:
            self._more()
        found, self.read = self.read[:size], self.read[size:]
        return found

    def _more(self) -> None:
        chunk = self.socket.recv(65_536)
        if not chunk:
            raise EOFError(f"the server hung up after {self.read!r}")
        self.read += chunk


def head(path: str, *lines: str, method: str = "GET", version: str = "1.1", host: str = "localhost") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/{version}", f"Host: {host}", *lines, "", ""]).encode()


def unfinished_form(path: str = "/accounts/login/") -> bytes:
    """One byte of a form whose token must be looked for in it."""
    kind = "Content-Type: application/x-www-form-urlencoded"
    return head(path, kind, f"Cookie: csrftoken={'a' * 32}", "Content-Length: 100", method="POST") + b"a"


def length(body: bytes) -> list[str]:
    return [f"Content-Length: {len(body)}"] if body else []


def eventually(condition: object, patience: float = PATIENCE) -> bool:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False

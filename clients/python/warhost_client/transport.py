"""HTTP transport of the client: token, addresses, repeats, problems."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx

from warhost_client.problems import TooManyRequests, Unavailable, Unreachable, problem_of

AGENT = "warhost-client/1.0"
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
REPEATS = 3
LONGEST_WAIT = 60.0
"""Seconds a request waits before it is repeated, at most; where the site asks for more, the problem is raised."""
SAFE_TO_REPEAT = ("GET", "POST")
"""What may have been done already when no answer comes: others are repeated only where no connection was made."""


def fill(template: str, **values: str) -> str:
    """Return the path with its ids, escaped."""
    return template.format(**{name: quote(str(value), safe="") for name, value in values.items()})


class Transport:
    """A connection to one Warhost site for the owner of one token. Close it, or use it in a `with` statement.

    Requests that met no answer, 429 or 503 are repeated up to `repeats` times. A POST is repeated under the same
    `Idempotency-Key`, so it is done once.
    """

    def __init__(
        self,
        site: str,
        token: str = "",
        *,
        language: str = "en",
        repeats: int = REPEATS,
        http: httpx.Client | None = None,
    ):
        self.site = site.rstrip("/")
        self._repeats = repeats
        self.headers = {"Accept-Language": language, "User-Agent": AGENT}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self.http = http or httpx.Client(timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        file: bytes | None = None,
        query: dict[str, Any] | None = None,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
        auth: tuple[str, str] | None = None,
    ) -> Any:
        """Send one request and return its answer: JSON as it is, bytes of other formats, None without a body.

        Raises a `Problem` for a refusal, `Unreachable` without an answer.
        """
        answer = self._sent(method, path, query, auth, _headers(method, if_match, idempotency_key), body, file)
        if answer.status_code == 204 or not answer.content:
            return None
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        return answer.json() if kind == "application/json" else answer.content

    def etag(self, path: str) -> str:
        """Return the ETag of an address, for `if_match`."""
        return str(self._sent("GET", path).headers["ETag"])

    def _sent(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | None = None,
        auth: tuple[str, str] | None = None,
        headers: dict[str, str] | None = None,
        body: Any = None,
        file: bytes | None = None,
    ) -> httpx.Response:
        asked = {name: _spelled(value) for name, value in (query or {}).items() if value is not None}
        request = self.http.build_request(
            method,
            self.site + path,
            params=asked or None,
            json=body,
            files=None if file is None else {"file": file},
            headers={**self.headers, **(headers or {})},
        )
        for left in reversed(range(self._repeats + 1)):
            try:
                answer = self.http.send(request, auth=auth)
            except httpx.TransportError as error:
                if not left or not (method in SAFE_TO_REPEAT or isinstance(error, httpx.ConnectError)):
                    raise Unreachable(f"{self.site} doesn’t answer: {error}") from error
                time.sleep(2 ** (self._repeats - left) / 4)
                continue
            if answer.is_success:
                return answer
            problem = problem_of(answer.status_code, answer.content, _wait(answer))
            if not left or not isinstance(problem, TooManyRequests | Unavailable) or (problem.wait or 0) > LONGEST_WAIT:
                raise problem
            time.sleep(1.0 if problem.wait is None else problem.wait)
        raise AssertionError("the last repeat returns or raises")


def _headers(method: str, if_match: int | str | None, key: str | None) -> dict[str, str]:
    sent = {} if if_match is None else {"If-Match": if_match if isinstance(if_match, str) else f'"{if_match}"'}
    if method == "POST":
        sent["Idempotency-Key"] = key or str(uuid4())
    return sent


def _spelled(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _wait(answer: httpx.Response) -> float | None:
    try:
        return float(answer.headers["Retry-After"])
    except (KeyError, ValueError):
        return None

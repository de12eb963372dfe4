"""Event stream of a campaign or a battle: news as they happen, through interruptions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Literal, NamedTuple

import httpx

from warhost_client.problems import NotFound, Unavailable, problem_of
from warhost_client.transport import Transport

SILENCE = httpx.Timeout(60.0, connect=10.0)
"""The site says something every 20 seconds: a line silent for longer is dead."""


class News(NamedTuple):
    """Something has changed. What it is, the API tells: `version` is the present one."""

    kind: str
    id: str
    version: int | None


class Message(NamedTuple):
    event: str
    id: str
    data: str


def follow(
    site: Transport, kind: Literal["battle", "campaign"], id: str, version: int | None = None, pause: float = 3.0
) -> Iterator[News]:
    """Yield news of a battle or campaign; first at once, if `version` is not the present one.

    A broken line is opened again after `pause` seconds and misses nothing. Ends when the token may not see it any
    longer; raises `NotFound` if it never could.
    """
    seen, heard = "" if version is None else str(version), False
    while True:
        try:
            for message in _messages(site, f"/live/{kind}/{id}/", seen):
                heard = True
                if message.event == "gone":
                    return
                seen = message.id or seen
                told = json.loads(message.data)
                yield News(kind, id, told.get("version"))
        except NotFound:
            if heard:
                return
            raise
        except (httpx.TransportError, Unavailable):
            pass
        time.sleep(pause)


def _messages(site: Transport, path: str, seen: str) -> Iterator[Message]:
    headers = {**site.headers, "Accept": "text/event-stream", **({"Last-Event-ID": seen} if seen else {})}
    with site.http.stream("GET", site.site + path, headers=headers, timeout=SILENCE) as answer:
        if not answer.is_success:
            raise problem_of(answer.status_code, answer.read())
        yield from read(answer.iter_lines())


def read(lines: Iterator[str]) -> Iterator[Message]:
    """Yield the messages of an event stream; comments are passed over."""
    told: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if line and name:
            told[name] = told[name] + "\n" + value.removeprefix(" ") if name in told else value.removeprefix(" ")
        elif not line and told:
            if "data" in told or told.get("event") == "gone":
                yield Message(told.get("event", "message"), told.get("id", ""), told.get("data", ""))
            told = {}

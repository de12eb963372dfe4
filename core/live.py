"""NOTIFY once a transaction is committed, and the LISTEN connection that tells every page that follows something."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

import django.db
import psycopg
from asgiref.sync import sync_to_async
from django.db import connection, connections

from core.clean_input import parse_whole

CHANNEL = "warhost_news"
RAISE = """
WITH told AS (UPDATE kingdom_campaign SET revision = revision + 1 WHERE id = %s RETURNING id, revision)
SELECT pg_notify(%s, id || ':' || revision) FROM told
"""


def notify_campaign(campaign: UUID) -> None:
    """The campaign has changed for somebody: every page that follows it looks again.

    Whoever calls holds the campaign's row or takes no other lock afterwards.
    """
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [campaign, CHANNEL])


def notify(pk: UUID, version: int, *, beside: UUID | None = None) -> None:
    """This thing is at a new version. `beside`: the campaign some of whose pages show it among others."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{pk}:{version}:{beside or ''}"])


def notify_access(topic: str) -> None:
    """Whoever watches by this right (`user:<id>`, `session:<key>`) may have lost it: each is judged anew."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [ACCESS, topic])


ACCESS = "warhost_access"  # told by the database itself: battles/migrations/0002_access_notices.py
RETRY = (0.2, 0.5, 1)  # seconds between attempts to reach the database again
PATIENCE = 2  # seconds a new watcher waits for the connection to stand
PULSE = 5  # seconds after which a connection without news is asked for
LOST = json.dumps({"lost": True})  # the watcher hears nothing until they are told of what they follow again
NOT_OURS = {"autocommit", "context", "cursor_factory", "prepare_threshold"}  # what concerns Django's connections only
QUEUE = 16  # messages a slow client may lag behind; it refetches anyway, so older ones can go

log = logging.getLogger(__name__)


class Subject(NamedTuple):
    """What a page follows: "campaign" or "battle", and which."""

    kind: str
    pk: str


class Mail(asyncio.Queue[str]):
    """What a watcher is told. `doubted`: their right to watch may have ended, so it is judged before they are told
    more. `rests`: they have opened so many pages since that this one is told nothing until somebody looks at it again.
    """

    doubted = False
    rests = False
    subject = Subject("", "")
    topics: tuple[str, ...] = ()


class Listener:
    """Listens while somebody watches. A message is the id of what they follow and its version: they refetch.

    A watcher stands under their topics: what they follow, what stands beside it (`beside:<campaign>`) where they want
    to know of that too, and whose right it is (`user:<id>`, `session:<key>`).
    """

    def __init__(self) -> None:
        self._watchers: defaultdict[str, dict[Mail, None]] = defaultdict(dict)  # the oldest first
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._awaited = False  # somebody was told that nothing is heard, and has to be told when it is

    async def join(self, subject: Subject, *topics: str) -> Mail:
        """From here on nothing about it is missed (unless the database stays away for long)."""
        mail = Mail(QUEUE)
        mail.subject, mail.topics = subject, (subject.pk, *topics)
        for topic in mail.topics:
            self._watchers[topic][mail] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._listen())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), PATIENCE)
        if not self._listening.is_set():
            self._awaited = True
            _put(mail, LOST)
        return mail

    def leave(self, mail: Mail) -> None:
        for topic in mail.topics:
            self._watchers[topic].pop(mail, None)
            if not self._watchers[topic]:
                del self._watchers[topic]
        if not self._watchers and self._task is not None:
            self._task.cancel()
            self._task, self._awaited = None, False
            self._listening.clear()

    def spare(self, owner: str, most: int) -> None:
        """Of more pages than one person (or one link) may have told, the oldest rest."""
        pages = [mail for mail in self._watchers.get(owner, ()) if not mail.rests]
        for mail in pages[: max(0, len(pages) - most)]:
            mail.rests = True
            _put(mail, "")  # only wakes

    async def _listen(self) -> None:
        failures = 0
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**await _address(), autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await connection.execute(f"LISTEN {ACCESS}")
                    self._listening.set()
                    if self._awaited:
                        self._doubt_all()  # whatever was said meanwhile is lost: everybody catches up
                    failures, self._awaited = 0, False
                    await self._hear(connection)
            except (psycopg.Error, django.db.Error, OSError):
                self._lose()
            except Exception:  # nobody else would start it again
                log.exception("The live pages have lost the database.")
                self._lose()
            await asyncio.sleep(RETRY[min(failures, len(RETRY) - 1)])
            failures += 1

    async def _hear(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Pass on what is told until the connection breaks, or the database is away without breaking it."""
        while True:
            async for notice in connection.notifies(timeout=PULSE):
                (self._doubt if notice.channel == ACCESS else self._tell)(notice.payload)
            await _address()

    def _lose(self) -> None:
        self._awaited = True
        if self._listening.is_set():
            self._listening.clear()
            for mail in {mail for mails in self._watchers.values() for mail in mails}:
                _put(mail, LOST)

    def _tell(self, payload: str) -> None:
        key, version, beside = read_notice(payload)
        for mail in tuple(self._watchers.get(key, ())):
            post(mail, mail.subject, version)
        for mail in tuple(self._watchers.get(f"beside:{beside}", ()) if beside else ()):
            post(mail, mail.subject, None)

    def _doubt(self, topic: str) -> None:
        for mail in tuple(self._watchers.get(topic, ())):
            doubt(mail)

    def _doubt_all(self) -> None:
        for topic in tuple(self._watchers):
            self._doubt(topic)


def post(mail: asyncio.Queue[str], subject: Subject, version: int | None) -> None:
    _put(mail, json.dumps({subject.kind: subject.pk, "version": version}))


def doubt(mail: Mail) -> None:
    mail.doubted = True
    _put(mail, "")  # only wakes


def _put(mail: asyncio.Queue[str], text: str) -> None:
    if mail.full():
        mail.get_nowait()
    mail.put_nowait(text)


def read_notice(payload: str) -> tuple[str, int | None, str]:
    """ "<id>:<version>:<campaign>", or less of it."""
    key, version, beside, *_more = [*payload.split(":"), "", ""]
    return key, parse_whole(version), beside


@sync_to_async
def _address() -> dict[str, Any]:
    """Where the database is: Django's own answer. Raises `django.db.Error` while Django itself cannot reach it:
    whoever is told to catch up asks there."""
    connection = connections["default"]
    try:
        connection.ensure_connection()
        params = connection.get_connection_params()
    finally:
        connection.close()
    return {name: value for name, value in params.items() if name not in NOT_OURS}

"""One LISTEN connection per process, fanned out to everybody who watches a battle."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from contextlib import suppress
from typing import Any

import psycopg
from asgiref.sync import sync_to_async
from django.db import connections

from kingdom.inputs import whole_in

CHANNEL = "warhost_battle"
ACCESS = "warhost_access"  # told by the database itself: battles/migrations/0002_access_notices.py
RETRY = (0.5, 1, 2, 5, 10)  # seconds between attempts to reach the database again
PATIENCE = 5  # seconds a new watcher waits for the connection to stand
QUEUE = 16  # messages a slow client may lag behind; it refetches anyway, so older ones can go


class Mail(asyncio.Queue[str]):
    """What a watcher is told. `doubted`: his right to watch may have ended, so it is judged before he is told more."""

    doubted = False
    topics: tuple[str, ...] = ()


class Hub:
    """Listens while somebody watches. A message is the battle's id and version: whoever gets it refetches.

    A watcher stands under his topics: the battle, and whose right it is (`user:<id>`, `session:<key>`).
    """

    def __init__(self) -> None:
        self._watchers: defaultdict[str, set[Mail]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    async def join(self, battle_id: str, *owners: str) -> Mail:
        """From here on nothing about this battle is missed (unless the database stays away for long)."""
        mail = Mail(QUEUE)
        mail.topics = (battle_id, *owners)
        for topic in mail.topics:
            self._watchers[topic].add(mail)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._listen())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), PATIENCE)
        return mail

    def leave(self, mail: Mail) -> None:
        for topic in mail.topics:
            self._watchers[topic].discard(mail)
            if not self._watchers[topic]:
                del self._watchers[topic]
        if not self._watchers and self._task is not None:
            self._task.cancel()
            self._task = None
            self._listening.clear()

    async def _listen(self) -> None:
        failures = 0
        while True:
            with suppress(psycopg.Error, OSError):
                async with await psycopg.AsyncConnection.connect(**await _address(), autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await connection.execute(f"LISTEN {ACCESS}")
                    self._listening.set()
                    if failures:
                        self._doubt_all()  # whatever was said meanwhile is lost: everybody catches up
                    failures = 0
                    async for notice in connection.notifies():
                        (self._doubt if notice.channel == ACCESS else self._tell)(notice.payload)
            self._listening.clear()
            await asyncio.sleep(RETRY[min(failures, len(RETRY) - 1)])
            failures += 1

    def _tell(self, payload: str) -> None:
        battle_id, version = read_notice(payload)
        for mail in tuple(self._watchers.get(battle_id, ())):
            post(mail, battle_id, version)

    def _doubt(self, topic: str) -> None:
        for mail in tuple(self._watchers.get(topic, ())):
            doubt(mail)

    def _doubt_all(self) -> None:
        for topic in tuple(self._watchers):
            self._doubt(topic)


def post(mail: asyncio.Queue[str], battle_id: str, version: int | None) -> None:
    _put(mail, json.dumps({"battle": battle_id, "version": version}))


def doubt(mail: Mail) -> None:
    mail.doubted = True
    _put(mail, "")  # only wakes


def _put(mail: asyncio.Queue[str], text: str) -> None:
    if mail.full():
        mail.get_nowait()
    mail.put_nowait(text)


def read_notice(payload: str) -> tuple[str, int | None]:
    """ "<battle>:<version>", or the battle alone."""
    battle_id, _, version = payload.partition(":")
    return battle_id, whole_in(version)


@sync_to_async
def _address() -> dict[str, Any]:
    """Where the database is: Django's own answer, without what belongs to its pool and cursors."""
    connection = connections["default"]
    try:
        params = connection.get_connection_params()
    finally:
        connection.close()
    return {
        name: params[name] for name in ("dbname", "user", "password", "host", "port", "sslmode") if params.get(name)
    }

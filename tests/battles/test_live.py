"""The live stream: who may listen, and that whoever listens is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client

from battles import live, services
from battles.hub import Hub, post, read_notice
from rules.pathfinder.battle.commands import Next
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.kingdom.conftest import make_user

PATIENCE = 5


def apart[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run it in a thread of its own: a browser of another test may keep a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture
def ford(transactional_db) -> Any:
    table = seat_everybody(make_table(make_user("gm")))
    return open_ford(table), table


def cookie_of(user: Any) -> bytes:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


def listener(path: str, cookie: bytes = b"", query: bytes = b"") -> ApplicationCommunicator:
    headers = [(b"cookie", cookie)] if cookie else []
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": query}
    return ApplicationCommunicator(live.application, scope)


async def status_of(asking: ApplicationCommunicator) -> int:
    await asking.send_input({"type": "http.request"})
    return (await asking.receive_output(PATIENCE))["status"]


async def next_news(asking: ApplicationCommunicator) -> dict[str, Any]:
    while True:
        body = (await asking.receive_output(PATIENCE))["body"].decode()
        if body.startswith("data: "):
            return json.loads(body.removeprefix("data: "))


async def hang_up(asking: ApplicationCommunicator) -> None:
    await asking.send_input({"type": "http.disconnect"})
    await asking.wait(PATIENCE)


def test_only_the_table_may_listen(ford):
    battle, table = ford
    path = f"/live/{battle.pk}/"
    cookies = {name: cookie_of(getattr(table, name)) for name in ("ana", "viewer", "stranger")}

    async def asked() -> dict[str, int]:
        found = {}
        for name, cookie in {**cookies, "nobody": b""}.items():
            asking = listener(path, cookie)
            found[name] = await status_of(asking)
            if found[name] == 200:
                await hang_up(asking)
        return found

    assert apart(asked()) == {"ana": 200, "viewer": 200, "stranger": 404, "nobody": 404}


@pytest.mark.parametrize("path", ["/live/", "/live/x/", "/live/019a0000-0000-7000-8000-000000000000/"])
def test_there_is_nothing_to_hear_elsewhere(ford, path):
    cookie = cookie_of(ford[1].gm)
    assert apart(status_of(listener(path, cookie))) == 404


def test_a_command_reaches_whoever_listens_with_its_version_only(ford):
    battle, table = ford
    cookie = cookie_of(table.ana)

    async def told() -> dict[str, Any]:
        asking = listener(f"/live/{battle.pk}/", cookie, f"version={battle.version}".encode())
        assert await status_of(asking) == 200
        await asyncio.sleep(0.3)
        await sync_to_async(services.play)(by=table.gm, battle_id=battle.pk, version=1, command=Next())
        news = await next_news(asking)
        await hang_up(asking)
        return news

    assert apart(told()) == {"battle": str(battle.pk), "version": 2}


def test_a_page_drawn_before_the_last_command_is_told_at_once(ford):
    battle, table = ford
    services.play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    cookie = cookie_of(table.ana)

    async def told() -> dict[str, Any]:
        asking = listener(f"/live/{battle.pk}/", cookie, b"version=1")
        assert await status_of(asking) == 200
        news = await next_news(asking)
        await hang_up(asking)
        return news

    assert apart(told())["version"] == 2


def test_one_connection_serves_everybody_and_ends_with_the_last(ford):
    battle, _table = ford

    async def watched() -> tuple[bool, bool]:
        hub = Hub()
        first, second = await hub.join(str(battle.pk)), await hub.join(str(battle.pk))
        task = hub._task
        hub.leave(str(battle.pk), first)
        alone = hub._task is task and task is not None and not task.done()
        hub.leave(str(battle.pk), second)
        return alone, hub._task is None

    assert apart(watched()) == (True, True)


def test_a_slow_reader_misses_old_news_only():
    async def read() -> list[int]:
        mail: asyncio.Queue[str] = asyncio.Queue(2)
        for version in range(5):
            post(mail, "b", version)
        return [json.loads(mail.get_nowait())["version"] for _ in range(mail.qsize())]

    assert apart(read()) == [3, 4]


def test_notices_are_read_with_and_without_a_version():
    assert read_notice("abc:7") == ("abc", 7)
    assert read_notice("abc") == ("abc", None)

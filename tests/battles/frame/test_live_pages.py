"""Whoever watches a battle is told that it has changed, whatever its law, and nobody else is."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tests.battles.frame.conftest import opened
from tests.battles.frame.test_commands import obeyed
from tests.browsing import run_apart
from tests.core.live.test_live import cookie_of, hang_up, listener, next_news, status_of
from tests.rulesets.drivers import table_of


@pytest.fixture
def table(transactional_db, driver) -> SimpleNamespace:
    return table_of(driver)


def test_a_command_reaches_whoever_watches_with_its_version_only(table, driver):
    battle = opened(table).battle
    first = driver.first(table)
    cookies = {who: cookie_of(getattr(table, who)) for who in ("bo", "stranger")}
    path = f"/live/battle/{battle.pk}/"

    async def told() -> tuple[int, list[dict[str, Any]]]:
        refused = await status_of(listener(path, cookies["stranger"]))
        asking = listener(path, cookies["bo"], f"version={battle.version}".encode())
        assert await status_of(asking) == 200
        await asyncio.sleep(0.3)
        await sync_to_async(obeyed)(table, battle, 1, first)
        late = listener(path, cookies["bo"], b"version=1")  # a page drawn before the command is told at once
        assert await status_of(late) == 200
        news = [await next_news(asking), await next_news(late)]
        await hang_up(asking)
        await hang_up(late)
        return refused, news

    assert run_apart(told()) == (404, [{"battle": str(battle.pk), "version": 2}] * 2)

"""The live stream: who may listen, and that whoever listens is told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from config.postgres import base
from config.postgres.base import Pulse
from core import live as live_listener
from core.live import Listener, Mail, Subject, doubt, post, read_notice
from kingdom.accounts.services import create_token, revoke_token
from kingdom.campaign.services import create_campaign
from kingdom.live import stream
from kingdom.members.services import remove_member, set_role
from kingdom.models import Campaign, Scope, User
from tests.battles.conftest import cut_the_hub_off, make_table, open_ford, seat_everybody
from tests.browsing import run_apart
from tests.kingdom.conftest import make_user, seat
from tests.worlds import built_once

PATIENCE = 5


@built_once
def ford(transactional_db) -> Any:
    table = seat_everybody(make_table(make_user("gm")))
    return open_ford(table), table


def cookie_of(user: Any) -> bytes:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


def listener(path: str, cookie: bytes = b"", query: bytes = b"", **sent: bytes) -> ApplicationCommunicator:
    headers = [(b"cookie", cookie)] if cookie else []
    headers += [(name.replace("_", "-").encode(), value) for name, value in sent.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": query}
    return ApplicationCommunicator(stream.application, scope)


async def status_of(asking: ApplicationCommunicator) -> int:
    await asking.send_input({"type": "http.request"})
    return (await asking.receive_output(PATIENCE))["status"]


async def next_news(asking: ApplicationCommunicator) -> dict[str, Any]:
    while True:
        body = (await asking.receive_output(PATIENCE))["body"].decode()
        if told := re.search("^data: (.*)$", body, re.MULTILINE):
            return json.loads(told[1])


async def hang_up(asking: ApplicationCommunicator) -> None:
    await asking.send_input({"type": "http.disconnect"})
    await asking.wait(PATIENCE)


def test_only_the_table_may_listen(ford):
    battle, table = ford
    path = f"/live/battle/{battle.pk}/"
    cookies = {name: cookie_of(getattr(table, name)) for name in ("ana", "viewer", "stranger")}

    async def asked() -> dict[str, int]:
        found = {}
        for name, cookie in {**cookies, "nobody": b""}.items():
            asking = listener(path, cookie)
            found[name] = await status_of(asking)
            if found[name] == 200:
                await hang_up(asking)
        return found

    assert run_apart(asked()) == {"ana": 200, "viewer": 200, "stranger": 404, "nobody": 404}


NOWHERE = (
    "/live/",
    "/live/x/",
    "/live/battle/x/",
    "/live/campaign/019a0000-0000-7000-8000-000000000000/",
    "/live/battle/019a0000-0000-7000-8000-000000000000/",
)


def test_there_is_nothing_to_hear_elsewhere(ford):
    cookie = cookie_of(ford[1].gm)

    async def asked() -> list[int]:
        return [await status_of(listener(path, cookie)) for path in NOWHERE]

    assert run_apart(asked()) == [404] * len(NOWHERE)


def test_one_connection_serves_everybody_and_ends_with_the_last(ford):
    battle, _table = ford

    async def watched() -> tuple[bool, bool]:
        hub = Listener()
        subject = Subject("battle", str(battle.pk))
        first, second = await hub.join(subject), await hub.join(subject)
        task = hub._task
        hub.leave(first)
        alone = hub._task is task and task is not None and not task.done()
        hub.leave(second)
        return alone, hub._task is None

    assert run_apart(watched()) == (True, True)


def test_a_stream_that_is_cut_off_says_so_and_then_catches_up(ford):
    battle, table = ford
    cookie = cookie_of(table.ana)

    async def told() -> list[dict[str, Any]]:
        asking = listener(f"/live/battle/{battle.pk}/", cookie, b"version=1")
        assert await status_of(asking) == 200
        await asyncio.sleep(0.3)
        cut_the_hub_off()
        news = [await next_news(asking), await next_news(asking)]
        await hang_up(asking)
        return news

    assert run_apart(told()) == [{"lost": True}, {"battle": str(battle.pk), "version": None}]


def test_who_came_before_the_line_stood_is_told_when_it_does(ford, monkeypatch):
    battle, table = ford
    cookie, reach = cookie_of(table.ana), live_listener._address

    async def slowly() -> dict[str, Any]:
        await asyncio.sleep(0.3)
        return await reach()

    monkeypatch.setattr(live_listener, "_address", slowly)
    monkeypatch.setattr(live_listener, "PATIENCE", 0.1)

    async def told() -> list[dict[str, Any]]:
        asking = listener(f"/live/battle/{battle.pk}/", cookie, b"version=1")
        assert await status_of(asking) == 200
        news = [await next_news(asking), await next_news(asking)]
        await hang_up(asking)
        return news

    assert run_apart(told()) == [{"lost": True}, {"battle": str(battle.pk), "version": None}]


@pytest.fixture
def away(monkeypatch) -> Pulse:
    """The pulse of the database has found it away."""
    verdict = Pulse(lambda: None)
    verdict.away = True
    monkeypatch.setattr(base, "_pulse", verdict)
    return verdict


def test_while_the_database_is_away_a_stream_is_refused_for_the_moment_only(ford, away):
    cookie = b"sessionid=abcdefghijklmnop"
    assert run_apart(status_of(listener(f"/live/battle/{ford[0].pk}/", cookie))) == 503


def test_a_right_that_cannot_be_judged_while_the_database_is_away_is_judged_when_it_is_back(ford, away):
    battle, table = ford
    away.away = False
    cookie = cookie_of(table.ana)

    async def told() -> list[dict[str, Any]]:
        asking = listener(f"/live/battle/{battle.pk}/", cookie, b"version=1")
        assert await status_of(asking) == 200
        await asyncio.sleep(0.3)
        away.away = True
        cut_the_hub_off()
        news = [await next_news(asking)]
        away.away = False
        news.append(await next_news(asking))
        await hang_up(asking)
        return news

    assert run_apart(told()) == [{"lost": True}, {"battle": str(battle.pk), "version": None}]


def test_a_slow_reader_misses_old_news_only():
    async def read() -> list[int]:
        mail: asyncio.Queue[str] = asyncio.Queue(2)
        for version in range(5):
            post(mail, Subject("battle", "b"), version)
        return [json.loads(mail.get_nowait())["version"] for _ in range(mail.qsize())]

    assert run_apart(read()) == [3, 4]


def test_notices_are_read_whole_and_in_part():
    assert read_notice("abc:7:def") == ("abc", 7, "def")
    assert read_notice("abc:7") == ("abc", 7, "")
    assert read_notice("abc") == ("abc", None, "")


def test_of_too_many_pages_of_one_person_the_oldest_rest(ford):
    async def resting() -> list[bool]:
        hub = Listener()
        pages = [await hub.join(Subject("battle", str(number)), "user:ana") for number in range(5)]
        hub.spare("user:ana", 3)
        found = [mail.rests for mail in pages]
        for mail in pages:
            hub.leave(mail)
        return found

    assert run_apart(resting()) == [True, True, False, False, False]


# Whose right ends hears no more


async def end_of(asking: ApplicationCommunicator) -> bool:
    """Whether the stream says farewell and closes."""
    told = False
    while True:
        message = await asking.receive_output(PATIENCE)
        told = told or b"event: gone" in message["body"]
        if not message.get("more_body"):
            await asking.wait(PATIENCE)
            return told


def leaves(table, user, _cookie):
    remove_member(by=user, campaign=table.campaign, user=user)


def is_removed(table, user, _cookie):
    remove_member(by=table.gm, campaign=table.campaign, user=user)


def signs_out(_table, _user, cookie):
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = cookie.partition(b"=")[2].decode()
    client.post("/accounts/logout/")


def gets_another_password(_table, user, _cookie):
    user.set_password("another one")
    user.save()


def is_deactivated(_table, user, _cookie):
    User.objects.filter(pk=user.pk).update(is_active=False)


def loses_the_account(_table, user, _cookie):
    User.objects.get(pk=user.pk).delete()


def loses_the_campaign(table, _user, _cookie):
    Campaign.objects.get(pk=table.campaign.pk).delete()


ENDS = (leaves, is_removed, signs_out, gets_another_password, is_deactivated, loses_the_account)


def player(table, name: str) -> Any:
    return seat(table.gm, table.campaign, make_user(name), "player")


def test_the_stream_of_whose_right_ends_closes_at_once_and_no_other(ford):
    battle, table = ford
    path, bo = f"/live/battle/{battle.pk}/", cookie_of(table.bo)
    users = {end: player(table, end.__name__) for end in (*ENDS, loses_the_campaign)}
    cookies = {end: cookie_of(user) for end, user in users.items()}

    async def closed(end) -> tuple[bool, int]:
        asking = listener(path, cookies[end])
        assert await status_of(asking) == 200
        await sync_to_async(end)(table, users[end], cookies[end])
        return await end_of(asking), await status_of(listener(path, cookies[end]))

    async def heard() -> dict[str, tuple[bool, int]]:
        other = listener(path, bo)
        assert await status_of(other) == 200
        found = {end.__name__: await closed(end) for end in ENDS}
        while not await other.receive_nothing(0.2):
            assert b"gone" not in (await other.receive_output(PATIENCE))["body"]
        found[loses_the_campaign.__name__] = await closed(loses_the_campaign)
        await hang_up(other)
        return found

    assert run_apart(heard()) == dict.fromkeys([end.__name__ for end in (*ENDS, loses_the_campaign)], (True, 404))


def test_who_may_do_less_than_before_fetches_the_page_anew(ford):
    battle, table = ford
    lowered = {"player": player(table, "second"), "viewer": player(table, "third")}
    set_role(by=table.gm, campaign=table.campaign, user=lowered["player"], role="gm")
    cookies = {role: cookie_of(user) for role, user in lowered.items()}

    async def told(role: str) -> dict[str, Any]:
        asking = listener(f"/live/battle/{battle.pk}/", cookies[role])
        assert await status_of(asking) == 200
        await sync_to_async(set_role)(by=table.gm, campaign=table.campaign, user=lowered[role], role=role)
        news = await next_news(asking)
        await hang_up(asking)
        return news

    async def both() -> list[dict[str, Any]]:
        return [await told(role) for role in lowered]

    assert run_apart(both()) == [{"battle": str(battle.pk), "version": None}] * 2


def test_a_session_that_grew_old_hears_no_more(ford, monkeypatch):
    battle, table = ford
    cookie = cookie_of(table.ana)
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    monkeypatch.setattr(stream, "TRUST", 0.1)

    async def ended() -> bool:
        asking = listener(f"/live/battle/{battle.pk}/", cookie)
        assert await status_of(asking) == 200
        await sync_to_async(Session.objects.update)(expire_date=timezone.now() - timedelta(seconds=1))
        return await end_of(asking)

    assert run_apart(ended())


def test_a_right_in_doubt_is_judged_before_anything_more_is_told():
    async def read() -> tuple[bool, int]:
        mail = Mail(2)
        doubt(mail)
        for version in range(5):
            post(mail, Subject("battle", "b"), version)
        return mail.doubted, mail.qsize()

    assert run_apart(read()) == (True, 2), "however much news pushes out the wake-up"


def told_whole(asking: ApplicationCommunicator) -> Coroutine[Any, Any, str]:
    async def told() -> str:
        while "data: " not in (body := (await asking.receive_output(PATIENCE))["body"].decode()):
            pass
        return body

    return told()


def test_a_program_follows_by_its_token_until_it_is_revoked(ford):
    battle, table = ford
    token, key = create_token(by=table.ana, scope=Scope.READ)
    path, sent = f"/live/battle/{battle.pk}/", {"authorization": f"Bearer {key}".encode()}

    async def followed() -> tuple[str, str]:
        asking = listener(path, query=b"version=0", **sent)
        assert await status_of(asking) == 200
        first = await told_whole(asking)
        await sync_to_async(revoke_token)(by=table.ana, public_id=token.public_id)
        return first, await told_whole(asking)

    first, last = run_apart(followed())
    assert first == f'id: {battle.version}\ndata: {{"battle": "{battle.pk}", "version": {battle.version}}}\n\n'
    assert last == "event: gone\ndata: {}\n\n"
    assert run_apart(status_of(listener(path, **sent))) == 404


def test_who_comes_back_with_the_last_id_hears_only_what_is_newer(ford):
    battle, table = ford
    path, sent = f"/live/battle/{battle.pk}/", {"authorization": f"Token {create_token(by=table.ana).key}".encode()}

    async def first(last: int) -> dict[str, Any] | None:
        asking = listener(path, last_event_id=str(last).encode(), **sent)
        assert await status_of(asking) == 200
        assert (await asking.receive_output(PATIENCE))["body"] == b"retry: 2000\n\n"
        news = None if await asking.receive_nothing(0.2) else await next_news(asking)
        await hang_up(asking)
        return news

    assert run_apart(first(battle.version)) is None
    assert run_apart(first(battle.version + 7)) == {"battle": str(battle.pk), "version": battle.version}


def test_tokens_that_are_none_follow_nothing_and_are_counted(ford, settings):
    battle, table = ford
    settings.PER_MINUTE = {**settings.PER_MINUTE, "wrong-token": 2}
    path, right = f"/live/battle/{battle.pk}/", create_token(by=table.ana).key
    statuses = [
        run_apart(status_of(listener(path, authorization=sent))) for sent in (b"Token x", b"Basic eDp5", b"Token")
    ]
    assert statuses == [404, 404, 404]
    assert run_apart(status_of(listener(path, authorization=f"Token {right}".encode()))) == 404


def test_a_token_of_another_campaign_follows_nothing(ford):
    battle, table = ford
    other = create_campaign(by=table.ana, name="Elsewhere", ruleset="combat-de-masse")
    key = create_token(by=table.ana, campaign=other).key
    assert run_apart(status_of(listener(f"/live/battle/{battle.pk}/", authorization=f"Token {key}".encode()))) == 404

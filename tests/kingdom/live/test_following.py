"""Pages that follow their campaign: what is told, to whom, and what a page gets that looks again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.play.services import play
from core.live import notify
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.live import stream
from kingdom.members.services import hand_over, invite, remove_member, revoke_invitation, set_role
from kingdom.models import Campaign, ChronicleEntry
from kingdom.realms.services import assign_players, update_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import cut_the_hub_off, make_table, open_ford, seat_everybody
from tests.browsing import run_apart
from tests.core.live.test_live import cookie_of, end_of, hang_up, listener, next_news, status_of
from tests.databases import tried
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import client_of, make_user, seat
from tests.worlds import built_once

CANARY = "Xanthippe"


@built_once
def restov(transactional_db) -> Any:
    return seat_everybody(make_table(make_user("gm")))


def revision(restov: Any) -> int:
    return Campaign.objects.values_list("revision", flat=True).get(pk=restov.campaign.pk)


def seen(html: str) -> str:
    return re.search(r'data-seen="(\w+)"', html)[1]


# What is told


def heard(restov: Any, deed: Callable[[], Any], query: bytes = b"") -> list[dict[str, Any]]:
    """What ana's page hears of a deed: all that comes before what is told after it."""
    pk, after, cookie = restov.campaign.pk, 1_000_000, cookie_of(restov.ana)

    async def told() -> list[dict[str, Any]]:
        asking, news = listener(f"/live/campaign/{pk}/", cookie, query), []
        assert await status_of(asking) == 200
        await sync_to_async(deed)()
        await sync_to_async(notify)(pk, after)
        while (one := await next_news(asking))["version"] != after:
            news.append(one)
        await hang_up(asking)
        return news

    return run_apart(told())


def test_a_change_reaches_every_page_of_the_campaign_with_its_id_and_revision_only(restov):
    before = revision(restov)
    secret = lambda: record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason=CANARY)  # noqa: E731
    news = heard(restov, secret, f"version={before}".encode())
    assert news == [{"campaign": str(restov.campaign.pk), "version": before + 1}]


def test_strangers_hear_nothing_and_whose_seat_is_taken_hears_no_more(restov):
    path = f"/live/campaign/{restov.campaign.pk}/"
    cookies = {name: cookie_of(getattr(restov, name)) for name in ("ana", "stranger")}

    async def asked() -> tuple[int, int, bool]:
        nobody, stranger = await status_of(listener(path)), await status_of(listener(path, cookies["stranger"]))
        ana = listener(path, cookies["ana"])
        assert await status_of(ana) == 200
        await sync_to_async(remove_member)(by=restov.gm, campaign=restov.campaign, user=restov.ana)
        return nobody, stranger, await end_of(ana)

    assert run_apart(asked()) == (404, 404, True)


def test_battles_are_told_only_to_pages_that_show_them_as_far_as_anybody_sees_them(restov):
    battle, before = open_ford(restov), revision(restov)

    def play_on(version, command):
        return lambda: play(by=restov.gm, battle_id=battle.pk, version=version, command=command)

    told = [{"campaign": str(restov.campaign.pk), "version": None}]
    assert heard(restov, play_on(1, Next()), b"beside") == told
    given = [GiveOrder(Order(str(restov.raiders.pk), strategy=strategy)) for strategy in ("aggressive", "cautious")]
    assert heard(restov, play_on(2, Resolve())) == []
    play_on(3, Resolve())()
    assert heard(restov, play_on(4, given[0]), b"beside") == told, "that orders are in is seen"
    assert heard(restov, play_on(5, given[1]), b"beside") == [], "which they are is not"
    assert heard(restov, play_on(6, Resolve()), b"beside") == told
    assert revision(restov) == before


def test_a_page_drawn_before_the_last_change_is_told_at_once_and_one_cut_off_catches_up(restov):
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
    path, cookie, now = f"/live/campaign/{restov.campaign.pk}/", cookie_of(restov.ana), revision(restov)

    async def told() -> list[dict[str, Any]]:
        asking = listener(path, cookie, f"version={now - 1}".encode())
        assert await status_of(asking) == 200
        first = await next_news(asking)
        cut_the_hub_off()
        news = [first, await next_news(asking), await next_news(asking)]
        await hang_up(asking)
        return news

    named = {"campaign": str(restov.campaign.pk)}
    assert run_apart(told()) == [{**named, "version": now}, {"lost": True}, {**named, "version": None}]


def test_a_page_that_must_rest_is_told_so(restov, monkeypatch):
    monkeypatch.setattr("kingdom.live.stream.PAGES", 1)
    path, cookie = f"/live/campaign/{restov.campaign.pk}/", cookie_of(restov.ana)

    async def told() -> bytes:
        first, second = listener(path, cookie), listener(path, cookie)
        assert await status_of(first) == 200
        assert await status_of(second) == 200
        bodies = b""
        while (message := await first.receive_output(5)).get("more_body"):
            bodies += message["body"]
        await hang_up(second)
        return bodies

    assert b"event: rest" in run_apart(told())
    assert stream.HEARTBEAT  # the page that is looked at goes on


# Several addresses in one stream


def several(*addresses: str) -> bytes:
    return urlencode([("follow", address) for address in addresses]).encode()


async def read_until(asking: Any, mark: str) -> str:
    """All that comes until this has come."""
    read = ""
    while mark not in read:
        message = await asking.receive_output(5)
        read += message["body"].decode()
    return read


def test_several_addresses_share_a_stream_and_each_message_says_which_it_is_about(restov):
    battle, before = open_ford(restov), revision(restov)
    campaign = f"/live/campaign/{restov.campaign.pk}/?version={before}"
    query, cookie = several(campaign, f"/live/battle/{battle.pk}/?version=0"), cookie_of(restov.ana)

    async def told() -> tuple[str, dict[str, Any]]:
        asking = listener("/live/", cookie, query)
        assert await status_of(asking) == 200
        first = await read_until(asking, '"battle"')  # its page is older than the battle
        await sync_to_async(record_entry)(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
        news = await next_news(asking)
        await hang_up(asking)
        return first, news

    first, news = run_apart(told())
    for number in (0, 1):
        assert f'event: following\ndata: {{"of": {number}}}' in first
    assert f'{{"battle": "{battle.pk}", "version": {battle.version}, "of": 1}}' in first
    assert news == {"campaign": str(restov.campaign.pk), "version": before + 1, "of": 0}


def test_of_several_addresses_each_is_judged_by_itself(restov):
    battle = open_ford(restov)
    seen, unseen = f"/live/battle/{battle.pk}/", f"/live/battle/{restov.campaign.pk}/"
    cookies = {name: cookie_of(getattr(restov, name)) for name in ("ana", "stranger")}

    async def asked() -> tuple[str, list[int], bool]:
        asking = listener("/live/", cookies["ana"], several(unseen, seen, "/live/shared/guess/", "nonsense"))
        assert await status_of(asking) == 200
        first = await read_until(asking, "following")
        await hang_up(asking)
        refused = [
            await status_of(listener("/live/", cookies["stranger"], several(seen))),
            await status_of(listener("/live/", cookies["ana"], several(unseen))),
            await status_of(listener("/live/", cookies["ana"])),
        ]
        ana = listener("/live/", cookies["ana"], several(seen, f"/live/campaign/{restov.campaign.pk}/"))
        assert await status_of(ana) == 200
        await sync_to_async(remove_member)(by=restov.gm, campaign=restov.campaign, user=restov.ana)
        return first, refused, await end_of(ana)

    first, refused, ended = run_apart(asked())
    for number in (0, 2, 3):
        assert f'event: refused\ndata: {{"of": {number}}}' in first
    assert 'event: following\ndata: {"of": 1}' in first
    assert refused == [404, 404, 404]
    assert ended


def test_where_one_address_may_be_followed_no_more_the_others_are(restov):
    battle, other = open_ford(restov), make_table(make_user("other"))
    seat(other.gm, other.campaign, restov.ana, "viewer")
    cookie = cookie_of(restov.ana)
    addresses = several(f"/live/battle/{battle.pk}/", f"/live/campaign/{other.campaign.pk}/")

    async def told() -> tuple[str, str]:
        asking = listener("/live/", cookie, addresses)
        assert await status_of(asking) == 200
        await sync_to_async(remove_member)(by=restov.gm, campaign=restov.campaign, user=restov.ana)
        gone = await read_until(asking, "event: gone")
        await sync_to_async(update_campaign)(by=other.gm, campaign=other.campaign, name="The marches")
        news = await read_until(asking, '"version": ')
        await hang_up(asking)
        return gone, news

    gone, news = run_apart(told())
    assert 'event: gone\ndata: {"of": 0}' in gone
    assert f'"campaign": "{other.campaign.pk}"' in gone + news
    assert '"of": 1' in news


def test_a_stream_follows_so_many_addresses_and_no_more(restov, monkeypatch):
    monkeypatch.setattr("kingdom.live.stream.TOPICS", 1)
    cookie, address = cookie_of(restov.ana), f"/live/campaign/{restov.campaign.pk}/"

    async def asked() -> str:
        asking = listener("/live/", cookie, several(address, f"{address}?beside"))
        assert await status_of(asking) == 200
        first = await read_until(asking, "following")
        await hang_up(asking)
        return first

    assert 'event: refused\ndata: {"of": 1}' in run_apart(asked())


DEEDS: dict[str, Callable[[Any], Any]] = {
    "a figure": lambda t: update_kingdom(by=t.gm, kingdom=t.crown, economy=44),
    "the ledger": lambda t: record_entry(by=t.gm, kingdom=t.crown, amount=3, reason="Tolls"),
    "a name of the campaign": lambda t: update_campaign(by=t.gm, campaign=t.campaign, name="The marches"),
    "an invitation": lambda t: invite(by=t.gm, campaign=t.campaign, role="player"),
    "an invitation that ends": lambda t: revoke_invitation(
        by=t.gm, invitation=invite(by=t.gm, campaign=t.campaign, role="player")
    ),
    "a role": lambda t: set_role(by=t.gm, campaign=t.campaign, user=t.ana, role="viewer"),
    "a seat": lambda t: remove_member(by=t.gm, campaign=t.campaign, user=t.bo),
    "who plays what": lambda t: assign_players(by=t.gm, kingdom=t.crown, players=[]),
    "an undo": lambda t: undo_last(by=t.gm, campaign=t.campaign),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_a_change_raises_the_revision_and_one_taken_back_with_its_transaction_does_not(restov, deed):
    before = revision(restov)
    DEEDS[deed](restov)
    now = revision(restov)
    assert now > before
    with tried():
        record_entry(by=restov.gm, kingdom=restov.crown, amount=3, reason="Tolls")
    assert revision(restov) == now


# What a page gets that looks again


def pages_of(restov: Any) -> list[str]:
    base, crown = f"/c/{restov.campaign.pk}/", f"/kingdoms/{restov.crown.pk}/"
    parts = ("", "commanders/", "outlook/", "ledger/")
    entry = ChronicleEntry.objects.filter(campaign=restov.campaign, private=False).latest("seq")
    return [
        *(
            base + part
            for part in ("", "chronicle/", f"chronicle/{entry.pk}/", "members/", "requests/", "time/", "story/")
        ),
        *(base + part for part in ("battles/", "units/", "armies/")),
        *(crown + part for part in parts),
        f"/armies/{restov.watch.pk}/",
        f"/commanders/{restov.watch.commander_id}/",
    ]


@pytest.mark.parametrize(("who", "turn"), everyday([("ana", 1), ("gm", 0)], first=1))
def test_a_page_that_looks_again_and_finds_nothing_new_is_told_so(restov, who, turn):
    """Every day a page of four for one; where something has changed elsewhere, test_fingerprints.py opens every page,
    by turns for everybody.
    """
    client, found = client_of(getattr(restov, who)), {}
    for path in at_most(pages_of(restov)[turn::4], full=pages_of(restov)):
        response = client.get(path)
        assert response.status_code == 200, path
        mark = seen(response.text)
        again = client.get(path, headers={"HX-Request": "true", "Live-Seen": mark})
        found[path] = again.status_code, again.headers.get("Live-Version"), len(again.content)
    assert set(found.values()) == {(204, str(revision(restov)), 0)}, found


def test_a_page_that_has_changed_gets_what_stands_in_it_and_nothing_of_what_others_know(restov):
    ana = client_of(restov.ana)
    path = f"/c/{restov.campaign.pk}/"
    mark = seen(ana.get(path).text)
    record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason=CANARY)
    unseen = ana.get(path, headers={"HX-Request": "true", "Live-Seen": mark})
    assert (unseen.status_code, unseen.headers["Live-Version"]) == (204, str(revision(restov))), "nothing for her"
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls of the ford")
    told = ana.get(path, headers={"HX-Request": "true", "Live-Seen": mark})
    assert told.status_code == 200
    assert "Tolls of the ford" in told.text
    assert CANARY not in told.text
    assert f'data-version="{revision(restov)}"' in told.text
    assert "<title>" in told.text
    assert not re.search("<html|masthead|<link|warhost.js", told.text)
    counts = []
    for headers in ({}, {"Live-Seen": seen(told.text)}):
        with CaptureQueriesContext(connection) as counted:
            ana.get(path, headers=headers)
        counts.append(len(counted))
    assert counts[1] <= counts[0]


def test_the_answer_to_a_form_follows_nothing(restov):
    url = f"/kingdoms/{restov.crown.pk}/entry/"
    refused = client_of(restov.gm).post(url, {"amount": "0", "reason": "Tolls"})
    assert refused.status_code == 422
    assert "data-seen" not in refused.text
    assert "data-live-url" not in refused.text


# Who plays what


def test_the_gm_hands_kingdoms_over_on_the_members_page(restov):
    gm, members = client_of(restov.gm), f"/c/{restov.campaign.pk}/members/"
    seats = {seat.user.username: seat for seat in restov.campaign.memberships.select_related("user")}
    give = f"{members}{seats['bo'].pk}/kingdoms/"
    page = gm.get(members).text
    assert "Crown (ana)" in " ".join(page.split())
    told = gm.post(give, {"kingdom": restov.crown.pk, "alone": "on"}, follow=True)
    assert "bo now plays Crown." in told.text
    assert [user.username for user in restov.crown.players.all()] == ["bo"]
    assert "no kingdom yet" in told.text
    gm.post(f"{members}{seats['ana'].pk}/kingdoms/", {"kingdom": restov.crown.pk})
    assert {user.username for user in restov.crown.players.all()} == {"ana", "bo"}
    gm.post(f"{members}{seats['bo'].pk}/take/{restov.crown.pk}/")
    assert [user.username for user in restov.crown.players.all()] == ["ana"]


def test_who_only_watches_gets_no_kingdom_and_only_the_gm_gives(restov):
    members = f"/c/{restov.campaign.pk}/members/"
    seats = {seat.user.username: seat for seat in restov.campaign.memberships.select_related("user")}
    refused = client_of(restov.gm).post(f"{members}{seats['viewer'].pk}/kingdoms/", {"kingdom": restov.crown.pk})
    assert refused.status_code == 422
    assert "viewer isn’t a player in this campaign." in refused.text
    empty = client_of(restov.gm).post(f"{members}{seats['bo'].pk}/kingdoms/", {"kingdom": ""})
    assert "Choose the kingdom to assign." in empty.text
    ana, own = client_of(restov.ana), {"kingdom": restov.horde.pk}
    assert ana.post(f"{members}{seats['ana'].pk}/kingdoms/", own).status_code == 403
    assert ana.post(f"{members}{seats['bo'].pk}/take/{restov.horde.pk}/").status_code == 403
    assert "hand-over" not in ana.get(members).text


def test_a_player_without_a_kingdom_is_told_wherever_he_lands(restov):
    hand_over(by=restov.gm, kingdom=restov.horde, player=restov.ana)
    bo, board = client_of(restov.bo), f"/c/{restov.campaign.pk}/"
    told = bo.get(board).text
    assert "You have no kingdom yet" in told
    assert "assigned by gm" in told
    battle = open_ford(restov)
    paths = (f"/kingdoms/{restov.crown.pk}/", f"{board}codex/", f"{board}members/", f"/battles/{battle.pk}/")
    for path in paths:
        assert f'<a href="{board}#your-kingdom">' in bo.get(path).text, path
    for turn, other in enumerate(map(client_of, (restov.ana, restov.viewer))):
        for path in at_most(paths[turn::3], full=paths):
            assert "#your-kingdom" not in other.get(path).text, path
    assert "no kingdom yet" in bo.get("/").text
    mark = seen(bo.get(f"{board}members/").text)
    hand_over(by=restov.gm, kingdom=restov.horde, player=restov.bo)
    again = bo.get(f"{board}members/", headers={"HX-Request": "true", "Live-Seen": mark}).text
    assert '<div id="landless" hx-swap-oob="innerHTML"></div>' in again
    assert "You have no kingdom yet" not in bo.get(board).text


def test_the_newest_requests_stand_on_the_board_with_their_count_in_the_navigation(restov):
    from tests.kingdom.approvals.conftest import more_like
    from tests.kingdom.approvals.test_pages import ask_gold

    restov.campaign.refresh_from_db()
    update_campaign(by=restov.gm, campaign=restov.campaign, players_may={"treasury": "ask"})
    restov.crown = type(restov.crown).objects.get(pk=restov.crown.pk)
    asked = [first := ask_gold(restov), *more_like(first, 6)]
    gm, board = client_of(restov.gm), f"/c/{restov.campaign.pk}/"
    page = gm.get(board).text
    shown = re.findall(r'id="asked-([\w-]+)"', page)
    assert shown == [str(petition.pk) for petition in reversed(asked)][:5]
    count = '<b class="badge warn">7<span class="visually-hidden"> requests wait</span></b>'
    ana = client_of(restov.ana)
    paths = (board, f"{board}codex/", f"/kingdoms/{restov.crown.pk}/", f"/armies/{restov.watch.pk}/")
    for path in paths:
        assert count in gm.get(path).text, path
    for path in at_most(paths[::2], full=paths):
        assert count not in ana.get(path).text, path
    granted = gm.post(f"/requests/{asked[6].pk}/grant/", {"on": "board"})
    assert (granted.status_code, granted.url) == (302, board)
    again = gm.post(f"/requests/{asked[6].pk}/refuse/", {"on": "board", "reason": "No"}, follow=True)
    assert "This request has already been approved." in again.text
    assert again.redirect_chain == [(board, 302)]
    refused = gm.post(f"/requests/{asked[5].pk}/refuse/", {"on": "board", "reason": "Not now"}, follow=True)
    assert '<b class="badge warn">5<' in refused.text
    assert "Reason: Not now" in refused.text

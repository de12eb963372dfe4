"""The Python client: pages, refusals, dice, news and repeats, against the real site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import httpx
import pytest
from warhost_client import (
    Forbidden,
    Illegal,
    Invalid,
    NotFound,
    NotSignedIn,
    Stale,
    TooManyRequests,
    Unreachable,
    Warhost,
    is_request,
)
from warhost_client import types as t
from warhost_client.live import read
from warhost_client.transport import Transport

from battles.models import Battle as BattleRow
from battles.models import BattleRecord
from kingdom.members.services import remove_member
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.browsing import Server
from tests.kingdom.conftest import key_of, make_user
from tests.worlds import built_once

SITE = "http://warhost.test"


@built_once
def table(transactional_db: None) -> SimpleNamespace:
    made = seat_everybody(make_table(make_user("gm")))
    made.battle = open_ford(made)
    return made


@pytest.fixture
def program(table: SimpleNamespace, server: Server) -> Iterator[Callable[..., Warhost]]:
    """A client of somebody at the table, with a token of this scope."""
    opened: list[Warhost] = []

    def client(name: str, scope: str = "manage", **options: object) -> Warhost:
        opened.append(Warhost(server.url, key_of(getattr(table, name), scope=scope), **options))
        return opened[-1]

    yield client
    for one in opened:
        one.close()


def test_a_list_is_read_to_its_end(table, program):
    site = program("gm")
    page = site.armies_list(campaign=str(table.campaign.pk), limit=1)
    assert page["next"] is not None
    assert [army["name"] for army in site.each(page)] == ["Ironwatch", "Raiders", "Spare"]


def test_refusals_are_exceptions_of_their_kind(table, program, server):
    gm, stranger, reader = program("gm"), program("stranger"), program("gm", scope="read")
    battle = str(table.battle.pk)
    with pytest.raises(Invalid) as invalid:
        gm.campaigns_create({"name": "", "ruleset": "combat-de-masse"})
    assert invalid.value.errors.keys() == {"/name"}
    assert str(invalid.value).startswith("400 ")
    with pytest.raises(NotFound):
        stranger.battles_retrieve(battle)
    with pytest.raises(Forbidden, match="“read”"):
        reader.battles_commands_create(battle, {"type": "next"}, if_match=1)
    with pytest.raises(Illegal, match="409"):
        gm.battle(battle).command({"type": "resolve"})
    with pytest.raises(NotSignedIn):
        Warhost(server.url, "x" * 64).campaigns_list()
    assert BattleRow.objects.get(pk=battle).version == table.battle.version


def test_refusals_are_told_in_the_language_of_the_client(table, program):
    with pytest.raises(NotFound, match="Introuvable"):
        program("stranger", language="fr").battles_retrieve(str(table.battle.pk))


def test_a_command_on_an_old_version_is_refused_unless_any_will_do(table, program):
    mine, other = (program("gm").battle(str(table.battle.pk)) for _ in range(2))
    other.command({"type": "next"})
    with pytest.raises(Stale):
        mine.command({"type": "resolve"})
    assert mine.command_now({"type": "resolve"})["version"] == other.version + 1


def test_what_needs_approval_is_told_apart(table, program):
    gm, ana = program("gm"), program("ana")
    gm.campaigns_partial_update(str(table.campaign.pk), {"players_may": {"raise": "ask"}})
    unit: t.UnitRequest = {"name": "Levy", "cr": "1", "hit_die": "d8", "level": 1}
    answer = ana.armies_create({"kingdom": str(table.crown.pk), "name": "Levy", "unit": unit, "count": 50})
    assert is_request(answer)
    assert answer["status"] == "waiting"
    gm.requests_grant_create(answer["id"])
    army = next(army for army in gm.each(gm.armies_list()) if army["name"] == "Levy")
    assert not is_request(army)


def test_dice_are_asked_for_and_typed(table, program):
    battle = program("gm").battle(str(table.battle.pk))
    battle.command({"type": "next"})
    asked: list[t.Ask] = []

    def threw(asks: list[t.Ask]) -> list[t.DieInputRequest]:
        asked.extend(asks)
        return [{"army": one["army"], "roll": one["roll"], "values": [11]} for one in asks]

    while not asked:
        battle.command({"type": "resolve"}, throw=threw)
    dice = [roll for event in battle.events() for roll in event["rolls"]]
    assert dice
    assert {(roll["source"], tuple(roll["values"])) for roll in dice} == {("typed", (11,))}


def test_a_battle_is_followed_until_its_reader_may_not_see_it(table, program):
    battle = program("gm").battle(str(table.battle.pk))
    news = program("ana").battle(battle.id).follow()
    assert next(news)["version"] == battle.version
    for _command in range(2):
        battle.command({"type": "next"} if battle.status == "setup" else {"type": "resolve"})
        assert next(news)["version"] == battle.version
    remove_member(by=table.gm, campaign=table.campaign, user=table.ana)
    assert next(news, None) is None


def test_who_may_not_follow_is_refused(table, program):
    with pytest.raises(NotFound):
        next(program("stranger").follow("battle", str(table.battle.pk)))


class LosesOneAnswer(httpx.BaseTransport):
    """A line that breaks after the site has done what it was asked."""

    def __init__(self) -> None:
        self.line, self.lost = httpx.HTTPTransport(), 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.line.handle_request(request)
        if not self.lost and request.method == "POST":
            self.lost += 1
            answer.close()
            raise httpx.ReadError("broken", request=request)
        return answer


def test_a_command_whose_answer_was_lost_is_done_once(table, program):
    line = LosesOneAnswer()
    battle = program("gm", http=httpx.Client(transport=line)).battle(str(table.battle.pk))
    battle.command({"type": "next"})
    assert line.lost == 1
    assert BattleRecord.objects.filter(battle=table.battle).count() == 1


# Without a site


def answering(*answers: httpx.Response | Exception) -> tuple[Transport, list[httpx.Request]]:
    """A client whose requests are answered so, one after the other."""
    ahead, asked = list(answers), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        said = ahead.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    return Warhost(SITE, "key", http=httpx.Client(transport=httpx.MockTransport(answer))), asked


def too_often(wait: int) -> httpx.Response:
    body = {"type": "urn:warhost:problem:too-many-requests", "title": "", "status": 429, "detail": "Later."}
    return httpx.Response(429, json=body, headers={"Retry-After": str(wait)})


def test_a_request_too_many_waits_and_is_sent_again_unless_the_wait_is_long():
    site, asked = answering(too_often(0), httpx.Response(200, json={"next": None, "results": []}))
    assert site.campaigns_list()["results"] == []
    assert len(asked) == 2
    site, asked = answering(too_often(3600))
    with pytest.raises(TooManyRequests) as refused:
        site.campaigns_list()
    assert (refused.value.wait, len(asked)) == (3600, 1)


def test_what_may_have_been_done_is_not_done_again():
    site, asked = answering(httpx.ReadError("broken"))
    with pytest.raises(Unreachable, match="doesn’t answer"):
        site.armies_destroy("1")
    assert len(asked) == 1


def test_an_answer_of_a_proxy_is_a_problem_too():
    site, _asked = answering(httpx.Response(418, text="<h1>Teapot</h1>"))
    with pytest.raises(Exception, match="418 <h1>Teapot</h1>"):
        site.campaigns_list()


def test_ids_cannot_lead_elsewhere():
    site, asked = answering(httpx.Response(204))
    site.armies_destroy("../campaigns/1")
    assert asked[0].url.raw_path == b"/api/v1/armies/..%2Fcampaigns%2F1/"


def test_a_broken_stream_goes_on_where_it_was(monkeypatch):
    monkeypatch.setattr("warhost_client.live.time.sleep", lambda _seconds: None)
    first = ': still here\n\nid: 7\ndata: {"version": 7}\n\n'
    second = 'id: 8\ndata: {"version": 8}\n\nevent: gone\ndata: {}\n\n'
    site, asked = answering(
        httpx.Response(200, text=first), httpx.ConnectError("away"), httpx.Response(200, text=second)
    )
    assert [news.version for news in site.follow("battle", "b", 6)] == [7, 8]
    assert [request.headers["Last-Event-ID"] for request in asked] == ["6", "7", "7"]


def test_messages_of_a_stream_are_read_line_by_line():
    lines = [": comment", "", "event: gone", "data: {}", "", "id:3", "data: a", "data: b", "", "data: unfinished"]
    assert [tuple(message) for message in read(iter(lines))] == [("gone", "", "{}"), ("message", "3", "a\nb")]

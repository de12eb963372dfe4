"""A live link is told as members are: by an id and a version, as long as it works."""

from __future__ import annotations

from dataclasses import replace

from asgiref.sync import sync_to_async

from battles.play.services import play
from kingdom.accounts.rate_limits import wait_at
from kingdom.live import stream
from kingdom.models import ShareLink
from kingdom.sharing.services import WRONG, create_share, revoke_share
from rules.pathfinder.battle.orders.commands import Next
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.browsing import run_apart
from tests.core.live.test_live import cookie_of, end_of, hang_up, listener, next_news, status_of
from tests.kingdom.conftest import make_user
from tests.worlds import built_once


@built_once
def ford(transactional_db):
    table = seat_everybody(make_table(make_user("gm")))
    table.battle = open_ford(table)
    return table


def link(ford, kind="live"):
    return create_share(by=ford.gm, campaign=ford.campaign, kind=kind, thing=ford.battle.pk)


def test_whoever_has_the_link_is_told_that_the_battle_went_on(ford):
    made = link(ford)

    async def told():
        asking = listener(f"/live/shared/{made.token}/")
        assert await status_of(asking) == 200
        await sync_to_async(play)(by=ford.gm, battle_id=ford.battle.pk, version=1, command=Next())
        news = await next_news(asking)
        await hang_up(asking)
        return news

    assert run_apart(told()) == {"battle": str(ford.battle.pk), "version": 2}


def test_a_page_that_was_drawn_before_the_last_command_is_told_at_once(ford):
    made = link(ford)
    play(by=ford.gm, battle_id=ford.battle.pk, version=1, command=Next())

    async def told():
        asking = listener(f"/live/shared/{made.token}/", query=b"version=1")
        assert await status_of(asking) == 200
        news = await next_news(asking)
        await hang_up(asking)
        return news

    assert run_apart(told())["version"] == 2


def test_revoking_ends_the_stream_at_once(ford):
    made = link(ford)

    async def ended():
        asking = listener(f"/live/shared/{made.token}/")
        assert await status_of(asking) == 200
        await sync_to_async(revoke_share)(by=ford.gm, link=made.link)
        return await end_of(asking)

    assert run_apart(ended())


def test_nothing_is_heard_by_a_link_that_shows_nothing_live(ford):
    report, revoked = link(ford, "report"), link(ford)
    revoke_share(by=ford.gm, link=revoked.link)

    async def asked():
        return [
            await status_of(listener(f"/live/shared/{token}/")) for token in ("x" * 43, revoked.token, report.token)
        ]

    assert run_apart(asked()) == [404, 404, 404]


def test_a_session_is_no_link_and_a_link_no_session(ford):
    made = link(ford)
    assert run_apart(status_of(listener(f"/live/shared/{ford.battle.pk}/", cookie_of(ford.gm)))) == 404
    assert run_apart(status_of(listener(f"/live/battle/{ford.battle.pk}/", f"sessionid={made.token}".encode()))) == 404


def test_guesses_are_counted_with_those_at_the_page(ford, monkeypatch):
    few = replace(WRONG, most=3)
    monkeypatch.setattr(stream, "WRONG", few)
    for _guess in range(few.most):
        assert run_apart(status_of(listener("/live/shared/guess/"))) == 404
    assert wait_at(few, "unknown") > 0
    assert run_apart(status_of(listener(f"/live/shared/{link(ford).token}/"))) == 200, "who has a link is not shut out"
    assert ShareLink.objects.count() == 1

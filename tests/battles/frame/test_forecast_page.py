"""The forecast on the battle page and on a page of its own, under every law."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles.codec.storage import dump_plain
from battles.forecast import computation
from battles.forecast.queries import Wondered, load_foreseen
from battles.models import Job, JobResult
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from rules.core.odds import AboutOdds
from rules.odds.tasks import Task
from rules.odds.viewer_forecast import odds_of
from tests.battles.forecast.test_jobs import flights  # noqa: F401 - a fixture
from tests.battles.frame.conftest import foretells, plays_out
from tests.everyday import at_most, under
from tests.rulesets.drivers import FORETOLD

HTMX = {"HX-Request": "true"}


class Idle:
    """Workers that never come to anything of what they are given."""

    size = 2

    def submit(self, task: Task) -> Future[Any]:
        return Future()

    def give_up(self, future: Future[Any]) -> None:
        future.cancel()


@pytest.fixture
def pool() -> Idle:
    return Idle()


def page_of(battle: Any, query: str = "") -> str:
    return f"/battles/{battle.pk}/{query}"


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_rail_offers_the_forecast_where_the_law_foretells(ready, table, client):
    told = foretells(ready) or plays_out(ready)
    for user in at_most((table.gm, table.ana), full=(table.gm, table.ana, table.viewer)):
        client.force_login(user)
        assert ('id="rail-forecast"' in text_of(client.get(page_of(ready)))) is told
        shown = text_of(client.get(page_of(ready, "?rail=forecast")))
        assert ('id="odds"' in shown) is told
        assert ('id="log-box"' in shown) is not told


def test_the_page_of_the_battle_asks_nothing_more_for_it(ready, table, client):
    client.force_login(table.ana)
    client.get(page_of(ready))
    with CaptureQueriesContext(connection) as with_log:
        client.get(page_of(ready))
    with CaptureQueriesContext(connection) as with_forecast:
        client.get(page_of(ready, "?rail=forecast"))
    assert len(with_forecast) <= len(with_log)


def test_who_reads_it(ready, table, client):
    for who in at_most(("viewer", "stranger"), full=("gm", "ana", "viewer", "stranger")):
        client.force_login(getattr(table, who))
        answer = client.get(page_of(ready, "forecast/"))
        if who == "stranger" or not (foretells(ready) or plays_out(ready)):
            assert answer.status_code == 404, who
        elif plays_out(ready):
            assert answer.status_code == 200, who
            assert "Play it out" in text_of(answer), who
        else:
            assert answer.status_code == 200, who
            assert "Crown wins" in text_of(answer), who
            assert 'class="odds-bar"' in text_of(answer), who


@under(*FORETOLD)
def test_a_part_for_htmx_and_a_whole_page_without_scripts(ready, table, client):
    client.force_login(table.gm)
    part, whole = client.get(page_of(ready, "forecast/"), headers=HTMX), client.get(page_of(ready, "forecast/"))
    assert ("<html" in text_of(part), "<html" in text_of(whole)) == (False, True)
    assert '<form class="what-if stack" method="get"' in text_of(whole)
    supposed = {"army": table.watch.pk, "phases": "1", "unknown": "worst"}
    cut = text_of(client.get(page_of(ready, "forecast/"), supposed))
    assert 'value="1"' in cut
    assert '<option value="worst" selected>' in cut


@under("coin")
def test_what_cannot_be_supposed_is_told_in_words(ready, table, client):
    client.force_login(table.gm)
    answer = client.get(page_of(ready, "forecast/"), {"leaves": table.watch.pk, "after": 1}, headers=HTMX)
    assert (answer.status_code, "Nobody leaves a toss." in text_of(answer)) == (422, True)


SUPPOSED_WRONGLY = (
    ({"phases": "0"}, "from 1 to 200"), ({"phases": "1000"}, "from 1 to 200"),
    ({"leaves": "watch", "after": "-3"}, "Enter a whole number of {span} from 0 to 200"),
    ({"leaves": "watch", "health": "few"}, "Enter a whole number from 0 to"),
    ({"leaves": "watch", "hp": "few"}, "Enter a whole number from 0 to"),  # as addresses kept from before say it
    ({"leaves": "watch"}, "Enter after how many {span}"), ({"after": "2"}, "Choose the army that leaves."),
)  # fmt: skip


@under(*FORETOLD)
def test_what_is_supposed_wrongly_is_told_and_the_rest_answered(ready, table, client):
    client.force_login(table.gm)
    span = get_battle_ui(play_battle_state.get_law(ready)).span
    for typed, told in SUPPOSED_WRONGLY:
        asked = {**typed, **({"leaves": table.watch.pk} if "leaves" in typed else {})}
        answer = client.get(page_of(ready, "forecast/"), asked, headers=HTMX)
        assert answer.status_code == 200, typed
        assert told.format(span=span) in text_of(answer), typed
        assert 'class="odds-bar"' in text_of(answer), typed
    assert "notice warn" not in text_of(client.get(page_of(ready, "forecast/"), headers=HTMX))


@under(*({*FORETOLD} - {"coin"}))  # a toss is fought as soon as it is opened
def test_a_battle_that_is_not_fought_is_refused_at_once(gm, table, client):
    assert gm.battle.status != gm.battle.Status.RUNNING
    client.force_login(table.gm)
    answer = client.get(page_of(gm.battle, "forecast/"))
    assert (answer.status_code, Job.objects.count()) == (422, 0)
    assert "This battle has no forecast at the moment." in text_of(answer)
    assert 'id="what-if"' not in text_of(answer)


@under("coin")
def test_orders_as_they_are_typed_and_never_written_down(ready, table, client):
    client.force_login(table.gm)

    def told(**typed: Any) -> str:
        sent = {"type": "order", "army": table.watch.pk, "version": ready.version, **typed}
        return text_of(client.post(page_of(ready, "forecast/"), sent, headers=HTMX))

    before = play_battle_state.load_state(type(ready).objects.get(pk=ready.pk))
    assert "With the orders entered here" in told(call="tails")
    assert "With the orders entered here" not in told(call="")
    assert play_battle_state.load_state(type(ready).objects.get(pk=ready.pk)) == before
    assert told(call="tails") != told(call="heads")


@under("coin")
def test_what_an_enemy_was_told_moves_no_number_of_his(ready, table, client):
    """Two worlds that look alike to ana: bo calls heads in the one and tails in the other."""
    client.force_login(table.ana)
    seen = []
    for side in ("heads", "tails"):
        client.force_login(table.bo)
        version = type(ready).objects.get(pk=ready.pk).version
        order = {"type": "order", "army": table.raiders.pk, "version": version, "call": side}
        assert client.post(page_of(ready, "command/"), order, headers=HTMX).status_code == 200
        client.force_login(table.ana)
        seen.append(text_of(client.get(page_of(ready, "forecast/"), headers=HTMX)))
    assert seen[0] == seen[1]


@under("coin")
def test_the_gm_sees_what_a_player_sees_through_his_eyes(ready, table, client):
    client.force_login(table.gm)
    through = text_of(client.get(page_of(ready, "forecast/"), {"as": 0, "army": table.watch.pk}, headers=HTMX))
    client.force_login(table.ana)
    own = text_of(client.get(page_of(ready, "forecast/"), {"army": table.watch.pk}, headers=HTMX))
    assert through.replace("?as=0&amp;", "?") == own or through == own


@pytest.mark.django_db(transaction=True)
@under(*FORETOLD)
def test_what_takes_longer_shows_how_far_it_is_and_can_be_stopped(
    ready,
    table,
    client,
    flights,  # noqa: F811
    monkeypatch,
):
    monkeypatch.setattr(computation, "WAIT", 0.0)
    client.force_login(table.ana)
    began = text_of(client.get(page_of(ready, "forecast/"), headers=HTMX))
    assert "Calculating… 0 of 2" in began
    job = Job.objects.get()
    address = page_of(ready, f"forecast/{job.pk}/")
    assert f'hx-get="{address}"' in began
    stopped = text_of(client.post(address, headers=HTMX))
    assert "Calculation stopped." in stopped
    client.force_login(table.gm)
    assert client.get(address).status_code == 404


@under(*FORETOLD)
def test_what_is_there_of_it_is_shown_before_the_rest(ready, table, client):
    client.force_login(table.ana)
    odds = odds_of(
        *load_foreseen(table.ana, type(ready).objects.get(pk=ready.pk)).tasks(Wondered(AboutOdds()))[0].arguments
    )
    question = {"army": str(table.watch.pk)}
    job = Job.objects.create(owner=table.ana, kind="forecast", of=2, done=1, question=question)
    JobResult.objects.create(job=job, place=0, answer=dump_plain(odds))
    shown = text_of(client.get(page_of(ready, f"forecast/{job.pk}/"), headers=HTMX))
    assert "Calculating… 1 of 2" in shown
    assert 'class="odds-bar"' in shown
    Job.objects.update(beat_at=timezone.now() - timedelta(minutes=1))
    silent = text_of(client.get(page_of(ready, f"forecast/{job.pk}/"), headers=HTMX))
    assert "stopped before this calculation was done" in silent
    assert "hx-trigger" not in silent

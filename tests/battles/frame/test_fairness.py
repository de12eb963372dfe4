"""How lucky each side was, under every law: after a battle, as far as its reader may know, told once and for all."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client as Browser

from battles.log.luck import look_back
from battles.models import Battle, BattleRecord, Job, JobResult, Weighing
from rules.odds.viewer_forecast import weighed
from tests.battles.conftest import Client
from tests.battles.frame.conftest import foretells, opened, play
from tests.everyday import at_most, under
from tests.rulesets.drivers import FORETOLD
from tests.worlds import built_once

NOT_FORETOLD = "This ruleset doesn’t calculate the luck of the dice."


@built_once
def decided(table, driver) -> Battle:
    """A battle in which dice have fallen, and which is over."""
    gm = opened(table)
    assert play(gm, driver.fought(table))["status"] == "aftermath"
    assert gm.battle
    return gm.battle


def ask(user: Any, battle: Battle) -> Any:
    client = Client(user, battle)
    return client.api.get(f"{client.url}fairness/")


def page(user: Any, battle: Battle, name: str = "fairness", **headers: str) -> Any:
    browser = Browser(headers=headers)
    browser.force_login(user)
    return browser.get(f"/battles/{battle.pk}/{name}/")


def test_luck_is_what_the_dice_of_each_phase_added(over, table):
    answer = ask(table.gm, over.battle)
    if not foretells(over.battle):
        assert (answer.status_code, answer.json()["detail"]) == (409, NOT_FORETOLD)
        return
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert told["phases"]
    for place, side in enumerate(told["sides"]):
        steps = [phase["sides"][place] for phase in told["phases"]]
        assert side["luck"] == pytest.approx(sum(step["luck"] for step in steps), abs=1e-9)
        assert all(step["luck"] == pytest.approx(step["after"] - step["before"], abs=1e-9) for step in steps)
        assert all(step["name"] == side["name"] for step in steps)
    assert [side["name"] for side in told["sides"]] == ["Crown", "Horde"]
    assert (told["error"] == 0) is (told["method"] == "exact")
    assert told["told"]
    assert told["assumed"]
    moved = [max(abs(side["luck"]) for side in phase["sides"]) for phase in told["phases"]]
    if told["turning"] is not None:
        assert moved[told["turning"]] == pytest.approx(max(moved), abs=1e-9)


def test_while_it_is_fought_nothing_is_told(gm, table):
    answer = ask(table.gm, gm.battle)
    assert answer.status_code == 409
    assert not Weighing.objects.exists()
    if foretells(gm.battle):
        assert "The battle isn’t over: the fairness" in answer.json()["detail"]
        assert page(table.gm, gm.battle).headers["Location"] == f"/battles/{gm.battle.pk}/"


def test_strangers_find_nothing(over, table):
    assert ask(table.stranger, over.battle).status_code == 404
    assert page(table.stranger, over.battle).status_code == 404


@under(*FORETOLD)
def test_what_was_told_stays_told(over, table, monkeypatch):
    """Reckoned once for all who know as much; what a forecast says one day changes nothing of it."""
    first = ask(table.gm, over.battle).json()
    rows = Weighing.objects.count()
    assert rows == BattleRecord.objects.exclude(dice=[]).count()
    monkeypatch.setattr("battles.log.luck_services.reckon", lambda **_asked: pytest.fail("reckoned again"))
    assert ask(table.gm, over.battle).json() == first
    for name in ("report", "replay"):
        assert 'class="line one"' in page(table.gm, over.battle, name).content.decode()
    assert Weighing.objects.count() == rows


@under(*FORETOLD)
def test_others_are_told_what_they_may_know_themselves(over, table):
    """Nobody is handed what was reckoned for the GM; everybody's own is reckoned from what they see."""
    whole = ask(table.gm, over.battle).json()
    own = ask(table.ana, over.battle).json()
    kept = set(Weighing.objects.values_list("known", flat=True))
    assert len(kept) == 2
    assert "all" in kept
    assert len(own["phases"]) == len(whole["phases"])
    assert any("Raiders" in said for said in own["assumed"])
    assert not any("Raiders" in said for said in whole["assumed"])
    back = look_back(table.ana, over.battle)
    asked = [task.arguments for task in back.tasks(back.casts)]
    assert not any(viewer.gm or str(table.raiders.pk) in viewer.armies | viewer.reads for _fought, viewer in asked)
    seen = [found for fought, viewer in asked[: at_most(1, full=99)] if (found := weighed(fought, viewer))]
    told = [[side["before"] for side in phase["sides"]] for phase in own["phases"]]
    assert seen
    assert told[: len(seen)] == [pytest.approx(found.before.wins) for found in seen]


@under(*FORETOLD)
def test_dice_that_were_taken_back_count_for_nothing(over, table, driver):
    before = ask(table.gm, over.battle).json()
    commands = driver.fought(table)
    rows = Weighing.objects.count()
    fallen = BattleRecord.objects.exclude(dice=[]).latest("seq")
    while BattleRecord.objects.filter(pk=fallen.pk, undone=False).exists():
        over.ok(type="undo")
    assert ask(table.gm, over.battle).status_code == 409
    assert Weighing.objects.filter(record__undone=True).exists()
    over.ok(**next(command for command in reversed(commands) if command.get("dice")))
    if over.read()["status"] != "aftermath":
        over.ok(**commands[-1])
    again = ask(table.gm, over.battle).json()
    assert len(again["phases"]) == len(before["phases"])
    assert Weighing.objects.count() > rows


def test_report_and_replay_ask_for_it_by_themselves(over, table):
    for name in ("report", "replay"):
        shown = page(table.gm, over.battle, name).content.decode()
        assert (f'hx-get="/battles/{over.battle.pk}/fairness/"' in shown) is foretells(over.battle)
    part = page(table.gm, over.battle, **{"HX-Request": "true"})
    if foretells(over.battle):
        drawn = part.content.decode()
        assert drawn.lstrip().startswith('<section class="fairness"')
        assert 'class="line one"' in drawn
        assert "hx-trigger" not in drawn
        assert drawn.count("<tr") == 2 + len(ask(table.gm, over.battle).json()["phases"])
    else:
        assert part.status_code == 302


def test_a_replay_of_a_battle_that_is_fought_has_none(gm, table):
    assert "fairness" not in page(table.gm, gm.battle, "replay").content.decode()


@under(*FORETOLD)
def test_it_speaks_french(over, table):
    shown = page(table.gm, over.battle, **{"accept-language": "fr"}).content.decode()
    assert "Équité des dés" in shown
    assert ">tournant<" in shown


@pytest.fixture
def slow(monkeypatch):
    """A pool that answers when it is told to."""
    held: list[Any] = []

    def start(**asked: Any) -> Job:
        job = Job.objects.create(
            owner=asked["by"], campaign=asked["campaign"], kind=asked["kind"], question=asked["question"],
            of=len(asked["tasks"]),
        )  # fmt: skip
        held.append((job, asked["tasks"]))
        return job

    monkeypatch.setattr("battles.log.luck_services.reckon", start)
    return held


@under(*FORETOLD)
def test_what_takes_longer_is_a_job_and_told_when_it_is_done(over, table, slow):
    waiting = ask(table.gm, over.battle)
    assert (waiting.status_code, waiting.json()["state"]) == (202, "running")
    assert waiting.headers["Location"].endswith(f"/jobs/{waiting.json()['id']}/")
    drawn = page(table.gm, over.battle).content.decode()
    assert "<progress" in drawn
    assert "load delay" in drawn
    assert len(slow) == 1, "who asks again waits for the same job"
    job, tasks = slow[0]
    from battles.codec.storage import dump_plain

    for place, task in enumerate(tasks):
        JobResult.objects.create(job=job, place=place, answer=dump_plain(weighed(*task.arguments)))
    job.state, job.done = Job.Status.DONE, job.of
    job.save()
    told = ask(table.gm, over.battle)
    assert told.status_code == 200
    assert len(told.json()["phases"]) == len(tasks)
    assert Weighing.objects.count() == len(tasks)


@under(*FORETOLD)
def test_a_job_that_failed_is_told_once_and_begun_anew(over, table, slow):
    ask(table.gm, over.battle)
    Job.objects.update(state=Job.Status.FAILED, trouble="It broke off.")
    drawn = page(table.gm, over.battle).content.decode()
    assert "It broke off." in drawn
    assert "Start again" in drawn
    assert "hx-trigger" not in drawn
    assert ask(table.gm, over.battle).status_code == 202
    assert len(slow) == 2

"""The computer plays a side by turns against people: command by command, paused by the GM, never twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client as Browser
from django_tasks_db.models import DBTaskResult

from battles.forecast.single_flight import flights
from battles.log.branch_services import branch_battle
from battles.log.queries import check_replay
from battles.models import ENGINE, Battle, BattleRecord
from battles.opponents import services
from battles.opponents.queries import due_head, task_of
from battles.opponents.services import play_turn
from battles.opponents.tasks import QUEUE, look_after
from battles.play import battle_state as play_battle_state
from kingdom.members.services import delete_campaign
from rules.core.errors import InvalidInput
from rules.core.odds import Proposal
from rules.core.text import Term
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.rulesets.browsing import plain
from tests.rulesets.drivers import sides_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.rulesets.turns.law import Battles, Strike, TurnsOdds

CROWN, HORDE = 0, 1


@pytest.fixture(autouse=True)
def unasked() -> Iterator[None]:
    """Nothing is known of what another test has asked: its battle is this one, put back."""
    flights.clear()
    yield
    flights.clear()


def let(gm: Client, side: int = HORDE, *, left: bool = True, leaning: str = "balanced") -> dict[str, Any]:
    answer = gm.api.post(f"{gm.url}opponents/", {"side": side, "leaning": leaning, "left": left})
    assert answer.status_code == 200, answer.content
    return answer.json()


def pause(client: Client, *, paused: bool) -> Any:
    return client.api.post(f"{client.url}opponents/pause/", {"paused": paused}, format="json")


def queued() -> list[str]:
    """The battles for which a turn is queued; from now on none is."""
    tasks = DBTaskResult.objects.filter(queue_name=QUEUE, status="READY")
    found = [told["args"][0] for told in tasks.values_list("args_kwargs", flat=True)]
    tasks.delete()
    return found


def work(most: int = 20) -> int:
    """What a worker does until nothing is queued; how many commands were played."""
    played = 0
    while waiting := queued():
        played += sum(play_turn(battle) for battle in waiting)  # type: ignore[arg-type]
        assert played <= most
    return played


def by_engine(battle: Battle) -> list[BattleRecord]:
    return [record for record in battle.records.filter(undone=False).order_by("seq") if ENGINE in record.command]


def page(user: Any, client: Client, **headers: str) -> Any:
    browser = Browser(headers=headers)
    browser.force_login(user)
    return browser.get(f"/battles/{client.battle.pk}/")  # type: ignore[union-attr]


def test_it_plays_when_its_turn_comes_and_hands_over(gm, ana, bo, table):
    let(gm)
    assert (queued(), play_turn(gm.battle.pk)) == ([], False), "it is the crown's turn"
    ana.ok(**road.own(table))
    assert work() == 1
    assert ana.read()["your_turn"]
    (record,) = by_engine(gm.battle)
    assert record.by is None
    assert record.command[ENGINE].keys() == {"side", "leaning", "seed", "why"}
    assert record.command[ENGINE]["leaning"] == "balanced"
    assert check_replay(gm.battle).identical
    ana.ok(**road.own(table) | {"to": 3})
    assert work() == 1
    first, second = by_engine(gm.battle)
    assert first.command[ENGINE]["seed"] != second.command[ENGINE]["seed"], "each record has a draw of its own"


def test_in_a_what_if_it_waits_until_the_gm_lets_it_go_on(gm, ana, table):
    """Where its turn was due in the battle, a branch has it paused; then it plays there, and the battle stays."""
    let(gm)
    ana.ok(**road.own(table))
    queued()
    at = gm.battle.records.latest("seq").first_event
    there = Client(table.gm, branch_battle(by=table.gm, battle_id=gm.battle.pk, at=at))
    assert (queued(), play_turn(there.battle.pk)) == ([], False)
    assert pause(there, paused=False).status_code == 200
    queued()
    assert look_after() == 2, "the battle's own turn, and the what-if's"
    queued()
    assert play_turn(there.battle.pk)
    assert (len(by_engine(there.battle)), by_engine(gm.battle)) == (1, [])


def test_its_move_is_told_as_what_it_is_with_the_reason_to_those_who_command(gm, ana, bo, table):
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    work()
    for client, knows in ((gm, True), (bo, True), (ana, False)):
        events = client.api.get(f"{client.url}events/").json()["results"]
        moved = [event for event in events if event["type"] == "stepped" and event["army"] == str(table.raiders.pk)]
        assert all("goes to place" in event["text"] for event in moved)
        assert bool([event for event in moved if event["why"]]) is (knows and bool(moved))


def test_it_answers_what_it_is_asked_and_stops_where_a_person_must(gm, ana, table):
    play(gm, road.before_dice(table)[:-1])
    let(gm)
    gm.ok(**road.strike(table.watch, road.unit(table.raiders)))
    work()
    answered = by_engine(gm.battle)[0]
    assert answered.command["is"] == "AnswerCommand"
    play(gm, [{"type": "undo"}] * 2)
    pause(gm, paused=False)
    assert work() == 0, "it is the crown's turn"


def test_it_stops_at_a_question_that_a_person_has_to_answer(gm, ana, table, monkeypatch):
    play(gm, [road.own(table), road.step(table.raiders, 5)])
    ana.ok(**road.own(table) | {"to": 3})
    strike = Strike(road.unit(table.raiders), road.unit(table.watch))
    monkeypatch.setattr(
        TurnsOdds, "moves", lambda *_asked: Proposal(str(table.raiders.pk), strike, Term("they stand there"))
    )
    let(gm)
    assert work() == 1
    assert ana.read()["pending"][0]["key"] == road.unit(table.watch)
    assert ana.read()["your_turn"]
    assert (play_turn(gm.battle.pk), look_after(), queued()) == (False, 0, [])


def test_it_knows_what_its_commander_knows(gm, ana, table):
    """Two worlds that differ in nothing but where hidden scouts of the crown lie: one question."""
    let(gm)
    ana.ok(**road.own(table))
    battle, scouts = Battle.objects.get(pk=gm.battle.pk), road.unit(table.watch, "scouts")
    state = play_battle_state.load_state(battle)
    elsewhere = replace(state, units={**state.units, scouts: state.units[scouts]._replace(at=3)})
    head = due_head(battle, state)
    assert head
    assert task_of(battle, state, head).key == task_of(battle, elsewhere, head).key
    seen = replace(state, units={**state.units, scouts: state.units[scouts]._replace(hidden=False)})
    assert task_of(battle, state, head).key != task_of(battle, seen, head).key


def test_two_workers_never_play_the_same_turn(gm, ana, table, monkeypatch):
    """The second has weighed the same move, and finds the battle gone on."""
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    weigh = services._weigh

    def overtaken(battle: Battle, head: Any) -> Any:
        found = weigh(battle, head)
        monkeypatch.setattr(services, "_weigh", weigh)
        assert play_turn(battle.pk)
        return found

    monkeypatch.setattr(services, "_weigh", overtaken)
    assert play_turn(gm.battle.pk) is False
    assert len(by_engine(gm.battle)) == 1


def test_a_move_weighed_for_what_was_taken_back_or_paused_is_not_played(gm, ana, table, monkeypatch):
    let(gm)
    weigh = services._weigh
    for meanwhile in (lambda: gm.ok(type="undo"), lambda: pause(gm, paused=True)):
        ana.ok(**road.step(table.watch, 5))

        def overtaken(battle: Battle, head: Any, meanwhile: Any = meanwhile) -> Any:
            found = weigh(battle, head)
            meanwhile()
            return found

        monkeypatch.setattr(services, "_weigh", overtaken)
        assert play_turn(gm.battle.pk) is False
        assert by_engine(gm.battle) == []


def test_the_gm_pauses_it_and_lets_it_go_on_by_api(gm, ana, bo, table):
    assert pause(gm, paused=True).status_code == 409, "it plays nothing yet"
    let(gm)
    told = pause(gm, paused=True).json()
    assert (told["paused"], told["trouble"]) == (True, None)
    ana.ok(**road.step(table.watch, 5))
    assert (work(), look_after(), queued()) == (0, 0, [])
    assert Client(table.bo, gm.battle).read()["your_turn"], "meanwhile people command it"
    assert pause(gm, paused=False).json()["paused"] is False
    assert work() == 1
    for who, code in ((table.ana, 403), (table.viewer, 403), (table.stranger, 404)):
        assert pause(Client(who, gm.battle), paused=True).status_code == code
    for body in ({}, {"paused": "yes"}, {"paused": True, "why": 1}):
        refused = gm.api.post(f"{gm.url}opponents/pause/", body, format="json")
        assert refused.status_code == 400, body


def test_the_gm_pauses_it_on_the_page_and_players_have_no_button(gm, ana, table):
    let(gm)
    browser, address = Browser(), f"/battles/{gm.battle.pk}/opponents/pause/"
    browser.force_login(table.gm)
    shown = page(table.gm, gm).content.decode()
    assert "The computer plays Horde" in plain(shown)
    assert 'id="engine-pause"' in shown
    assert "counsel-1" not in shown, "what it plays by itself it does not propose"
    assert 'id="engine-pause"' not in page(table.ana, gm).content.decode()
    paused = browser.post(address, {"paused": "on"}, headers={"HX-Request": "true"}).content.decode()
    assert "Paused." in paused
    assert ">Continue</button>" in paused
    assert browser.post(address, {"paused": ""}).status_code == 302
    assert "Paused." not in page(table.gm, gm).content.decode()
    french = page(table.gm, gm, **{"accept-language": "fr"}).content.decode()
    assert "L’ordinateur joue Horde" in plain(french)
    browser.force_login(table.ana)
    assert browser.post(address, {"paused": "on"}).status_code == 403


def test_undo_takes_its_whole_turn_back_and_pauses_it(gm, ana, table):
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    work()
    assert "Undo the computer’s turn" in page(table.gm, gm).content.decode()
    gm.ok(type="undo")
    assert by_engine(gm.battle) == []
    assert gm.api.get(f"{gm.url}opponents/").json()["paused"] is True
    assert (work(), look_after()) == (0, 0)
    pause(gm, paused=False)
    assert work() == 1


def test_commands_of_one_turn_are_taken_back_together(gm, ana, table):
    """An answer and the turn that follows it are two commands of its."""
    play(gm, road.before_dice(table)[:-1])
    let(gm, leaning="cautious")
    gm.ok(**road.strike(table.watch, road.unit(table.raiders)))
    assert work() == 2, "it gives ground, and then it is its turn"
    assert len({record.together for record in by_engine(gm.battle)}) == 1
    gm.ok(type="undo")
    assert by_engine(gm.battle) == []
    assert Client(table.bo, gm.battle).read()["pending"]


def test_a_turn_survives_the_worker_that_had_it(gm, ana, table):
    """A task that is lost, or was begun by a worker that died, is queued again; one that waits is not doubled."""
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    assert look_after() == 0, "it waits in the queue"
    queued()
    play_battle_state._states.clear()
    assert look_after() == 1
    assert work() == 1
    assert look_after() == 0


def test_it_begins_with_the_battle_where_the_first_turn_is_its(gm, table):
    Battle.objects.all().delete()
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table)}
    opponents = [{"side": CROWN, "leaning": "bold", "left": True}]
    answer = gm.api.post("/api/v1/battles/", {**body, "opponents": opponents})
    assert answer.status_code == 201, answer.content
    assert work() == 1


def test_two_engines_fight_it_out_and_nobody_is_called_meanwhile(gm, table):
    let(gm, HORDE)
    let(gm, CROWN)
    assert gm.read()["your_turn"] is False
    assert "your turn" not in plain(page(table.gm, gm).content.decode()).lower()
    campaign = Browser()
    campaign.force_login(table.gm)
    assert "The computer is playing" in campaign.get(f"/c/{table.campaign.pk}/").content.decode()
    played = 0
    while played < 60 and (waiting := queued()):
        played += sum(play_turn(battle) for battle in waiting)  # type: ignore[arg-type]
    assert played > 5
    marks = [record.together for record in by_engine(gm.battle)]
    assert len(set(marks)) > 1, "one undo takes back one turn"
    assert check_replay(gm.battle).identical


@pytest.mark.parametrize(
    "moves, why",
    [
        (lambda *_asked: None, "The computer found no move for this side"),
        (lambda *_asked: Proposal("x", Strike("x", "y"), Term("so")), "There is no such unit here."),
        (lambda *_asked: 1 / 0, "The computer failed while looking for a move"),
    ],
)
def test_what_it_cannot_play_pauses_it_and_tells_the_gm_why(gm, ana, table, monkeypatch, moves, why):
    monkeypatch.setattr(TurnsOdds, "moves", moves)
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    assert (work(), look_after(), queued()) == (0, 0, [])
    told = gm.api.get(f"{gm.url}opponents/").json()
    assert told["paused"] is True
    assert told["trouble"].startswith(why)
    assert why in page(table.gm, gm).content.decode()
    assert by_engine(gm.battle) == []
    pause(gm, paused=False)
    assert gm.api.get(f"{gm.url}opponents/").json()["trouble"] is None


def test_a_command_that_breaks_down_pauses_it_too(gm, ana, table, monkeypatch):
    """Else `look_after` would queue it again for ever."""
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    monkeypatch.setattr(Battles, "decide", lambda *_asked: 1 / 0)
    assert (work(), look_after(), queued()) == (0, 0, [])
    told = gm.api.get(f"{gm.url}opponents/").json()
    assert told["trouble"].startswith("The computer failed while looking for a move")
    assert by_engine(gm.battle) == []


def test_a_move_weighed_for_a_campaign_that_is_thrown_away_is_not_played(gm, ana, table, monkeypatch):
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    weigh = services._weigh

    def overtaken(battle: Battle, head: Any) -> Any:
        found = weigh(battle, head)
        delete_campaign(by=table.gm, campaign=table.campaign)
        return found

    monkeypatch.setattr(services, "_weigh", overtaken)
    assert play_turn(gm.battle.pk) is False
    assert by_engine(gm.battle) == []


def test_only_proposed_moves_are_given_by_the_gm_one_at_a_time(gm, ana, table):
    let(gm, left=False)
    ana.ok(**road.step(table.watch, 5))
    assert (work(), look_after()) == (0, 0)
    (proposed,) = gm.api.get(f"{gm.url}opponents/").json()["sides"][HORDE]["proposals"]
    assert proposed["army"] == str(table.raiders.pk)
    version = gm.read()["version"]
    given = gm.api.post(f"{gm.url}opponents/orders/", {"side": HORDE}, headers={"If-Match": f'"{version}"'})
    assert given.json()["given"] == [str(table.raiders.pk)]
    assert ana.read()["your_turn"]


def test_a_battle_that_the_engine_plays_is_taken_along_with_its_pause(gm, ana, table, monkeypatch):
    monkeypatch.setattr(TurnsOdds, "moves", lambda *_asked: None)
    let(gm)
    ana.ok(**road.step(table.watch, 5))
    work()
    document = taken_along(table.campaign)
    arrival = bring_in(table.gm, document)
    there = Battle.objects.get(campaign=arrival.campaign)
    assert there.opponents == Battle.objects.get(pk=gm.battle.pk).opponents
    assert there.opponents[str(HORDE)]["paused"] is True
    (row,) = document["tables"]["battles"]
    for trouble in ({"say": "{x}", "with": {}}, {"say": "{", "with": {}}, {"say": "x", "with": 7}):
        row["opponents"][str(HORDE)]["trouble"] = trouble
        with pytest.raises(InvalidInput) as refused:
            bring_in(table.gm, document)
        assert "/opponents" in refused.value.field

"""The engine at the head of a side, under every law: proposed or left to it, from what its commander may know."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client as Browser

from battles.codec.storage import get_keeper
from battles.field.page import load_battle_page
from battles.forecast.single_flight import flights
from battles.log.queries import check_replay
from battles.models import ENGINE, Battle, BattleRecord
from battles.opponents.queries import list_engine_sides, task_of
from battles.play import battle_state as play_battle_state
from rules.odds.opponents import LEANINGS
from rules.odds.tasks import perform
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play
from tests.everyday import everyday, under
from tests.rulesets.drivers import COMMANDED, DRIVERS, PLAYED, sides_of

NOT_HERE = "In this ruleset the computer can’t play a side."
HORDE = 1


@pytest.fixture
def commands(gm) -> bool:
    return play_battle_state.get_engine(gm.battle).forecast.commands


def let(client: Client, side: int = HORDE, leaning: str | None = "balanced", left: bool = False) -> Any:
    return client.api.post(f"{client.url}opponents/", {"side": side, "leaning": leaning, "left": left})


def asked(client: Client) -> Any:
    return client.api.get(f"{client.url}opponents/")


def give(client: Client, side: int = HORDE, version: int | None = None) -> Any:
    seen = Battle.objects.get(pk=client.battle.pk).version if version is None else version  # type: ignore[union-attr]
    return client.api.post(f"{client.url}opponents/orders/", {"side": side}, headers={"If-Match": f'"{seen}"'})


def by_engine() -> list[BattleRecord]:
    return [record for record in BattleRecord.objects.order_by("seq") if ENGINE in record.command]


def proposals(battle: Battle) -> Any:
    """The computer’s orders for, and the name of the question."""
    battle = Battle.objects.get(pk=battle.pk)
    state = play_battle_state.load_state(battle)
    (task,) = [task_of(battle, state, head) for head in list_engine_sides(battle, state)]
    return task.key, perform(task.function, task.arguments)


def page(user: Any, battle: Battle, query: str = "", **headers: str) -> Any:
    browser = Browser(headers=headers)
    browser.force_login(user)
    return browser.get(f"/battles/{battle.pk}/{query}")


def test_the_gm_says_who_commands_a_side_where_the_law_can(gm, table, commands):
    answer = let(gm)
    if not commands:
        assert (answer.status_code, answer.json()["detail"]) == (409, NOT_HERE)
        assert asked(gm).status_code == 409
        return
    crown, horde = answer.json()["sides"]
    assert (crown["leaning"], crown["proposals"]) == (None, [])
    assert (horde["name"], horde["leaning"], horde["left"]) == ("Horde", "balanced", False)
    assert let(gm, leaning=None).json()["sides"][HORDE]["leaning"] is None
    assert Battle.objects.get(pk=gm.battle.pk).opponents == {}


NONSENSE = (
    ({"side": 7, "leaning": "bold"}, "/side"),
    ({"side": 0, "leaning": "merry"}, "/leaning"),
    ({"side": 0, "leaning": "bold", "left": "yes"}, "/left"),
    ({"leaning": "bold"}, "/side"),
)


def test_nonsense_is_refused_with_its_pointer(gm, commands):
    for body, field in NONSENSE if commands else ():
        answer = gm.api.post(f"{gm.url}opponents/", body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, field)


@under(*COMMANDED)
def test_nobody_is_put_at_the_head_of_a_side_once_the_battle_is_over(gm, table, driver):
    let(gm)
    play(gm, driver.until_over(table))
    answer = let(gm, leaning="bold")
    assert answer.status_code == 409
    assert answer.json()["detail"] == "The battle is over. Sides can’t be assigned anymore."
    shown = page(table.gm, gm.battle, "opponents/").content.decode()
    assert "The battle is over" in shown
    assert 'name="leaning"' not in shown


@pytest.mark.slow
def test_it_is_the_gms_to_say_and_to_read(gm, table):
    for who, code in ((table.ana, 403), (table.viewer, 403), (table.stranger, 404)):
        client = Client(who, gm.battle)
        assert [let(client).status_code, asked(client).status_code, give(client).status_code] == [code] * 3
        assert page(who, gm.battle, "opponents/").status_code == code


def test_nobody_else_has_it_give_its_orders(gm, table):
    """What an empty body is told at that address, tests/access asks: for this refusal a version has to be named."""
    for who, code in ((table.ana, 403), (table.viewer, 403), (table.stranger, 404)):
        assert give(Client(who, gm.battle)).status_code == code


@under(*COMMANDED)
def test_what_it_proposes_is_given_by_one_press_and_taken_back_by_one(gm, table, driver):
    play(gm, driver.before_orders(table))
    let(gm)
    (proposed,) = asked(gm).json()["sides"][HORDE]["proposals"]
    assert proposed["army"] == str(table.raiders.pk)
    assert proposed["why"]
    assert give(gm, version=1 if gm.read()["version"] != 1 else 99).status_code == 412
    done = give(gm)
    assert (done.status_code, done.json()["given"], done.json()["refused"]) == (200, [str(table.raiders.pk)], {})
    assert str(table.raiders.pk) not in [one["army"] for one in gm.read()["awaiting"]]
    assert asked(gm).json()["sides"][HORDE]["proposals"] == []
    (record,) = by_engine()
    assert record.command[ENGINE]["leaning"] == "balanced"
    assert len(record.command[ENGINE]["seed"]) == 32
    gm.ok(type="undo")
    assert str(table.raiders.pk) in [one["army"] for one in gm.read()["awaiting"]]
    assert asked(gm).json()["sides"][HORDE]["proposals"] == [proposed], "the same draw as before"


@pytest.mark.parametrize("leaning", everyday(sorted(LEANINGS), first=1))
@under(*COMMANDED)
def test_orders_left_to_it_are_given_when_the_gm_resolves_and_undone_with_the_phase(gm, table, driver, leaning):
    play(gm, driver.before_orders(table))
    let(gm, leaning=leaning, left=True)
    before = gm.read()
    _key, (proposal,) = proposals(gm.battle)
    gm.ok(**driver.thrown(table))
    (record,) = by_engine()
    engine = play_battle_state.get_engine(gm.battle)
    assert get_keeper(engine).load_command(record.command) == proposal.command
    assert check_replay(gm.battle).identical
    assert gm.read()["phase"] != before["phase"] or gm.read()["status"] == "aftermath"
    gm.ok(type="undo")
    after = gm.read()
    for part in ("phase", "status", "armies", "awaiting"):
        assert after[part] == before[part]
    assert not BattleRecord.objects.filter(command__has_key=ENGINE, undone=False).exists()
    assert proposals(gm.battle)[1] == (proposal,)


@under(*COMMANDED)
def test_the_gm_reads_that_it_will_order_and_no_order_of_its_is_counted_as_missing(gm, table, driver):
    play(gm, driver.before_orders(table))
    let(gm, left=True)
    for user, ready in ((table.gm, "left"), (table.ana, "thinking"), (table.bo, "thinking")):
        shown = load_battle_page(user, gm.battle.pk)
        (card,) = [card for card in shown.cards if card.id == str(table.raiders.pk)]
        assert card.ready == ready
        assert (card.id in {card.id for card in shown.orders_in.cards}) is (ready == "thinking")
        assert ("the computer will order" in page(user, gm.battle).content.decode()) is (ready == "left")


@under(*COMMANDED)
def test_an_army_that_was_ordered_by_somebody_keeps_its_order(gm, table, driver):
    play(gm, driver.before_orders(table))
    let(gm, side=0, left=True)
    Client(table.ana, gm.battle).ok(**driver.own(table))
    assert asked(gm).json()["sides"][0]["proposals"] == []
    gm.ok(**driver.thrown(table))
    assert by_engine() == []


@under(*COMMANDED)
def test_it_never_uses_the_secret_orders_of_the_players(gm, table, driver):
    """Two worlds that differ in nothing but what the other side has ordered: one question, and one answer to it."""
    play(gm, driver.before_orders(table))
    let(gm)
    found = [proposals(gm.battle)]
    Client(table.ana, gm.battle).ok(**driver.own(table))
    found.append(proposals(gm.battle))
    gm.ok(type="undo")
    assert found[0] == found[1] == proposals(gm.battle)


@under(*COMMANDED)
def test_a_phase_that_waits_for_typed_dice_has_given_nothing_yet(gm, table, driver):
    play(gm, [command for command in driver.before_dice(table) if command.get("army") != str(table.raiders.pk)])
    let(gm, left=True)
    proposal = proposals(gm.battle)[1]
    waiting = gm.send(**driver.thrown(table), ask=True)
    assert (waiting.status_code, by_engine()) == (409, [])
    typed = driver.die(table)["army"]
    dice = [die for die in waiting.json()["asks"] if die["army"] == typed]
    assert dice
    gm.ok(**driver.thrown(table), dice=[driver.die(table)])
    assert len(by_engine()) == len(proposal) == 1


@under(*COMMANDED)
def test_while_it_is_weighing_nothing_is_resolved(gm, table, driver, monkeypatch):
    play(gm, driver.before_orders(table))
    let(gm, left=True)
    version = gm.read()["version"]
    with monkeypatch.context() as slow:
        slow.setattr("battles.opponents.services.counsel", lambda *_asked: None)
        slow.setattr("battles.opponents.page.counsel", lambda *_asked: None)
        refused = gm.send(**driver.thrown(table))
        assert (refused.status_code, "The computer is still choosing its orders" in refused.json()["detail"]) == (
            409,
            True,
        )
        assert asked(gm).json()["sides"][HORDE]["proposals"] is None
        part = page(table.gm, gm.battle, "opponents/?side=1", **{"HX-Request": "true"}).content.decode()
        assert "Choosing orders…" in part
        assert "load delay" in part
    assert (gm.read()["version"], by_engine()) == (version, [])
    gm.ok(**driver.thrown(table))
    assert len(by_engine()) == 1


@under(*COMMANDED)
def test_its_reasons_stand_in_the_log_of_those_who_command_the_army(gm, table, driver):
    play(gm, driver.before_orders(table))
    let(gm, left=True)
    gm.ok(**driver.thrown(table))
    for who, knows in ((table.gm, True), (table.bo, True), (table.ana, False), (table.viewer, False)):
        events = Client(who, gm.battle).api.get(f"{gm.url}events/").json()["results"]
        told = [event for event in events if event["why"]]
        assert bool(told) is knows, who
        shown = page(who, gm.battle, "log/").content.decode()
        assert ("The computer gives orders to Raiders." in shown) is knows, who
        if knows:
            line = page(who, gm.battle, f"log/{told[0]['seq']}/").content.decode()
            assert told[0]["why"].split("{")[0][:20] in line.replace("&#x27;", "'")


@under(*sorted(DRIVERS.keys() - set(PLAYED)))
def test_the_page_asks_for_what_it_proposes_and_gives_it(gm, table, driver, commands):
    play(gm, driver.before_orders(table))
    let(gm)
    drawn = page(table.gm, gm.battle, f"?rail=tools&army={table.raiders.pk}").content.decode()
    assert ('id="do-heads"' in drawn) is commands
    if not commands:
        assert page(table.gm, gm.battle, "opponents/").status_code == 302
        return
    assert f'hx-get="/battles/{gm.battle.pk}/opponents/?side=1"' in drawn
    own = page(table.bo, gm.battle, f"?army={table.raiders.pk}").content.decode()
    assert "opponents" not in own
    part = page(table.gm, gm.battle, "opponents/?side=1", **{"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<section class="sheet counsel two"')
    assert "Raiders" in part
    browser = Browser()
    browser.force_login(table.gm)
    sent = {"side": 1, "version": Battle.objects.get(pk=gm.battle.pk).version}
    given = browser.post(f"/battles/{gm.battle.pk}/opponents/give/", sent, headers={"HX-Request": "true"})
    assert given.status_code == 200, given.content
    assert "1 army has its orders." in given.content.decode()
    assert len(by_engine()) == 1
    again = browser.post(f"/battles/{gm.battle.pk}/opponents/give/", sent, headers={"HX-Request": "true"})
    assert again.status_code == 412


@under(*COMMANDED)
def test_nobody_is_waited_for_whose_orders_are_left_to_the_engine(gm, table, driver):
    play(gm, driver.before_orders(table))
    for left in (False, True):
        let(gm, left=left)
        waited = page(table.gm, gm.battle).context["page"].waiting_for
        assert waited == (["Ironwatch"] if left else ["Ironwatch", "Raiders"])
    assert "Raiders" in page(table.bo, gm.battle).context["page"].waiting_for


@under(*COMMANDED)
def test_two_sides_of_the_engine_are_weighed_side_by_side(gm, table, driver, monkeypatch):
    """Who asks for one gives up nothing that was asked for the other."""
    play(gm, driver.before_orders(table))
    let(gm, side=0, left=True)
    let(gm, side=1, left=True)
    askers = []
    ask = flights.ask
    monkeypatch.setattr(flights, "ask", lambda tasks, asker, **how: askers.append(asker) or ask(tasks, asker, **how))
    for side in (0, 1):
        page(table.gm, gm.battle, f"opponents/?side={side}", **{"HX-Request": "true"})
    assert len(set(askers)) == 2
    gm.ok(**driver.thrown(table))
    assert [record.command[ENGINE]["leaning"] for record in by_engine()] == ["balanced"] * 2
    gm.ok(type="undo")
    assert not BattleRecord.objects.filter(command__has_key=ENGINE, undone=False).exists()


@under(*COMMANDED)
def test_the_page_sets_who_commands(gm, table):
    browser = Browser()
    browser.force_login(table.gm)
    address = f"/battles/{gm.battle.pk}/opponents/"
    assert browser.post(address, {"side": 1, "leaning": "bold", "left": "on"}).headers["Location"] == address
    assert Battle.objects.get(pk=gm.battle.pk).opponents == {"1": {"leaning": "bold", "left": True}}
    part = browser.post(address, {"side": 1, "leaning": "", "rail": "tools"}, headers={"HX-Request": "true"})
    assert (part.status_code, Battle.objects.get(pk=gm.battle.pk).opponents) == (200, {})
    assert browser.post(address, {"side": 9, "leaning": "bold"}, headers={"HX-Request": "true"}).status_code == 422
    french = page(table.gm, gm.battle, "opponents/", **{"accept-language": "fr"}).content.decode()
    assert "Commandement de chaque camp" in french


def test_a_battle_is_opened_with_the_engine_at_the_head_of_a_side(table, driver, gm, commands):
    for battle in Battle.objects.all():
        battle.delete()
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table)}
    wanted = [{"side": 1, "leaning": "cautious", "left": True}]
    answer = gm.api.post("/api/v1/battles/", {**body, "opponents": wanted})
    if not commands:
        assert answer.status_code == 400
        return
    assert answer.status_code == 201, answer.content
    assert Battle.objects.get().opponents == {"1": {"leaning": "cautious", "left": True}}
    Battle.objects.all().delete()
    for wrong in ([{"side": 2, "leaning": "bold"}], [{"side": 0, "leaning": "merry"}], {"side": 0}):
        assert gm.api.post("/api/v1/battles/", {**body, "opponents": wrong}).status_code == 400

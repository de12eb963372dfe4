"""The computer plays a side of wing command: it sets up, commands and acts, against a person to the end (F-7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client as Browser
from django_tasks_db.models import DBTaskResult

from battles.forecast.single_flight import flights
from battles.log.queries import check_replay
from battles.models import ENGINE, Battle
from battles.opponents.services import play_turn
from battles.opponents.tasks import QUEUE
from battles.play import battle_state as play_battle_state
from rules.wing_command.battle.activation import open_wings
from rules.wing_command.battle.record import commands as c
from tests.battles.conftest import Client
from tests.battles.wing_command.conftest import few_of, open_ford, play_next, sides_of
from tests.rulesets.browsing import Reader
from tests.rulesets.wing_command import hosts as host_tables

CROWN, HORDE = 0, 1
MOST = 400  # commands of a battle


@pytest.fixture(autouse=True)
def unasked() -> Iterator[None]:
    """Nothing is known of what another test has asked."""
    flights.clear()
    yield
    flights.clear()


def let(gm: Client, side: int = HORDE, leaning: str = "balanced") -> None:
    answer = gm.api.post(f"{gm.url}opponents/", {"side": side, "leaning": leaning, "left": True})
    assert answer.status_code == 200, answer.content


def test_a_side_that_is_not_to_act_has_nothing_to_do(hosts, gm):
    """Here nobody has orders: sides act in turn."""
    gm.ok(type="line_up", wings=[str(army.pk) for army in (*hosts.crown_wings, *hosts.horde_wings)])
    gm.ok(type="start")
    gm.ok(
        type="roll_initiative",
        dice=[
            {"army": str(army.pk), "roll": "initiative", "values": [face]}
            for army, face in ((hosts.crown_wings[0], 6), (hosts.horde_wings[0], 1))
        ],
    )
    gm.api.post(f"{gm.url}opponents/", {"side": HORDE, "leaning": "balanced", "left": False})
    told = Reader(hosts.gm).read(f"/battles/{gm.battle.pk}/opponents/?side={HORDE}")
    assert "Nothing to do for this side now." in told
    assert "have orders" not in told
    first = {who: "second-first" in Reader(getattr(hosts, who)).markup(f"/battles/{gm.battle.pk}/")
             for who in ("ana", "bo", "gm")}  # fmt: skip
    assert first == {"ana": False, "bo": True, "gm": False}, "on a phone one's own wings come first"


def queued() -> list[str]:
    tasks = DBTaskResult.objects.filter(queue_name=QUEUE, status="READY")
    found = [told["args"][0] for told in tasks.values_list("args_kwargs", flat=True)]
    tasks.delete()
    return found


def work(most: int = 60) -> int:
    """What a worker does until nothing is queued; how many commands were played."""
    played = 0
    while waiting := queued():
        played += sum(play_turn(battle) for battle in waiting)
        assert played <= most
    return played


def state_of(client: Client) -> Any:
    return play_battle_state.load_state(Battle.objects.get(pk=client.battle.pk))


def by_engine(battle: Battle) -> list[dict[str, Any]]:
    return [one.command for one in battle.records.filter(undone=False).order_by("seq") if ENGINE in one.command]


def person_plays(user: Any, battle_id: Any) -> bool:
    """A person's next command, as the engine's player would choose it for them; False where it isn't their turn."""
    return play_next(user, Battle.objects.get(pk=battle_id))


def test_it_sets_its_side_up_and_says_that_it_is_ready(hosts, gm, ana):
    let(gm)
    assert work() == 2
    state = state_of(gm)
    assert state.field.ready == {HORDE}
    assert not any(unit.waiting for unit in state.field.of_side(HORDE))
    assert all(unit.waiting for unit in state.field.of_side(CROWN))
    assert {wing.order for wing in state.wings_of(HORDE)} == {"attack"}, "as its armies brought them"


@pytest.mark.parametrize(("leaning", "order"), [("cautious", "advance"), ("bold", "attack"), ("reckless", "attack")])
def test_a_leaning_says_with_which_order_its_wings_begin(hosts, gm, leaning, order):
    gm.ok(type="set_order", wing=str(hosts.horde_wings[0].pk), order="hold")
    let(gm, leaning=leaning)
    work()
    assert {wing.order for wing in state_of(gm).wings_of(HORDE)} == {order}


def test_the_gms_page_says_what_its_leanings_do(hosts, gm):
    told = Reader(hosts.gm).read(f"/battles/{gm.battle.pk}/opponents/")
    assert "lets each wing advance, and attack once an enemy is near" in told
    assert "optimal mix" not in told


def test_a_zone_without_room_pauses_it_with_the_reason(hosts, gm):
    gm.ok(type="zone", side=1, hexes=[f"{column}{row}" for column in "ABCDEFGHIJKLMNOP" for row in "123"], add=False)
    let(gm)
    work()
    head = Battle.objects.get().opponents["1"]
    assert head["paused"]
    assert "no room" in str(head["trouble"])


def test_it_plays_against_a_person_to_the_end(hosts):
    """Commands, orders, moves, blows and rallies of one side; the record is played again alike."""
    sides = few_of(hosts)
    gm = Client(hosts.gm, open_ford(hosts, sides=sides, turn_limit=6))
    let(gm)
    work()
    gm.ok(type="line_up", wings=sides[CROWN]["armies"])
    gm.ok(type="start")
    for _step in range(MOST):
        work()
        if Battle.objects.get().status != "running":
            break
        assert person_plays(hosts.ana, gm.battle.pk), "somebody has to go on"
    battle = Battle.objects.get()
    assert battle.status == "aftermath"
    assert not battle.opponents["1"].get("paused")
    kinds = {command["is"] for command in by_engine(battle)}
    assert {"LineUp", "SetReady", "TakeWing", "UnitAct", "EndWing"} <= kinds
    assert all(ENGINE not in one.command for one in battle.records.filter(by=hosts.ana))
    assert check_replay(battle).identical


def pressed(user: Any, battle_id: Any, **picks: str) -> Any:
    """The button of the foot on the battle's page, with these picks."""
    browser = Browser()
    browser.force_login(user)
    version = Battle.objects.get(pk=battle_id).version
    told = {"type": "chosen", "version": version, **picks, **{f"look-{name}": value for name, value in picks.items()}}
    return browser.post(f"/battles/{battle_id}/command/", told, headers={"HX-Request": "true"})


def pressed_on(user: Any, battle_id: Any) -> None:
    """A person who holds fast: they take each of their wings and end it, pass, and carry the battle on."""
    battle = Battle.objects.get(pk=battle_id)
    state = play_battle_state.load_state(battle)
    takes = state.phase == "action" and not state.wing
    picks = {"pick": f"take_wing:{open_wings(state, CROWN)[0].id}"} if takes else {}
    answer = pressed(user, battle_id, **picks)
    if answer.status_code != 200:  # who is engaged has to strike, also under *hold*
        assert person_plays(user, battle_id), answer.content.decode()[:500]


@pytest.mark.slow
def test_it_plays_against_a_person_at_the_page_to_the_end(hosts, gm):
    """Who gives few commands: wings that hold fast, passes, the button that carries the battle on."""
    gm.ok(type="option", name="turn_limit", value=6)
    for wing in hosts.crown_wings:
        gm.ok(type="set_order", wing=str(wing.pk), order="hold")
    let(gm)
    work()
    gm.ok(type="line_up", wings=sides_of(hosts)[CROWN]["armies"])
    gm.ok(type="start")
    for _step in range(MOST):
        work()
        if Battle.objects.get().status != "running":
            break
        pressed_on(hosts.ana, gm.battle.pk)
    battle = Battle.objects.get()
    assert battle.status == "aftermath"
    assert not battle.opponents["1"].get("paused")
    told = Reader(hosts.ana).markup(f"/battles/{battle.pk}/")
    assert 'id="result-title"' in told
    assert check_replay(battle).identical


def test_it_waits_for_a_persons_aim(db):
    """A spell that succeeded is aimed by whoever cast it: nobody else goes on before."""
    table = host_tables.hosts()
    battle = host_tables.begun(table)
    gm, ana = Client(table.gm, battle), Client(table.ana, battle)
    mage, foe = host_tables.unit(battle, "Mirel"), host_tables.unit(battle, "Levy 1")
    ana.ok(type="choose_spell", character=mage, spell="firebolt")
    for what, field, value in ((mage, "activated", False), (mage, "at", "B13"), (foe, "at", "B9")):
        gm.ok(type="override", what=what, field=field, value=value, reason="for the test")
    ana.ok(type="cast", character=mage, dice=[{"army": mage, "roll": "spell", "values": [1, 1]}])
    let(gm)
    assert work() == 0
    assert state_of(ana).aiming
    assert not Battle.objects.get(pk=battle.pk).opponents["1"].get("paused")
    answer = pressed(table.ana, battle.pk, unit=mage, target=foe)
    assert answer.status_code == 200, answer.content.decode()[:500]
    assert not state_of(ana).aiming
    ana.ok(type="pass", side=CROWN)
    assert work(MOST) > 0, "its side commands now"


def test_it_waits_while_a_person_answers_or_the_gm_reports(hosts, gm):
    """Under `combat: gm` an attack waits for the GM's word; the engine goes on after it."""
    gm.ok(type="option", name="combat", value="gm")
    let(gm, CROWN)
    let(gm, HORDE)
    work()
    gm.ok(type="start")
    for _step in range(MOST):
        work(MOST)
        state = state_of(gm)
        if state.blow:
            break
    assert state.blow
    assert queued() == []
    assert not Battle.objects.get().opponents["0"].get("paused")
    gm.ok(type="report", result="none")
    assert work(MOST) > 0
    assert c.ReportBlow.__name__ not in {command["is"] for command in by_engine(gm.battle)}

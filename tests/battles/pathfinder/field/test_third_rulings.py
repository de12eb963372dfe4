"""Surrender, staying at range, ammunition and invincibility on pages and in the API (R-88 to R-90)."""

from __future__ import annotations

from typing import Any

import pytest

from armies.pathfinder.models import PathfinderCommander
from battles.codec import storage
from battles.models import Battle
from battles.play.battle_state import load_state
from rules.pathfinder.battle.battle_law import SHAPES
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from tests.battles.conftest import SPEARMAN, Client, muster
from tests.battles.field.test_pages import now, page_of, send
from tests.battles.setup.test_page import opened, text
from tests.battles.setup.test_page import send as set_up  # noqa: F401 - a fixture
from tests.worlds import built_once


def at(table: Any, battle: Battle, phase: str) -> Battle:
    gm = Client(table.gm, battle)
    for command in ("next", "resolve", "resolve")[: {"tactics": 1, "ranged": 2, "melee": 3}[phase]]:
        gm.ok(type=command)
    return now(battle)


@built_once
def melee(battle, table) -> Battle:
    """Bo has ordered the raiders to surrender."""
    at(table, battle, "melee")
    Client(table.bo, battle).ok(type="order", army=str(table.raiders.pk), surrender=True)
    return now(battle)


@built_once
def shooting(table) -> Battle:
    """Two armies of archers in their first ranged phase, with ammunition for two."""
    table.archers = muster(table.gm, table.horde, "Archers", SPEARMAN, 500)
    sides = [
        {"name": "Crown", "armies": [str(table.watch.pk)]},
        {"name": "Horde", "armies": [str(table.archers.pk)]},
    ]
    body = {"campaign": str(table.campaign.pk), "name": "The gap", "sides": sides, "ammunition": 2}
    response = Client(table.gm).api.post("/api/v1/battles/", body)
    assert response.status_code == 201, response.content
    return at(table, Battle.objects.get(pk=response.json()["id"]), "ranged")


def order_of(table: Any, battle: Battle, who: str, army: Any) -> Any:
    armies = Client(getattr(table, who), battle).read()["armies"]
    return next(found for found in armies if found["army"] == str(army.pk))["order"]


def test_a_surrender_is_known_to_the_gm_and_its_side_alone_until_it_is_carried_out(melee, table):
    """R-88."""
    for who, sees in (("gm", True), ("bo", True), ("ana", False), ("viewer", False)):
        order = order_of(table, melee, who, table.raiders)
        assert (order is not None and order["surrender"]) is sees, who
        assert ("Surrenders" in text(page_of(getattr(table, who), melee))) is sees, who


def test_the_forecast_never_assumes_a_surrender(melee, table):
    """R-88: its odds are those of a battle fought on, and it says so."""
    gm = Client(table.gm, melee)

    def foretold(**body: Any) -> dict[str, Any]:
        response = gm.api.post(f"{gm.url}forecast/", body)
        assert response.status_code == 200, response.content
        return response.json()

    with_it = foretold()
    supposed = foretold(orders={str(table.raiders.pk): {"surrender": True}})
    gm.ok(type="order", army=str(table.raiders.pk))
    without = foretold()
    assert with_it["sides"] == without["sides"] == supposed["sides"]
    assert any("Nobody surrenders" in said for said in with_it["assumed"])
    assert not any("Nobody surrenders" in said for said in without["assumed"])


@pytest.mark.parametrize("who", ["ana", "viewer"])
def test_nobody_else_learns_of_it_from_a_forecast_or_the_log(melee, table, who):
    """R-88: that nobody surrenders is said only to those who know of the order."""
    reader = Client(getattr(table, who), melee)
    for answer in (reader.api.post(f"{reader.url}forecast/", {}), reader.api.get(f"{reader.url}events/?limit=200")):
        assert answer.status_code == 200
        assert "surrender" not in text(answer).lower()


def test_a_surrender_ends_in_captivity_and_can_be_undone(melee, table):
    """R-88, PF-6."""
    gm = Client(table.gm, melee)
    gm.ok(type="resolve")
    assert now(melee).status == Battle.Status.AFTERMATH
    told = [event["text"] for event in gm.api.get(f"{gm.url}events/?limit=200").json()["results"]]
    assert "Raiders: surrender and capture." in told
    changes = gm.ok(type="aftermath")["proposal"]["changes"]
    lost = {change["field"] for change in changes if change["rule"] == "R-88"}
    assert lost == {"economy", "loyalty", "stability"}
    gm.ok(type="aftermath", confirm=True)
    table.raiders.refresh_from_db()
    assert table.raiders.status == "captured"
    assert PathfinderCommander.objects.get(name="Gruk").status == "captured"
    table.horde.refresh_from_db()
    after = table.horde.economy
    gm.ok(type="undo")
    table.horde.refresh_from_db()
    table.raiders.refresh_from_db()
    assert (table.horde.economy, table.raiders.status) == (9, "ready")
    assert after < 9
    gm.ok(type="undo")
    assert load_state(now(melee)).armies[str(table.raiders.pk)].status == "fighting"


def test_the_order_form_offers_surrender_in_melee_alone(table, battle):
    """R-88."""
    ranged = at(table, battle, "ranged")
    assert 'value="surrender"' not in text(page_of(table.ana, ranged, f"?army={table.watch.pk}"))
    Client(table.gm, battle).ok(type="resolve")
    assert 'value="surrender"' in text(page_of(table.ana, battle, f"?army={table.watch.pk}"))
    sent = send(table.ana, battle, type="order", army=table.watch.pk, tactic="surrender")
    assert sent.status_code == 302, text(sent)
    assert load_state(now(battle)).orders[str(table.watch.pk)].surrender
    send(table.ana, battle, type="order", army=table.watch.pk, tactic="standard")
    assert not load_state(now(battle)).orders[str(table.watch.pk)].surrender


def test_both_stay_at_range_while_there_is_ammunition(shooting, table):
    """R-89."""
    for army in (table.watch, table.archers):
        page = text(page_of(table.gm, shooting, f"?army={army.pk}"))
        assert 'name="stay_at_range"' in page
        send(table.gm, shooting, type="order", army=army.pk, tactic="standard", target="hold", stay_at_range="on")
    gm = Client(table.gm, shooting)
    gm.ok(type="resolve")
    read = gm.read()
    assert (read["phase"]["kind"], read["phase"]["number"], read["ammunition"]) == ("ranged", 2, 2)
    assert 'name="stay_at_range"' not in text(page_of(table.gm, shooting, f"?army={table.watch.pk}"))
    refused = gm.send(type="order", army=str(table.watch.pk), stay_at_range=True)
    assert refused.status_code == 409
    assert "No ammunition is left for another ranged phase." in text(refused)
    gm.ok(type="resolve")
    assert gm.read()["phase"]["kind"] == "melee"


def test_a_forecast_knows_the_phase_at_range_that_follows(shooting, table):
    """R-89: what is known to all who can shoot; it says for how long."""
    gm = Client(table.gm, shooting)
    for army in (table.watch, table.archers):
        gm.ok(type="order", army=str(army.pk), stay_at_range=True)
    body = {"until": {"phases": 2}}
    stays = gm.api.post(f"{gm.url}forecast/", body).json()
    assert any("stay at range" in said for said in stays["assumed"])
    gm.ok(type="order", army=str(table.archers.pk))
    comes = gm.api.post(f"{gm.url}forecast/", body).json()
    assert [side["name"] for side in stays["sides"]] == [side["name"] for side in comes["sides"]]


@pytest.mark.parametrize("wrong", [0, 100, "many", True])
def test_the_api_takes_ammunition_for_one_to_ninety_nine_phases(table, wrong):
    """R-89."""
    sides = [{"name": "Crown", "armies": [str(table.watch.pk)]}, {"name": "Horde", "armies": [str(table.raiders.pk)]}]
    body = {"campaign": str(table.campaign.pk), "name": "The gap", "sides": sides, "ammunition": wrong}
    response = Client(table.gm).api.post("/api/v1/battles/", body)
    assert response.status_code == 400
    assert "/ammunition" in text(response)
    assert not Battle.objects.exists()


def test_the_setup_says_for_how_many_ranged_phases_there_is_ammunition(set_up):  # noqa: F811
    """R-89."""
    assert set_up(ammunition="3").status_code == 302
    assert opened().opening.ammunition == 3


@pytest.mark.parametrize("wrong", ["0", "100", "x"])
def test_the_setup_refuses_other_numbers_beside_the_field(set_up, wrong):  # noqa: F811
    """R-89."""
    response = set_up(ammunition=wrong)
    assert response.status_code == 422
    assert response.context["form"].errors["ammunition"]


def test_the_gm_rules_an_army_invincible_to_an_enemy(table, battle):
    """R-90: by the tray and by the API, with a reason; a player does not."""
    at(table, battle, "melee")
    form = text(page_of(table.gm, battle, f"?do=override&army={table.raiders.pk}&what=invincible"))
    assert 'name="sign"' in form
    given = {"type": "override", "army": table.raiders.pk, "field": "invincible", "value": table.watch.pk}
    assert send(table.gm, battle, **given, sign="+").status_code == 422
    assert send(table.gm, battle, **given, sign="+", reason="Only silver").status_code == 302
    gm = Client(table.gm, battle)
    raiders = next(army for army in gm.read()["armies"] if army["army"] == str(table.raiders.pk))
    assert "invincible" in raiders["marks"]
    told = gm.api.get(f"{gm.url}events/?limit=200").json()["results"][-1]["text"]
    assert told == "The GM makes Raiders invincible against Ironwatch: Only silver"
    api = {"type": "override", "army": str(table.raiders.pk), "field": "invincible", "reason": "Only silver"}
    assert gm.send(**api, value=f"+{table.raiders.pk}").status_code == 400
    assert Client(table.ana, battle).send(**api, value=f"-{table.watch.pk}").status_code == 403
    gm.ok(**api, value=f"-{table.watch.pk}")
    assert load_state(now(battle)).armies[str(table.raiders.pk)].marks == ()


def test_what_was_written_down_before_reads_as_it_was(table, battle):
    """Openings, orders, conditions and ends of phases of before have none of the new members, and none is needed."""
    keeper = storage.get_keeper(COMBAT_DE_MASSE.battle)
    stored = battle.opening
    assert "ammunition" not in stored
    assert keeper.load_opening(stored).ammunition is None
    assert SHAPES.opening is type(keeper.load_opening(stored))
    at(table, battle, "melee")
    Client(table.bo, battle).ok(type="order", army=str(table.raiders.pk), strategy="reckless")
    written = [str(record.command) + str(record.events) for record in battle.records.all()]
    assert not any(new in one for one in written for new in ("surrender", "stay_at_range", "risen"))

"""What a battle does to the world: proposed, confirmed, undone, and never twice."""

from __future__ import annotations

from typing import Any

import pytest

from armies.intel.services import hide_army
from armies.models import Army
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from battles.models import BattleRecord
from battles.play import battle_state as play_battle_state
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import ChronicleEntry, Kingdom
from rules.core.errors import IllegalCommand
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play


def world() -> list[Any]:
    return [list(rows.objects.order_by("pk").values()) for rows in (Army, PathfinderArmy, Kingdom, PathfinderCommander)]


def settle(gm: Any, table: Any, driver: Any) -> dict[str, Any]:
    return gm.ok(type="aftermath", confirm=True, dice=driver.aftermath_dice(table))


def test_the_aftermath_is_proposed_without_changing_anything(over, table, driver):
    before, version = world(), over.read()["version"]
    first, again = over.ok(type="aftermath"), over.ok(type="aftermath")
    assert first["version"] == again["version"] == version
    assert first["proposal"] == again["proposal"], "the server's dice must stay what was shown"
    assert all(change["rule"] and change["subject"] for change in first["proposal"]["changes"])
    assert any(change["subject"] == driver.hurt for change in first["proposal"]["changes"])
    assert world() == before


def test_confirming_closes_the_battle_and_tells_the_chronicle(over, table, driver):
    before = world()
    assert settle(over, table, driver)["status"] == "closed"
    assert world() != before
    entry = ChronicleEntry.objects.get(campaign=table.campaign, kind="battle")
    assert (entry.battle_id, entry.undone) == (over.battle.pk, False)


def test_confirming_twice_changes_nothing_and_says_so(over, table, driver):
    settle(over, table, driver)
    before = world()
    refused = over.send(type="aftermath", confirm=True)
    assert (refused.status_code, "already" in refused.json()["detail"]) == (409, True)
    assert world() == before
    assert ChronicleEntry.objects.filter(kind="battle").count() == 1


def test_undoing_the_aftermath_restores_the_world(over, table, driver):
    before = world()
    settle(over, table, driver)
    answer = over.ok(type="undo")
    assert (answer["status"], answer["events"]) == ("aftermath", [])
    assert world() == before
    assert ChronicleEntry.objects.get(kind="battle").undone_by == table.gm
    assert settle(over, table, driver)["status"] == "closed"


def test_undoing_it_in_the_chronicle_reopens_the_battle(over, table, driver):
    before = world()
    settle(over, table, driver)
    undo_last(by=table.gm, campaign=table.campaign)
    assert world() == before
    assert over.read()["status"] == "aftermath"


def test_a_battle_goes_on_only_when_its_armies_are_shown(over, table, driver):
    """One was hidden since it was closed: nobody at the table may see it take the field again. The GM is told what to
    do, and nothing has changed.
    """
    settle(over, table, driver)
    army = Army.objects.filter(seats__battle=over.battle).order_by("pk")[0]
    hide_army(by=table.gm, army=army, hidden=True)
    closed, entry = world(), ChronicleEntry.objects.get(kind="battle")
    refused = over.send(type="undo")
    assert refused.status_code == 409
    assert f"{army.name}: hidden from the players. Stop hiding the army" in refused.json()["detail"]
    with pytest.raises(IllegalCommand, match="hidden from the players"):
        undo_entry(by=table.gm, entry=entry)
    assert (world(), over.read()["status"]) == (closed, "closed")
    hide_army(by=table.gm, army=army, hidden=False)
    assert over.ok(type="undo")["status"] == "aftermath"


def test_the_gm_undoes_to_the_beginning(over, table, driver):
    settle(over, table, driver)
    count = BattleRecord.objects.filter(undone=False).count()
    for _command in range(count):
        over.ok(type="undo")
    assert over.send(type="undo").status_code == 409
    assert BattleRecord.objects.filter(undone=True).count() == count, "the trace stays"
    assert over.api.get(f"{over.url}events/").json()["results"] == []
    assert play_battle_state.load_state(over.battle) == play_battle_state.load_opening_state(over.battle)
    assert play(over, driver.until_over(table))["status"] == "aftermath"


def test_the_gm_undoes_to_a_point_of_the_log_and_with_it_the_aftermath(over, table, driver):
    before = world()
    settle(over, table, driver)
    first = BattleRecord.objects.order_by("seq").first()
    assert over.ok(type="undo", to=first.first_event)["status"] != "closed"
    assert list(BattleRecord.objects.filter(undone=False)) == [first]
    assert (world(), ChronicleEntry.objects.get(kind="battle").undone) == (before, True)
    refused = over.send(type="undo", to=first.first_event)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (409, "/to")
    assert over.ok(type="undo", to=0)["events"] == []
    assert play_battle_state.load_state(over.battle) == play_battle_state.load_opening_state(over.battle)
    assert over.send(type="undo", to=0).status_code == 409
    assert play(over, driver.until_over(table))["status"] == "aftermath"


def test_nobody_else_undoes_to_a_point_and_no_point_that_is_none(over, table):
    stands = BattleRecord.objects.filter(undone=False).count()
    assert Client(table.ana, over.battle).send(type="undo", to=0).status_code in (403, 409)
    for wrong in (-1, "first", 1.5, True, []):
        refused = over.send(type="undo", to=wrong)
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/to"), wrong
    assert over.send(type="undo", to=2**31 - 1).status_code in (400, 409)
    assert BattleRecord.objects.filter(undone=False).count() == stands


def test_undo_to_an_aftermath_that_cannot_be_undone_undoes_nothing(over, table, driver):
    settle(over, table, driver)
    army = Army.objects.filter(seats__battle=over.battle).order_by("pk")[0]
    hide_army(by=table.gm, army=army, hidden=True)
    stands = BattleRecord.objects.filter(undone=False).count()
    assert over.send(type="undo", to=0).status_code == 409
    assert (BattleRecord.objects.filter(undone=False).count(), over.read()["status"]) == (stands, "closed")


@pytest.mark.slow
def test_the_dice_of_the_aftermath_lie_as_they_fell(over, table, driver):
    dice = driver.aftermath_dice(table)
    settle(over, table, driver)
    over.ok(type="undo")
    lying = over.ok(type="aftermath")["proposal"]["lying"]
    assert [(roll["army"], roll["roll"]) for roll in lying] == [(die["army"], die["roll"]) for die in dice]
    assert Client(table.ana, over.battle).send(type="aftermath", reroll=True).status_code == 403
    if not dice:
        assert over.send(type="aftermath", reroll=True).status_code == 409, "there is nothing to throw"
        return
    thrown = over.ok(type="aftermath", reroll=True)
    assert (len(thrown["events"]), thrown["proposal"]["lying"]) == (1, []), "the log tells it"
    over.ok(type="undo")
    assert over.ok(type="aftermath")["proposal"]["lying"] == lying, "nobody fishes"

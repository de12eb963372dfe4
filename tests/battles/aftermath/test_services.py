"""What a battle leaves in the world beyond the plain case: spawned armies, engines, ransom, panels."""

from __future__ import annotations

from typing import Any

import pytest

from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from battles.aftermath.services import confirm_aftermath, propose_aftermath
from battles.models import Battle
from battles.play import services as play_services
from battles.play.services import undo
from battles.setup.services import open_battle
from kingdom.models import ChronicleEntry
from kingdom.realms.services import found_settlement, update_kingdom
from rules.core.dice import DiceNeeded, TypedDie
from rules.pathfinder.battle.orders.commands import End, GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order, UseOrder
from tests.battles.conftest import muster
from tests.battles.steady import Steady
from tests.worlds import built_once

GHOULS = {
    "name": "Ghoul",
    "cr": "4",
    "hit_die": "d8",
    "creature_type": "undead",
    "abilities": [{"ability": "undead"}, {"ability": "create-spawn"}],
}
PEASANTS = {"name": "Peasant", "cr": "1/2", "hit_die": "d6"}


class Hand:
    """The GM at a battle, always on its current version."""

    def __init__(self, table: Any, battle: Battle):
        self.table = table
        self.battle = battle

    def play(self, *commands: Any, typed: Any = ()) -> Any:
        for command in commands:
            done = play_services.play(**self.seen, command=command, typed=typed, server=Steady())
            self.battle = done.battle
        return done

    @property
    def seen(self) -> dict[str, Any]:
        self.battle.refresh_from_db()
        return {"by": self.table.gm, "battle_id": self.battle.pk, "version": self.battle.version}

    def confirm(self, **given: Any) -> Any:
        return confirm_aftermath(**self.seen, **given)


def fight(table: Any, left: PathfinderArmy, right: PathfinderArmy) -> Hand:
    sides = [{"name": "A", "armies": [str(left.pk)]}, {"name": "B", "armies": [str(right.pk)]}]
    return Hand(table, open_battle(by=table.gm, campaign=table.campaign, name="Fight", sides=sides))


@built_once
def eaten(table) -> Battle:
    """Ghouls have eaten an army of their size: a second, smaller one rises."""
    ghouls = muster(table.gm, table.horde, "Ghouls", GHOULS, 500)
    prey = muster(table.gm, table.crown, "Peasants", PEASANTS, 500)
    hand = fight(table, ghouls, prey)
    hand.play(Next(), Resolve(), Resolve())
    hand.play(Override(str(prey.pk), "hp", 1, "weary"))
    hand.play(GiveOrder(Order(str(ghouls.pk), target=str(prey.pk), spawn="army")))
    hand.play(Resolve(), typed=[TypedDie(str(ghouls.pk), "attack", (20,))])
    return Battle.objects.get(pk=hand.battle.pk)


@pytest.fixture
def spawned(table, eaten) -> Hand:
    return Hand(table, eaten)


def test_an_army_that_rose_joins_its_makers_kingdom(spawned, table):
    before = PathfinderArmy.objects.count()
    proposal = propose_aftermath(**spawned.seen)
    assert [change.subject for change in proposal.changes if change.field == "created"] == ["Ghouls 2"]
    assert PathfinderArmy.objects.count() == before
    spawned.confirm()
    risen = PathfinderArmy.objects.get(name="Ghouls 2")
    assert (risen.kingdom, risen.count, risen.status) == (table.horde, 100, "ready")
    assert risen.hp == risen.hp_max > 0


def test_on_the_page_it_stands_with_its_makers_kingdom(spawned, table, client):
    """Before, where the battle knows it, and after, where it has become another."""
    client.force_login(table.gm)
    told = [client.get(f"/battles/{spawned.battle.pk}/aftermath/").context["reckoning"]]
    spawned.confirm()
    told.append(client.get(f"/battles/{spawned.battle.pk}/aftermath/").context["page"].done)
    for reckoning in told:
        assert not reckoning.others
        (horde,) = [realm for realm in reckoning.realms if realm.kingdom == table.horde]
        (risen,) = [deed for deed in horde.deeds if deed.name == "Ghouls 2"]
        assert [str(line.shifts[0].field) for line in risen.lines] == ["new army"]


def test_and_is_gone_when_the_aftermath_is_undone(spawned, table):
    """But stays while it fights again."""
    spawned.confirm()
    undo(**spawned.seen)
    assert not PathfinderArmy.objects.filter(name="Ghouls 2").exists()
    spawned.confirm()
    assert PathfinderArmy.objects.filter(name="Ghouls 2").count() == 1
    fight(table, PathfinderArmy.objects.get(name="Ghouls 2"), table.watch)
    with pytest.raises(Exception, match=r"(?i)undo|battle"):
        undo(**spawned.seen)
    assert PathfinderArmy.objects.filter(name="Ghouls 2").exists()
    assert ChronicleEntry.objects.filter(kind="battle", undone_at=None).count() == 1


def test_the_commander_of_a_lost_army_is_free_of_it(table):
    """Captured, they come back one day to another command."""
    hand = fight(table, table.watch, table.raiders)
    hand.play(Override(str(table.raiders.pk), "status", "defeated", "drowned"), End("The ice broke", winner=0))
    hand.confirm(typed=[TypedDie(str(table.raiders.pk), "commander-fate", (100,))])
    gruk = PathfinderCommander.objects.get(name="Gruk")
    assert gruk.status == "free"
    assign_commander(by=table.gm, army=table.spare, commander=gruk)
    with pytest.raises(Exception, match="now leads another army"):
        undo(**hand.seen)
    assign_commander(by=table.gm, army=table.spare, commander=None)
    undo(**hand.seen)
    assert PathfinderArmy.objects.get(pk=table.raiders.pk).commander == gruk


def test_potions_drunk_are_paid_with_the_next_week(table):
    found_settlement(by=table.gm, kingdom=table.crown, name="Quay", buildings=["temple"])
    guard = muster(table.gm, table.crown, "Guard", PEASANTS, 200)
    buy_resource(by=table.gm, army=guard, resource="healing-potions")
    hand = fight(table, guard, table.spare)
    hand.play(Next(), Resolve())
    hand.play(GiveOrder(Order(str(guard.pk), use=(UseOrder("resource", "healing-potions"),))), Resolve())
    hand.play(End("Peace"))
    hand.confirm()
    assert PathfinderArmy.objects.get(pk=guard.pk).surcharge == 6


def test_dice_of_the_aftermath_can_be_asked_for(table):
    hand = fight(table, table.watch, table.raiders)
    hand.play(Override(str(table.raiders.pk), "status", "defeated", "drowned"), End("The ice broke", winner=0))
    with pytest.raises(DiceNeeded) as needed:
        hand.confirm(ask=True)
    told = {ask.name: str(ask.need) for ask in needed.value.asks}
    assert told.keys() == {"commander-fate", "loyalty-tactic", "loyalty-boon"}
    assert told["commander-fate"] == "1–20: killed; up to 70: captured; above: escapes"
    assert "+ succeeds" in told["loyalty-tactic"] == told["loyalty-boon"]
    assert not ChronicleEntry.objects.filter(kind="battle").exists()


def test_a_world_that_moved_on_between_is_proposed_anew(table):
    """The proposal reads the world as it is: a week between battle and aftermath is no obstacle."""
    hand = fight(table, table.watch, table.raiders)
    hand.play(Override(str(table.raiders.pk), "status", "defeated", "drowned"), End("The ice broke", winner=0))
    update_kingdom(by=table.gm, kingdom=table.horde, economy=30)
    hand.confirm()
    table.horde.refresh_from_db()
    assert table.horde.economy == 26


def test_the_chosen_and_the_rolled_stay_on_record(table):
    hand = fight(table, table.watch, table.raiders)
    hand.play(End("Peace"))
    hand.confirm()
    record = hand.battle.records.latest("seq")
    assert record.command == {"is": "Close", "choices": {}, "rolls": []}


def test_pages_show_the_battle(table, client):
    fight(table, table.watch, table.raiders)
    client.force_login(table.gm)
    ysolde = PathfinderCommander.objects.get(name="Ysolde")
    for path in (f"/c/{table.campaign.pk}/", f"/commanders/{ysolde.pk}/"):
        page = client.get(path)
        assert page.status_code == 200, path
        assert "Fight" in page.content.decode(), path

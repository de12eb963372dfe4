"""A battle that goes on by itself: until something happens, and through phases with nothing to decide."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from battles.codec.requests import AskForward
from battles.field.verdict import Strip
from battles.models import FORWARD, PASSED, Battle
from battles.play import services as play_services
from battles.play.battle_state import load_state, refold
from battles.play.services import undo
from battles.setup.services import open_battle
from core.text import render
from kingdom.models import Membership
from rules.core.dice import DiceNeeded
from rules.core.errors import IllegalCommand
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import RAIDER, muster
from tests.battles.field.test_pages import now, page_of, play, seen_by, send, text
from tests.battles.field.test_table import four  # noqa: F401 (fixture)
from tests.battles.steady import Steady
from tests.worlds import built_once

CALM, CLICKS = 13, 8


def forward(table: Any, battle: Battle, **dice: Any) -> Any:
    seen = {"by": table.gm, "battle_id": battle.pk, "version": now(battle).version}
    return play_services.play(**seen, command=AskForward(), **{"server": Steady(), **dice})


def halts(played: Any) -> list[tuple[str, str]]:
    return [(halt.kind, halt.army) for halt in played.halts]


@built_once
def brawl(table) -> Battle:
    """Nobody can shoot."""
    sides = [
        {"name": "Raiders", "armies": [str(table.raiders.pk)]},
        {"name": "Others", "armies": [str(muster(table.gm, table.crown, "Guards", RAIDER, 500).pk)]},
    ]
    return open_battle(by=table.gm, campaign=table.campaign, name="The brawl", sides=sides)


def test_thirteen_calm_phases_take_two_against_two_at_most_eight_clicks(table, four):  # noqa: F811
    """Begun, its tactics and shots resolved: three clicks."""
    meets = {table.watch: table.raiders, table.bows: table.trolls, table.raiders: table.watch, table.trolls: table.bows}
    play(table, four, *(GiveOrder(Order(str(army.pk), target=str(foe.pk))) for army, foe in meets.items()))
    clicks, phases = 3, 3
    while now(four).status == "running":
        clicks, phases = clicks + 1, phases + len(forward(table, four).records)
    assert phases >= CALM
    assert clicks <= CLICKS


def test_it_stops_where_an_army_breaks_and_its_enemy_has_to_aim_anew(table, four):  # noqa: F811
    play(table, four, Override(str(table.trolls.pk), "hp", 1, "spent"))
    play(table, four, GiveOrder(Order(str(table.bows.pk), target=str(table.trolls.pk))))
    while not (told := halts(forward(table, four))):
        pass
    assert ("army", str(table.trolls.pk)) in told
    assert ("order", str(table.bows.pk)) in told
    assert load_state(now(four)) == refold(now(four))


def test_it_stops_where_the_armies_of_a_player_have_lost_half(table, four):  # noqa: F811
    """The player's orders were given before that. Where the GM plays all armies, nothing stops there."""
    for army in (table.raiders, table.trolls):
        most = load_state(now(four)).armies[str(army.pk)].hp_max
        play(table, four, Override(str(army.pk), "hp", most // 2 + 1, "tired"))
    forward(table, four)
    told = "Horde has lost more than half its strength."
    assert told in [render(halt.text) for halt in strip_of(table.gm, four).halts]
    Membership.objects.filter(campaign=table.campaign, user=table.bo).delete()
    assert told not in [render(halt.text) for halt in strip_of(table.gm, four).halts]


def test_every_phase_is_a_record_of_its_own_and_is_taken_back_by_itself(table, four):  # noqa: F811
    done = forward(table, four)
    assert len(done.records) > 1
    assert {record.command[FORWARD] for record in done.records} == {done.records[0].version - 1}
    undo(by=table.gm, battle_id=four.pk, version=now(four).version)
    standing = now(four).records.filter(undone=False, command__has_key=FORWARD)
    assert standing.count() == len(done.records) - 1


def test_where_dice_are_asked_for_nothing_is_rolled(table, four):  # noqa: F811
    play(table, four, GiveOrder(Order(str(table.watch.pk), target=str(table.raiders.pk))))
    before = now(four).version
    with pytest.raises(DiceNeeded):
        forward(table, four, ask=True)
    assert now(four).version == before


def test_it_goes_through_phases_without_dice_and_asks_for_those_of_the_next(table, brawl):
    play(table, brawl, Next())
    forward(table, brawl, ask=True)
    assert load_state(now(brawl)).phase.kind == "melee"


def test_before_a_battle_has_begun_somebody_has_to_act(table, battle):
    with pytest.raises(IllegalCommand):
        forward(table, battle)
    assert send(table.ana, battle, type="forward").status_code == 403


# Empty phases


def test_a_ranged_phase_in_which_nobody_can_shoot_passes_by_itself(table, brawl):
    play(table, brawl, Next(), Resolve())
    assert load_state(now(brawl)).phase.kind == "melee"
    last = now(brawl).records.filter(undone=False).latest("seq")
    assert last.command[PASSED] == last.version - 2


def test_undo_steps_back_into_it_and_an_order_there_lets_it_wait(table, brawl):
    play(table, brawl, Next(), Resolve())
    undo(by=table.gm, battle_id=brawl.pk, version=now(brawl).version)
    play(table, brawl, GiveOrder(Order(str(table.raiders.pk), tactic="withdraw")))
    assert load_state(now(brawl)).phase.kind == "ranged"


def test_a_house_rule_leaves_every_phase_to_the_gm(table, brawl):
    Battle.objects.filter(pk=brawl.pk).update(house_rules={"empty_phases": False})
    play(table, brawl, Next(), Resolve())
    assert load_state(now(brawl)).phase.kind == "ranged"


def test_a_ranged_phase_waits_where_somebody_can_shoot(table, battle):
    play(table, battle, Next(), Resolve())
    assert load_state(now(battle)).phase.kind == "ranged"


def test_a_ranged_phase_that_waits_says_who_can_use_what(table):
    """Nobody can shoot, but orcs can rage."""
    orcs = deepcopy(RAIDER) | {"abilities": [{"ability": "rage"}]}
    armies = [muster(table.gm, table.crown, name, unit, 500) for name, unit in (("Orcs", orcs), ("Guards", RAIDER))]
    sides = [{"name": army.name, "armies": [str(army.pk)]} for army in armies]
    battle = open_battle(by=table.gm, campaign=table.campaign, name="The brawl", sides=sides)
    play(table, battle, Next())
    told = " ".join(render(halt.text) for halt in forward(table, battle).halts)
    assert told == "New orders can be given: Ranged. Orcs can use Rage."


# The page


def strip_of(user: Any, battle: Battle) -> Strip:
    strip = seen_by(user, battle).strip
    assert strip is not None
    return strip


def test_the_page_says_what_passed_and_why_it_stopped_as_far_as_its_reader_knows(table, four):  # noqa: F811
    play(table, four, Override(str(table.trolls.pk), "hp", 1, "spent"))
    play(table, four, GiveOrder(Order(str(table.bows.pk), target=str(table.trolls.pk))))
    while not halts(forward(table, four)):
        pass
    kinds = {user: [halt.kind for halt in strip_of(user, four).halts] for user in (table.gm, table.ana, table.bo)}
    assert kinds == {table.gm: ["army", "order"], table.ana: ["army", "order"], table.bo: ["army"]}
    assert "Trolls: defeated." in text(page_of(table.bo, four))


def test_one_button_goes_on_and_only_the_gm_has_it(table, four):  # noqa: F811
    assert 'id="forward"' in text(page_of(table.gm, four))
    assert 'id="forward"' not in text(page_of(table.ana, four))
    assert send(table.gm, four, type="forward").status_code == 302
    assert len(strip_of(table.gm, four).passed) > 1


def test_a_gm_who_types_dice_is_asked_for_those_of_the_phase(table, four):  # noqa: F811
    table.gm.dice = "typed"
    table.gm.save()
    play(table, four, GiveOrder(Order(str(table.watch.pk), target=str(table.raiders.pk))))
    before = now(four).version
    page = send(table.gm, four, htmx=True, type="forward")
    assert page.context["sent"].kind == "resolve"
    assert page.context["sent"].asked
    assert now(four).version == before

"""A battle of breaking points that goes on by itself: orders are repeated, and rounds that would end it are told."""

from __future__ import annotations

from typing import Any

from battles.codec.requests import AskForward
from battles.models import TOGETHER
from battles.play import services as play_services
from battles.play.battle_state import load_state
from battles.play.services import undo
from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import host_choices
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from tests.battles.field.test_pages import now
from tests.battles.steady import Steady


def play(river: Any, command: Any) -> Any:
    asked = {"by": river.gm, "battle_id": river.bridge.pk, "version": now(river.bridge).version}
    return play_services.play(**asked, command=command, server=Steady())


def attack(river: Any) -> None:
    """Every body in contact attacks the first it can."""
    state = load_state(now(river.bridge))
    for army in state.owners():
        bodies = {}
        for body in host_choices(state, army).bodies:
            foe = next((aim.body for aim in body.attack if aim.why_not is None), None)
            if foe and not body.waits:
                bodies[body.key] = BodyOrder("attack", foe)
        play(river, GiveOrder(Order(army, bodies)))


def test_orders_are_repeated_until_somebody_needs_new_ones_and_undo_takes_a_round_back_with_them(river):
    attack(river)
    done = play(river, AskForward())
    assert len(done.records) > 1
    assert {"army", "order"} >= {halt.kind for halt in done.halts} > set()
    standing = now(river.bridge).records.filter(undone=False)
    last = standing.latest("seq")
    bundle = standing.filter(**{f"command__{TOGETHER}": last.command[TOGETHER]})
    assert bundle.count() > 1  # the orders of the round, given again
    before = standing.count() - bundle.count()
    undo(by=river.gm, battle_id=river.bridge.pk, version=now(river.bridge).version)
    assert now(river.bridge).records.filter(undone=False).count() == before


def test_it_stops_before_a_round_in_which_nobody_attacks_ends_the_battle(river):
    for army in load_state(now(river.bridge)).owners():
        play(river, GiveOrder(Order(army)))
    done = play(river, AskForward())
    assert len(done.records) == 1
    assert [str(halt.text) for halt in done.halts] == ["Nobody attacked. One more quiet round ends the battle."]

"""A battle of breaking points that goes on by itself: orders are repeated, and rounds that would end it are told."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from battles.codec import storage
from battles.codec.requests import AskForward
from battles.forecast.queries import load_foreseen
from battles.models import TOGETHER
from battles.opponents.services import set_head
from battles.play import services as play_services
from battles.play.battle_state import get_engine, load_state
from battles.play.services import undo
from rules.breaking_point.battle.orders.commands import GiveOrder, Override, Resolve
from rules.breaking_point.battle.orders.legal import host_choices
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from rules.breaking_point.battle.state.events import Attacked
from rules.core.errors import IllegalCommand
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


def hold(river: Any, *armies: str) -> None:
    for army in armies or load_state(now(river.bridge)).owners():
        play(river, GiveOrder(Order(army)))


def orders(river: Any) -> Any:
    return load_state(now(river.bridge)).orders


def test_b22_the_first_round_too_repeats_last_rounds_orders_for_armies_without_new_ones(river):
    attack(river)
    given = orders(river)
    play(river, Resolve())
    assert orders(river) == {}
    new = next(iter(given))
    hold(river, new)
    done = play(river, AskForward())
    first = done.records[0]
    told = now(river.bridge).records.filter(undone=False, **{f"command__{TOGETHER}": first.command[TOGETHER]})
    keeper = storage.get_keeper(get_engine(river.bridge))
    commands = [keeper.load_command(record.command) for record in told]
    repeated = {command.order.army for command in commands if isinstance(command, GiveOrder)}
    assert repeated == given.keys() - {new}
    assert any(isinstance(event, Attacked) for event in done.events)


def test_b45_a_last_quiet_round_is_not_resolved_by_itself(river):
    hold(river)
    play(river, Resolve())
    before = now(river.bridge).version
    with pytest.raises(IllegalCommand, match="No group has an order to attack"):
        play(river, AskForward())
    assert now(river.bridge).version == before
    assert orders(river) == {}
    answer = send(river, type="forward")
    assert answer.status_code == 422
    assert "one more round without an attack ends the battle" in answer.content.decode()
    play(river, Resolve())  # by itself it may be
    assert now(river.bridge).status != "running"


def send(river: Any, who: Any = None, to: str = "command", **sent: Any) -> Any:
    told = {"version": now(river.bridge).version, **sent}
    address = reverse(f"battles:{to}", args=[river.bridge.pk])
    return river.as_(who or river.gm).post(address, told, headers={"HX-Request": "true"})


def test_last_rounds_orders_are_repeated_by_one_click_and_only_where_there_are_any(river):
    address = reverse("battles:battle", args=[river.bridge.pk])
    attack(river)
    given = orders(river)
    play(river, Resolve())
    assert 'id="again"' in river.as_(river.gm).get(address).content.decode()
    assert send(river, river.dru, "together", what="again").status_code == 200
    own = {army for army in given if army == str(river.host.pk)}
    assert orders(river).keys() == own
    told = {key: body for key, body in orders(river)[str(river.host.pk)].bodies.items() if body.target}
    assert told
    assert told.items() <= given[str(river.host.pk)].bodies.items()
    assert send(river, what="again", to="together").status_code == 200
    assert orders(river).keys() == given.keys()


def test_where_nobody_had_orders_none_can_be_repeated(river):
    play(river, Resolve())
    play(river, Resolve())
    address = reverse("battles:battle", args=[river.bridge.pk])
    assert 'id="again"' not in river.as_(river.gm).get(address).content.decode()
    told = send(river, what="again", to="together")
    assert [str(message) for message in told.context["messages"]] == ["No army has orders to repeat."]


def test_an_order_whose_enemy_is_gone_is_named_instead_of_repeated(river):
    attack(river)
    foe = next(body.target for body in orders(river)[str(river.host.pk)].bodies.values() if body.target)
    play(river, Resolve())
    for body in load_state(now(river.bridge)).bodies.values():
        if body.side == load_state(now(river.bridge)).bodies[foe].side and body.on_field:
            play(river, Override(body.id, "status", "withdrawn" if body.id == foe else body.status, "For the test"))
    told = send(river, river.dru, "together", what="again")
    assert str(river.host.pk) not in orders(river)
    assert any("left the field" in str(message) for message in told.context["messages"])


def test_one_order_for_several_armies_and_a_copy_of_a_neighbours(river):
    page = river.as_(river.gm).get(reverse("battles:battle", args=[river.bridge.pk]), {"do": "together"})
    form = page.context["many"].form
    slugs = [slug for slug, _label in form.fields["order"].choices]
    assert slugs[0] == ""
    assert {"hold", "withdraw"} <= set(slugs)
    assert send(river, to="together", what="give", sides=["0", "1"], order="hold").status_code == 200
    assert {body.do for order in orders(river).values() for body in order.bodies.values()} == {"hold"}
    foe = next(slug for slug in slugs if slug.startswith("at:"))
    assert send(river, to="together", what="give", sides=["0", "1"], order=foe).status_code == 200
    aims = {body.target for order in orders(river).values() for body in order.bodies.values() if body.target}
    assert aims == {foe.removeprefix("at:")}


def test_a_forecast_knows_who_has_no_orders_of_those_its_reader_commands(river):
    """As the page says of them: they hold (B-22). A side left to the computer gets its orders."""
    hold(river, str(river.swords.pk))
    play(river, Resolve())

    def undecided(user: Any) -> frozenset[str]:
        return load_foreseen(user, now(river.bridge)).undecided

    assert undecided(river.gm) == {str(river.host.pk), str(river.swords.pk)}
    assert undecided(river.dru) == {str(river.host.pk)}
    hold(river, str(river.host.pk))
    assert undecided(river.gm) == {str(river.swords.pk)}
    set_head(by=river.gm, battle_id=river.bridge.pk, side=1, leaning="bold", left=True)
    assert undecided(river.gm) == frozenset()


def test_it_stops_before_a_round_in_which_nobody_attacks_ends_the_battle(river):
    for army in load_state(now(river.bridge)).owners():
        play(river, GiveOrder(Order(army)))
    done = play(river, AskForward())
    assert len(done.records) == 1
    assert [str(halt.text) for halt in done.halts] == ["Nobody attacked. One more quiet round ends the battle."]

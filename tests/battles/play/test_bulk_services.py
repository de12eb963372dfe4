"""Orders for several armies: a side, a selection, last phase's again, a neighbour's; and what the law refuses."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from battles.play.battle_state import load_state
from battles.play.errors import BattleMovedOn
from battles.play.services import order_together, undo
from rules.pathfinder.battle.orders.commands import GiveOrder, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.field.test_pages import as_, now, page_of, play, text
from tests.battles.field.test_table import four  # noqa: F401 (fixture)


def order(user, battle, *, htmx=False, **sent):
    data = {"version": now(battle).version} | sent
    headers = {"HX-Request": "true"} if htmx else {}
    return as_(user).post(reverse("battles:together", args=[battle.pk]), data, headers=headers)


def orders(battle):
    return load_state(now(battle)).orders


def said(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def test_a_whole_side_gets_one_order(table, four):  # noqa: F811
    order(table.gm, four, what="give", sides="0", strategy="cautious", target=table.trolls.pk)
    given = orders(four)
    assert {str(table.watch.pk), str(table.bows.pk)} == given.keys()
    assert {(o.strategy, o.target) for o in given.values()} == {("cautious", str(table.trolls.pk))}
    assert now(four).records.filter(command__together__isnull=False).count() == 2


def test_whoever_listens_is_told_once_of_all_of_them(table, four, django_assert_max_num_queries):  # noqa: F811
    with django_assert_max_num_queries(200) as asked:
        order(table.gm, four, what="give", sides="0", strategy="cautious")
    assert now(four).records.filter(command__together__isnull=False).count() == 2
    assert sum("pg_notify" in query["sql"] for query in asked.captured_queries) == 1


def test_a_selection_gets_one_order_and_keeps_the_rest_of_its_own(table, four):  # noqa: F811
    play(table, four, GiveOrder(Order(str(table.watch.pk), strategy="reckless", let_go=True)))
    order(table.gm, four, what="give", armies=[table.watch.pk, table.trolls.pk], strategy="", target="hold")
    watch, trolls = orders(four)[str(table.watch.pk)], orders(four)[str(table.trolls.pk)]
    assert (watch.strategy, watch.target, watch.let_go) == ("reckless", None, True)
    assert (trolls.strategy, trolls.target) == (None, None)


def test_an_army_that_may_not_keeps_its_own_and_is_named_with_the_reason(table, four):  # noqa: F811
    sent = order(table.gm, four, htmx=True, what="give", sides=["0", "1"], target=table.trolls.pk)
    assert orders(four).keys() == {str(table.watch.pk), str(table.bows.pk)}
    told = said(sent)
    assert told[0] == "2 armies have their orders."
    assert told[1] == "Orders of Raiders unchanged: Trolls and Raiders are on the same side."
    assert len(told) == 3


def test_where_no_army_may_nothing_is_written(table, four):  # noqa: F811
    before = now(four).version
    sent = order(table.gm, four, htmx=True, what="give", armies=table.raiders.pk, target=table.trolls.pk)
    assert (sent.status_code, now(four).version, orders(four)) == (422, before, {})
    assert said(sent) == ["Orders of Raiders unchanged: Trolls and Raiders are on the same side."]
    assert f'value="{table.raiders.pk}" id="together-armies_2" checked' in text(sent)


@pytest.mark.parametrize(("sent", "error"), [
    ({"sides": "0"}, "Choose an order."),
    ({"strategy": "reckless"}, "Choose a side or at least one army."),
    ({"sides": "0", "strategy": "wild"}, "This choice isn’t available"),
])  # fmt: skip
def test_a_form_that_says_too_little_comes_back_open(table, four, sent, error):  # noqa: F811
    refused = order(table.gm, four, what="give", **sent)
    assert refused.status_code == 422
    assert error in text(refused)
    assert 'id="do-together"' in text(refused)
    assert orders(four) == {}


def test_players_order_their_own_armies_only(table, four):  # noqa: F811
    order(table.ana, four, what="give", sides="0", strategy="cautious")
    assert orders(four).keys() == {str(table.watch.pk), str(table.bows.pk)}
    assert order(table.ana, four, what="give", sides="1", strategy="cautious").status_code == 422
    assert order(table.ana, four, what="give", armies=table.trolls.pk, strategy="cautious").status_code == 422
    assert order(table.viewer, four, what="again").status_code == 403
    assert order(table.stranger, four, what="again").status_code == 404


def test_undo_takes_them_back_in_one_step(table, four):  # noqa: F811
    play(table, four, GiveOrder(Order(str(table.trolls.pk))))
    order(table.gm, four, what="give", sides="0", strategy="cautious")
    assert "Undo these orders" in text(page_of(table.gm, four))
    undo(by=table.gm, battle_id=four.pk, version=now(four).version)
    assert orders(four).keys() == {str(table.trolls.pk)}
    undo(by=table.gm, battle_id=four.pk, version=now(four).version)
    assert orders(four) == {}


def test_last_phases_orders_are_repeated_for_all_that_have_none(table, four):  # noqa: F811
    play(
        table, four,
        GiveOrder(Order(str(table.watch.pk), strategy="reckless", target=str(table.trolls.pk))),
        GiveOrder(Order(str(table.raiders.pk), target=None)),
        Override(str(table.trolls.pk), "dv", 30, "They stand in the river"),
        Resolve(),
        GiveOrder(Order(str(table.raiders.pk), strategy="defensive")),
    )  # fmt: skip
    order(table.gm, four, what="again")
    given = orders(four)
    assert (given[str(table.watch.pk)].strategy, given[str(table.watch.pk)].target) == (
        "reckless",
        str(table.trolls.pk),
    )
    assert given[str(table.raiders.pk)].strategy == "defensive"
    assert given[str(table.bows.pk)] == Order(str(table.bows.pk))
    assert len(given) == 4
    assert said(order(table.gm, four, htmx=True, what="again")) == ["All armies already have orders."]


def test_an_order_that_is_not_possible_any_more_is_not_repeated(table, four):  # noqa: F811
    play(table, four, GiveOrder(Order(str(table.watch.pk), target=str(table.trolls.pk))), Resolve())
    play(table, four, Override(str(table.trolls.pk), "status", "routed", "For the test"))
    told = said(order(table.ana, four, htmx=True, what="again"))
    assert told == ["1 army has its orders.", "Orders of Ironwatch unchanged: Trolls left the field."]


def test_an_army_is_ordered_as_its_neighbour_was(table, four):  # noqa: F811
    assert 'id="like"' not in text(page_of(table.gm, four))
    play(table, four, GiveOrder(Order(str(table.watch.pk), strategy="reckless", target=str(table.trolls.pk))))
    assert "Copy Ironwatch’s orders" in text(page_of(table.gm, four, f"?army={table.bows.pk}"))
    assert 'id="like"' not in text(page_of(table.gm, four, f"?army={table.raiders.pk}"))
    sent = order(table.gm, four, what="like", army=table.bows.pk)
    given = orders(four)[str(table.bows.pk)]
    assert (given.strategy, given.target) == ("reckless", str(table.trolls.pk))
    assert sent.url.endswith(f"#orders-{table.raiders.pk}")
    assert order(table.gm, four, what="like", army=table.raiders.pk).status_code == 403


def test_what_others_ordered_in_secret_is_not_offered_for_copying(table, four):  # noqa: F811
    play(table, four, GiveOrder(Order(str(table.watch.pk), strategy="reckless")))
    assert 'id="like"' not in text(page_of(table.bo, four))
    assert order(table.bo, four, what="like", army=table.raiders.pk).status_code == 403


def test_orders_that_mean_something_else_by_now_are_not_given(table, four):  # noqa: F811
    version = now(four).version
    commands = {str(pk): GiveOrder(Order(str(pk))) for pk in (table.watch.pk, table.bows.pk)}
    play(table, four, GiveOrder(Order(str(table.raiders.pk))))
    assert len(order_together(by=table.gm, battle_id=four.pk, version=version, commands=commands).given) == 2
    with pytest.raises(BattleMovedOn):
        order_together(by=table.gm, battle_id=four.pk, version=version, commands=commands)
    late = order(table.gm, four, version=version, what="give", sides="0", tactic="standard")
    assert late.status_code == 412
    assert "Someone else acted first" in text(late)


def test_a_log_with_orders_for_several_replays(table, four, client: Client):  # noqa: F811
    order(table.gm, four, what="give", sides=["0", "1"], strategy="aggressive")
    play(table, four, Resolve())
    client.force_login(table.gm)
    answer = client.get(f"/api/v1/battles/{four.pk}/replay/")
    assert answer.json()["identical"] is True
    assert Battle.objects.get(pk=four.pk).records.count() > 4


def test_the_form_is_drawn_when_asked_for(table, four):  # noqa: F811
    plain, asked = text(page_of(table.gm, four)), text(page_of(table.gm, four, "?do=together"))
    assert 'id="do-together"' not in plain
    assert 'id="several"' in plain
    assert 'id="do-together"' in asked
    assert 'role="log"' in asked
    for who, query in ((table.viewer, "?do=together"), (table.gm, "?do=together&as=0")):
        assert 'id="do-together"' not in text(page_of(who, four, query))

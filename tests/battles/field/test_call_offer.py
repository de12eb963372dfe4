"""A battle offers once to call whoever has a say in it, while it is fought and until they have answered."""

from __future__ import annotations

from kingdom.accounts.services import answer_call_offer, choose_settings
from kingdom.models import User
from rules.pathfinder.battle.orders.commands import Next
from tests.battles.field.test_pages import ended, ford, page_of, play  # noqa: F401 (fixtures)

OFFER = 'id="call-offer"'


def shown(user, battle) -> bool:
    return OFFER in page_of(user, battle).text


def test_it_is_offered_where_orders_are_given_and_not_again(table, ford):  # noqa: F811
    User.objects.update(call_offered=False)
    assert not shown(table.ana, ford), "it is being set up"
    play(table, ford, Next())
    assert [shown(user, ford) for user in (table.ana, table.bo, table.gm, table.viewer)] == [True, True, True, False]
    answer_call_offer(by=table.ana)
    choose_settings(by=table.gm, sound=True)
    assert [shown(user, ford) for user in (table.ana, table.bo, table.gm)] == [False, True, False]


def test_it_is_not_offered_when_the_battle_is_over(table, ended):  # noqa: F811
    User.objects.update(call_offered=False)
    assert not shown(table.ana, ended)

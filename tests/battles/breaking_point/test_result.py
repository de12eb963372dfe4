"""What the page of a battle of breaking points says once it is over, to whom enemy force is told in hundredths."""

from __future__ import annotations

from battles.field.page import load_battle_page
from rules.breaking_point.battle.orders.commands import End
from tests.battles.breaking_point.test_forward import attack, play
from tests.battles.field.test_pages import now


def test_losses_are_compared_in_hundredths_where_those_of_one_side_are_told_so(river):
    attack(river)
    play(river, End("They parley", 1))
    result = load_battle_page(river.dru, river.bridge.pk).result
    assert result is not None
    assert result.in_shares
    assert [max(phase.lost) <= 100 for phase in result.course.turns] == [True] * len(result.course.turns)
    whole = load_battle_page(river.gm, river.bridge.pk).result
    assert whole is not None
    assert not whole.in_shares
    assert max(lost for phase in whole.course.turns for lost in phase.lost) > 100
    assert {leader.name for leader in whole.leaders} > {leader.name for leader in result.leaders}
    assert now(river.bridge).status == "aftermath"

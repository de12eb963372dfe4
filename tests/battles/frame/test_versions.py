"""A command sent on an old version counts where it is patient and the law says that it still means the same."""

from __future__ import annotations

from typing import Any

import pytest

from battles.codec.requests import parse_request
from battles.play import battle_state as play_battle_state
from battles.play import services
from battles.play.errors import BattleMovedOn
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play


@pytest.fixture
def version(gm, table, driver) -> int:
    """On which ana and bo have drawn their pages."""
    play(gm, driver.before_orders(table))
    return gm.read()["version"]


def sent(gm: Client, by: Any, version: int, command: dict[str, Any], *, patient: bool) -> Any:
    asked, dice = parse_request(command, gm.battle)
    return services.play(by=by, battle_id=gm.battle.pk, version=version, command=asked, patient=patient, **dice)


def test_a_patient_command_is_heard_where_the_law_says_it_still_means_the_same(gm, table, driver, version):
    """So it is with orders that all give in secret, and not where sides take turns."""
    own, theirs = (parse_request(one(table), gm.battle).command for one in (driver.own, driver.theirs))
    means_the_same = play_battle_state.get_engine(gm.battle).bears(theirs, (own,))
    sent(gm, table.ana, version, driver.own(table), patient=True)
    if means_the_same:
        done = sent(gm, table.bo, version, driver.theirs(table), patient=True)
        assert done.battle.version == version + 2
    else:
        with pytest.raises(BattleMovedOn):
            sent(gm, table.bo, version, driver.theirs(table), patient=True)
        assert sent(gm, table.bo, version + 1, driver.theirs(table), patient=True).battle.version == version + 2


def test_patience_ends_where_the_same_army_or_the_battle_moved_on(gm, table, driver, version):
    sent(gm, table.ana, version, driver.own(table), patient=True)
    with pytest.raises(BattleMovedOn):
        sent(gm, table.gm, version, driver.own(table), patient=True)
    gm.ok(type="undo")
    with pytest.raises(BattleMovedOn) as stale:
        sent(gm, table.bo, version, driver.theirs(table), patient=True)
    assert stale.value.version == version + 2


def test_without_patience_a_command_on_an_old_version_is_stale(gm, table, driver, version):
    sent(gm, table.ana, version, driver.own(table), patient=False)
    with pytest.raises(BattleMovedOn):
        sent(gm, table.bo, version, driver.theirs(table), patient=False)

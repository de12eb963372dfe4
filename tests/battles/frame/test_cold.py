"""A process that knows nothing of a battle folds a few records of it, under every law, whatever it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from battles.codec import storage
from battles.log.luck import look_back
from battles.models import Weighing
from battles.play import battle_state as play_battle_state
from battles.play import event_log
from tests.battles.frame.conftest import foretells, opened, play
from tests.everyday import under
from tests.rulesets.drivers import FORETOLD

FEW = 2  # records between two frozen states, so that these short battles are long ones


class Folds:
    """Out of how many records each state was folded, since it was opened or thawed."""

    def __init__(self, engine: Any, patch: pytest.MonkeyPatch):
        self.longest, self.records = 0, 0
        self._of: dict[int, set[int]] = {}  # by state, the records folded into it
        self._record: dict[int, int] = {}  # by event; of those that come from elsewhere one is as another
        self._kept: list[Any] = []  # or its number would be given to another
        load, fold = storage.Keeper.load_events, engine.fold

        def loaded(keeper: Any, data: Any) -> Any:
            events = load(keeper, data)
            self.records += 1
            self._record.update((id(event), self.records) for event in events)
            self._kept.append(events)
            return events

        def folded(own: Any, state: Any, events: Any) -> Any:
            found = fold(own, state, events := list(events))
            into = self._of.get(id(state), set()) | {self._record.get(id(event), 0) for event in events}
            self._of[id(found)] = into
            self._kept.append((state, found))
            self.longest = max(self.longest, len(into))
            return found

        patch.setattr(storage.Keeper, "load_events", loaded)
        patch.setattr(engine, "fold", folded)


def forgotten() -> None:
    """This process has just been started."""
    for kept in (play_battle_state._states, event_log._latest, event_log._written, event_log._events):
        kept.clear()


@pytest.fixture
def long(table, driver, monkeypatch) -> Any:
    """A battle that is over, with many more records than lie between two states that were written down."""
    monkeypatch.setattr(play_battle_state, "EVERY", FEW)
    gm = opened(table)
    assert play(gm, driver.fought(table))["status"] == "aftermath"
    assert gm.battle.records.count() > 2 * FEW
    return gm


def test_no_page_folds_more_than_lies_between_two_frozen_states(long, table, client, monkeypatch):
    page, api = f"/battles/{long.battle.pk}/", f"/api/v1/battles/{long.battle.pk}/"
    if foretells(long.battle):
        assert long.api.get(f"{api}fairness/").status_code == 200
    client.force_login(table.gm)
    folds = Folds(type(play_battle_state.get_engine(long.battle)), monkeypatch)
    for path in (page, f"{page}report/", f"{page}replay/?step=3", f"{page}log.json", api):
        forgotten()
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert answer.getvalue()
        assert folds.longest <= FEW, path
    assert folds.longest, "something was folded"


@under(*FORETOLD)
def test_luck_that_was_told_once_is_told_again_from_a_few_records(long, table, monkeypatch):
    fairness = f"/api/v1/battles/{long.battle.pk}/fairness/"
    forgotten()
    folds = Folds(type(play_battle_state.get_engine(long.battle)), monkeypatch)
    told = long.api.get(fairness).json()
    assert folds.longest <= FEW
    forgotten()
    before = folds.records
    assert long.api.get(fairness).json() == told
    assert folds.records - before <= 3 * FEW  # how it stands now, before it turned and after
    for row in Weighing.objects.all():  # as it was written down before the phase was
        Weighing.objects.filter(pk=row.pk).update(found={k: v for k, v in row.found.items() if k != "phase"})
    assert long.api.get(fairness).json() == told
    assert folds.longest <= FEW
    assert len(look_back(table.gm, long.battle).casts) == Weighing.objects.count()

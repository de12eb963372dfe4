"""What is reckoned of a state is reckoned once, however many parts of a page or an answer ask for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from battles import folding
from tests.battles.frame.conftest import play


@pytest.fixture
def reckoned(gm, table, driver, monkeypatch) -> Counter[tuple[str, int]]:
    """How often summary and figures were asked of the law for each state, from now on."""
    play(gm, driver.before_orders(table))
    engine = type(folding.engine_of(gm.battle))
    asked: Counter[tuple[str, int]] = Counter()
    kept = []

    def counting(name: str) -> Any:
        own = getattr(engine, name)

        def ask(self: Any, state: Any) -> Any:
            kept.append(state)  # or its number would be given to another
            asked[name, id(state)] += 1
            return own(self, state)

        return ask

    for name in ("summary", "figures"):
        monkeypatch.setattr(engine, name, counting(name))
    folding._states.clear()
    return asked


def most(reckoned: Counter[tuple[str, int]], what: str) -> int:
    return max((times for (name, _state), times in reckoned.items() if name == what), default=0)


def test_a_page_asks_once(gm, table, client, reckoned):
    client.force_login(table.ana)
    assert client.get(f"/battles/{gm.battle.pk}/").status_code == 200
    assert (most(reckoned, "summary"), most(reckoned, "figures")) == (1, 1)


def test_a_command_and_its_answer_ask_once_before_and_once_after(gm, table, driver, reckoned):
    gm.ok(**driver.own(table))
    assert most(reckoned, "figures") == 1
    assert sum(times for (name, _state), times in reckoned.items() if name == "figures") <= 3

"""What is reckoned of a state is reckoned once, however many parts of a page or an answer ask for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from rules.hexbattle.law import HexBattles
from rules.law import BattleLaw
from tests.armies.weeks.test_walk import Counted
from tests.battles.frame.conftest import play
from tests.battles.frame.test_cold import forgotten
from tests.rulesets.drivers import sent_of


@pytest.fixture
def reckoned(gm, table, driver, monkeypatch) -> Counter[tuple[str, int]]:
    """How often summary, figures and what is legal were asked of the law for each state, and all cards of its face."""
    play(gm, driver.before_orders(table))
    engine = type(play_battle_state.get_engine(gm.battle))
    asked: Counter[tuple[str, int]] = Counter()
    kept = []

    def counting(name: str) -> Any:
        own = getattr(engine, name)

        def ask(self: Any, state: Any, *more: Any) -> Any:
            kept.append(state)  # or its number would be given to another
            asked[name, id(state)] += 1
            return own(self, state, *more)

        return ask

    for name in ("summary", "figures", "legal"):
        monkeypatch.setattr(engine, name, counting(name))
    face = get_battle_ui(play_battle_state.get_law(gm.battle))
    monkeypatch.setattr(type(face), "cards", _counted(type(face).cards, asked, kept))
    play_battle_state._states.clear()
    return asked


def _counted(own: Any, asked: Counter[tuple[str, int]], kept: list[Any]) -> Any:
    def cards(self: Any, state: Any, *more: Any) -> Any:
        kept.append(state)
        asked["cards", id(state)] += 1
        return own(self, state, *more)

    return cards


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


def asked_of(reckoned: Counter[tuple[str, int]], what: str) -> list[int]:
    return [times for (name, _state), times in reckoned.items() if name == what]


def test_a_phase_resolved_by_page_is_drawn_once_after_it(gm, table, driver, client, reckoned):
    """Before the dice fall nothing is drawn: only what the form asks is read."""
    ready(gm, table, driver)
    client.force_login(table.gm)
    play_battle_state._states.clear()
    reckoned.clear()
    sent = {**sent_of(driver, table), "version": Battle.objects.get(pk=gm.battle.pk).version}
    answer = client.post(f"/battles/{gm.battle.pk}/command/", sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.content
    assert Battle.objects.get(pk=gm.battle.pk).version == sent["version"] + 1
    assert asked_of(reckoned, "cards") == [1]
    assert max(asked_of(reckoned, "figures")) == 1
    own = type(play_battle_state.get_engine(gm.battle)).verdict
    plain = own in (BattleLaw.verdict, HexBattles.verdict)  # which look at both summaries themselves
    assert max(asked_of(reckoned, "summary")) <= (2 if plain else 1)
    assert asked_of(reckoned, "legal") == [1, 1]  # what may be sent, and what may be sent next


def ready(gm: Any, table: Any, driver: Any) -> Any:
    """The battle waits for its dice to fall."""
    while BattleRecord.objects.filter(battle=gm.battle, undone=False).exists():
        gm.ok(type="undo")
    play(gm, driver.before_dice(table))
    return driver.thrown(table)


# Queries of a process that has the battle in its memory, and of one that has not: 9 and 13, and what is asked once.
WARM, COLD = 11, 15


@pytest.mark.parametrize("most", [WARM, COLD], ids=["warm", "cold"])
def test_a_phase_resolved_asks_the_database_little(gm, table, driver, client, most):
    """By page, its answer drawn, and by the API, told in full."""
    command, page = ready(gm, table, driver), f"/battles/{gm.battle.pk}/"
    client.force_login(table.gm)
    assert client.get(page).status_code == 200
    sent = {**sent_of(driver, table), "version": Battle.objects.get(pk=gm.battle.pk).version}
    if most == COLD:
        forgotten()
    with Counted() as by_page:
        answer = client.post(f"{page}command/", sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    gm.ok(type="undo")
    gm.read()
    version = Battle.objects.get(pk=gm.battle.pk).version
    if most == COLD:
        forgotten()
    with Counted() as by_api:
        assert gm.send(version, **command).status_code == 200
    by_page.at_most(most)
    by_api.at_most(most)

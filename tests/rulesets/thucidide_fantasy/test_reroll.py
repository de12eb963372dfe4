"""A die thrown again (T-34): after undo, at the question and behind it, and from the state another process reads."""

from __future__ import annotations

import json
from typing import Any

from battles.codec import storage
from battles.log.queries import check_replay
from battles.models import Battle
from battles.play import battle_state
from rules.core.viewers import OMNISCIENT
from rules.thucidide_fantasy.battle.record import commands as c
from tests.rules.thucidide_fantasy.fights import Loaded
from tests.rulesets.thucidide_fantasy.test_play import Evening, casting, dealt
from tests.rulesets.thucidide_fantasy.test_secrecy import face


def favoured(table: Any) -> tuple[Evening, str, str]:
    """A god lets the realm throw a die again; its heavy foot, activated, stands beside the ogres, ready to fight."""
    evening = dealt(table, "divine-appeal")
    mage = casting(evening, "divine-appeal")
    dice = [face(mage, "divine", 6, 6), face(mage, "intervention", 2, 3)]
    evening.ana.ok(type="cast", caster=mage, spell="divine-appeal", targets=[], dice=dice)
    evening.end(4)
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    evening.activate("Heavy foot 1")
    evening.end(2)
    return evening, ours, ogres


def read_anew(evening: Evening) -> Any:
    """The state as a process reads it that has worked out nothing: from the nearest one that is stored."""
    battle_state._states.clear()
    return battle_state.load_state(Battle.objects.get(pk=evening.battle.pk))


def stored(battle: Battle, state: Any) -> Any:
    """The state written down as JSON and read again."""
    engine = battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    told = json.loads(json.dumps(keeper.dump_frozen(engine.freeze(state))))
    return engine.thaw(battle_state.load_opening(battle), keeper.load_frozen(told))


def test_t_34_the_question_comes_back_after_undo_and_from_what_is_stored(table, monkeypatch):
    monkeypatch.setattr(battle_state, "EVERY", 1)
    evening, ours, ogres = favoured(table)
    before = evening.state
    thrown = [face(ours, "attack", "green", "green", "red", "green", "green")]

    def attack() -> Any:
        evening.ana.ok(type="attack", unit=ours, target=ogres, dice=thrown)
        return read_anew(evening)

    asked = attack()
    assert (asked.fight.asks, asked.units[ogres].stands) == ("reroll", 5)
    assert stored(evening.battle, asked) == asked
    engine, command = battle_state.get_engine(evening.battle), c.RerollDie("attack", 0)
    told = [
        engine.decide(state, command, Loaded(attack="r"), OMNISCIENT)
        for state in (asked, stored(evening.battle, asked))
    ]
    assert told[0] == told[1]

    evening.gm.ok(type="undo")
    assert read_anew(evening) == before, "at the question"
    assert attack() == asked

    evening.ana.ok(type="reroll", roll="attack", index=0, dice=[face(ours, "attack", "red")])
    after = read_anew(evening)
    assert (after.units[ogres].stands, after.rerolls) == (3, ())
    evening.gm.ok(type="undo")
    assert read_anew(evening) == asked, "behind it the die can be thrown again"
    assert asked.rerolls

    evening.ana.ok(type="reroll", roll="attack", index=None)
    lies = read_anew(evening)
    assert (lies.units[ogres].stands, lies.rerolls) == (4, asked.rerolls)
    evening.gm.ok(type="undo")
    evening.ana.ok(type="reroll", roll="attack", index=2, dice=[face(ours, "attack", "green")])
    assert read_anew(evening).units[ogres].stands == 5
    assert check_replay(Battle.objects.get(pk=evening.battle.pk)).identical

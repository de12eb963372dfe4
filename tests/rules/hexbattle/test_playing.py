"""Odds by play under both hex laws: what a battle played out is, and what its odds hang on."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import pytest

from rules.core.viewers import ANYBODY, OMNISCIENT, Veil, Viewer
from rules.hexbattle import playing
from rules.hexbattle.playing import SeededDice, side_viewers
from rules.thucidide_fantasy.spec import TABLE
from rules.wing_command.battle.record.state import COMMAND, Aiming
from rules.wing_command.battle.spells import known_spells
from rules.wing_command.spec import GM
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.everyday import FULL, at_most
from tests.rules.thucidide_fantasy import fights as fantasy
from tests.rules.thucidide_fantasy import random_fights as random_fantasy
from tests.rules.thucidide_fantasy.battle.test_knowledge import grove, phantom
from tests.rules.wing_command import fights as wings
from tests.rules.wing_command import random_fights as random_wings

LAWS = pytest.mark.parametrize("law", [fantasy, wings], ids=["fantasy", "wings"])
SOME = at_most(2, full=20)


def begun(law: ModuleType, **more: Any) -> Any:
    if law is fantasy:
        return fantasy.begun(fantasy.realm(0), fantasy.dark_host(1), **more)
    return wings.begun(*wings.crown(0), *wings.horde(1), **more)


def told(law: ModuleType, state: Any, viewer: Viewer, first: int = 0, count: int = SOME) -> Any:
    return law.LAW.forecast.played(law.LAW.seen(state, viewer), viewer, 1, first, count)


def side(law: ModuleType, state: Any, number: int) -> Viewer:
    return law.side_viewer(state, number)


@LAWS
def test_the_same_question_has_the_same_answer_in_one_piece_or_in_several(law):
    state = begun(law)
    whole = told(law, state, OMNISCIENT, 0, 3)
    assert told(law, begun(law), OMNISCIENT, 0, 3) == whole
    parts = told(law, state, OMNISCIENT, 0, 1), told(law, state, OMNISCIENT, 1, 2)
    assert (*parts[0].battles, *parts[1].battles) == whole.battles
    assert len({str(one) for one in whole.battles}) > 1, "each battle has dice of its own"


@LAWS
def test_a_battle_played_out_is_the_one_the_law_decides(law):
    """Command by command, with what each side sees: a shorter way, and the same battle."""
    start = random_fantasy.start(1) if law is fantasy else random_wings.start(1)
    viewers, forecast = side_viewers(start.field), law.LAW.forecast
    short, long = Random("way"), Random("way")
    quick, slow = SeededDice(short), SeededDice(long)
    state = other = start
    for _command in range(at_most(60, full=400)):
        after = forecast.step(state, viewers, short, quick)
        if after is None or state.field.ended:
            break
        acting = law.whose(other) if law is fantasy else other.side
        command = law.next_command(law.LAW.seen(other, viewers[acting]), viewers[acting], long)
        other = law.LAW.fold(other, law.LAW.decide(other, command, slow, viewers[acting]))
        state = after
        assert (state.field.tokens, state.units) == (other.field.tokens, other.units)
    assert state != start


@LAWS
def test_from_anywhere_everybodys_battles_come_to_an_end(law):
    """With groves, phantoms, infiltrators, spells and reports on the way."""
    module = random_fantasy if law is fantasy else random_wings
    for seed in range(at_most(2, full=30)):
        for place, commands in enumerate((0, 25, 90)):
            start = module.start(seed)
            state = law.played(start, str(seed), most=commands)[0] if commands else start
            if state.field.ended:
                continue
            viewers = (OMNISCIENT, side(law, state, 0), side(law, state, 1), ANYBODY)
            for viewer in viewers if FULL else viewers[(seed + place) % 4 :][:1]:
                (battle,) = told(law, state, viewer, 0, 1).battles
                assert battle.decided, (seed, commands, viewer)
                assert battle.turns >= 1


@LAWS
def test_what_a_gm_would_report_is_decided_by_dice(law):
    """Where the table throws, and in the middle of a throw."""
    by_hand = fantasy.BattleOptions(combat=TABLE) if law is fantasy else wings.BattleOptions(combat=GM)
    state = begun(law, options=by_hand)
    for _command in range(400):
        if state.fight is not None if law is fantasy else state.blow is not None:
            break
        acting = law.whose(state) if law is fantasy else state.side
        viewer = side(law, state, acting)
        command = law.next_command(law.LAW.seen(state, viewer), viewer, Random("x"))
        state = law.LAW.fold(state, law.LAW.decide(state, command, law.Loaded("x"), viewer))
    else:
        raise AssertionError("nobody attacked")
    assert all(one.decided for one in told(law, state, OMNISCIENT).battles)


@LAWS
def test_a_battle_in_which_the_player_knows_no_further_is_undecided(law, monkeypatch):
    monkeypatch.setattr(playing, "MOST_COMMANDS", 3)
    (battle,) = told(law, begun(law), OMNISCIENT, 0, 1).battles
    assert (battle.decided, battle.winner) == (False, None)


@LAWS
def test_health_is_told_of_armies_whose_health_is_told(law):
    state = begun(law)
    own = next(iter(side(law, state, 0).armies))
    veiled = Viewer(armies=frozenset({own}), veil=Veil(health=True))
    (battle,) = told(law, state, veiled, 0, 1).battles
    assert own in battle.left
    assert not [army for army in battle.left if army not in side(law, state, 0).armies]


# Two states that look alike to a reader


def alike(law: ModuleType, one: Any, other: Any, viewer: Viewer) -> bool:
    return told(law, one, viewer) == told(law, other, viewer)


def test_cards_points_and_sheets_of_enemy_casters_move_no_odds():
    one = fantasy.begun(fantasy.realm(0), fantasy.dark_host(1))
    people = {
        key: person._replace(
            cards=("fear",), points=1, chosen=True, own=person.own._replace(points=30, cards=("fear", "fear"))
        )
        if person.own.casts and one.side_of(key) == 1
        else person
        for key, person in one.people.items()
    }
    other = one.but(people=people, opening=one.opening._replace(salt="another"))
    assert people != one.people
    assert alike(fantasy, one, other, side(fantasy, one, 0))
    assert alike(fantasy, one, other, ANYBODY)
    assert not alike(fantasy, one, other, OMNISCIENT)
    assert not alike(fantasy, one, other, side(fantasy, one, 1))


def test_a_phantom_is_played_as_the_unit_it_seems_to_be():
    now, false = phantom()
    real = now.state.but(units={**now.state.units, false: now.state.units[false]._replace(false=False)})
    assert alike(fantasy, now.state, real, side(fantasy, now.state, 1))
    assert not alike(fantasy, now.state, real, OMNISCIENT)


def test_a_grove_is_played_as_a_wood_whoever_stands_in_it():
    """The enemy's odds are the same whether it hides one unit or another, whole or worn."""
    now = grove()
    worn = now.state.with_stands(now.id("Own"), 1)
    assert alike(fantasy, now.state, worn, side(fantasy, now.state, 1))
    assert not alike(fantasy, now.state, worn, OMNISCIENT)


MAGE = WingCharacter("Bo", "mage", pentacle=2).judged(None)


def infiltrators(**places: str) -> Any:
    hosts = (
        wings.army("a", 0, "foot:Reds", "archers:Bows"),
        wings.army("b", 1, WingTroop("scouts", "Foe"), "foot:Levy", characters=(MAGE,)),
    )
    at = {"Reds": "C12", "Bows": "D12", "Chief a": "A14", "Foe": "C6", "Levy": "C3", "Bo": "C2", "Chief b": "P1"}
    return wings.Table(*hosts, places={**at, **places}, side=0, wing="a").set("Foe", posture="infiltrating")


def test_where_an_unseen_unit_lurks_moves_no_odds():
    one, other = infiltrators(), infiltrators(Foe="H6")
    assert alike(wings, one.state, other.state, side(wings, one.state, 0))
    assert alike(wings, one.state, other.state, ANYBODY)
    assert not alike(wings, one.state, other.state, side(wings, one.state, 1))


def test_the_chosen_spell_of_an_enemy_moves_no_odds():
    one, other = (infiltrators().set("Bo", activated=True) for _table in range(2))
    caster = one.ids["Bo"]
    spells = [spell.slug for spell in known_spells(one.state, caster)]
    one.set("Bo", spell=spells[0])
    other.set("Bo", spell=spells[-1])
    assert len(spells) > 1
    assert believed(wings, one.state, 0).units[caster].spell in spells
    assert alike(wings, one.state, other.state, side(wings, one.state, 0))
    assert believed(wings, one.state, 1).units[caster].spell == spells[0]


def believed(law: ModuleType, state: Any, number: int) -> Any:
    viewer = side(law, state, number)
    return law.LAW.forecast.believed(law.LAW.seen(state, viewer), viewer, Random("x"))


def test_the_target_of_an_enemy_spell_is_drawn_with_the_spell():
    now = infiltrators(Reds="C4")
    caster = now.ids["Bo"]
    now.state = now.state.but(phase=COMMAND, side=1, wing="", aiming=Aiming(caster, "firebolt"))
    found = believed(wings, now.state, 0).aiming
    assert found is None or found.spell in [spell.slug for spell in known_spells(now.state, caster)]
    assert all(one.decided for one in told(wings, now.state, side(wings, now.state, 0)).battles)

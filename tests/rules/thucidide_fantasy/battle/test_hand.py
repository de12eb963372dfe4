"""The GM's hand on traits, cards, masters, effects and graves (TF-9), and who is told of it."""

from __future__ import annotations

import pytest

from rules.core.viewers import Viewer
from rules.hexbattle.common import EffectEnded, Revealed
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Fight, Todo
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.battle.situation import bears, under
from rules.thucidide_fantasy.battle.spells.aiming import graves
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, side_viewer

MAGE = ContingentCharacter("Mage", "caster", cards=("armour", "grove", "slowness", "shackles"), points=20)
GM = Viewer(gm=True)


def table(phase: str = "spells", side: int = 0) -> Table:
    places = {"Own": "E6", "Mage": "E8", "Foe": "E4", "Bones": "J2", "Chief a": "A11", "Chief b": "J2"}
    foes = ("foot-heavy:Foe", ContingentUnit("skeletons", "Bones"))
    return Table(army("a", 0, "foot-medium:Own", people=(MAGE,)), army("b", 1, *foes), places=places, phase=phase,
                 side=side)  # fmt: skip


def by_hand(now: Table, what: str, field: str, value: object) -> c.Override:
    return c.Override(now.id(what), field, value, "the story")


def told(now: Table, side: int) -> list[str]:
    viewer = side_viewer(now.state, side)
    seen = LAW.seen(now.state, viewer)
    found = [LAW.witnessed(now.state, event, viewer) for event in now.events]
    return [str(LAW.describe(seen, event).text) for event in found if event is not None]


def test_a_trait_is_given_and_taken_and_everybody_is_told():
    now = table()
    own = now.id("Own")
    now.do(by_hand(now, "Own", "trait", "+invulnerable"))
    assert bears(now.state, own, "invulnerable")
    assert told(now, 1) == ["The GM gives Own a trait, Invulnerability: the story"]
    now.refused(by_hand(now, "Own", "trait", "+invulnerable"), "Choose one of")
    now.do(by_hand(now, "Own", "trait", "-invulnerable"))
    assert not bears(now.state, own, "invulnerable")
    now.do(by_hand(now, "Mage", "trait", "+morale"))
    assert bears(now.state, now.id("Mage"), "morale")


@pytest.mark.parametrize(
    ("what", "field", "value", "words"),
    [("Own", "trait", "armour", "Start with"), ("Own", "trait", 3, "Start with"), ("Own", "trait", "+moon", "Choose"),
     ("Own", "trait", "-armour", "Nothing to remove"), ("Own", "trait", "+tenacious", "Choose one of"),
     ("Mage", "trait", "+undead", "Choose one of"), ("Own", "card", "+fear", "Choose a caster"),
     ("Chief a", "card", "+fear", "This character can’t cast spells"), ("Mage", "card", "-fear", "-armour, -grove"),
     ("Mage", "card", "+moon", "Choose one of"), ("Own", "master", "Mage", "Only undead"),
     ("Bones", "master", "Mage", "Choose one of"), ("Own", "effect:fear", 1, "No effect is active there"),
     ("Z99", "effect:fear", 1, "Choose a unit"), ("Own", "grave", "E6", "This unit wasn’t destroyed")],
)  # fmt: skip
def test_what_can_t_be_set_is_refused_and_says_what_can(what, field, value, words):
    now = table()
    now.refused(c.Override(now.id(what), field, now.id(value) if field == "master" else value, "why"), words)


def test_who_becomes_undead_gets_a_master_and_loses_them_with_it():
    """C-3, TF-5.1: else it crumbled at the end of the turn."""
    now = table()
    now.do(by_hand(now, "Own", "trait", "+undead"))
    assert now.unit("Own").master == now.id("Mage")
    now.do(by_hand(now, "Own", "master", now.id("Chief a")))
    assert now.unit("Own").master == now.id("Chief a")
    now.do(by_hand(now, "Own", "trait", "-undead"))
    assert now.unit("Own").master == ""


def test_cards_are_given_and_taken_and_the_enemy_reads_nothing():
    now = table()
    now.do(by_hand(now, "Mage", "card", "+fear"))
    assert now.person("Mage").cards == (*MAGE.cards, "fear")
    assert now.event(e.Overridden).seen == (True, False)
    assert (told(now, 0), told(now, 1)) == (["The GM gives Mage a card, Fear spell: the story"], [])
    now.do(by_hand(now, "Mage", "card", "-slowness"))
    assert now.person("Mage").cards == ("armour", "grove", "shackles", "fear")
    now.now(options=now.state.options._replace(supply="points"))
    now.refused(by_hand(now, "Mage", "card", "+fear"), "set the points left")


def turns(now: Table, what: str, effect: str) -> int | None:
    found = (one for one in board(now.state, GM).effects if one.slug == effect)
    return next((one.left for one in found if what in (one.unit, one.hex)), None)


def test_an_effect_lasts_as_long_as_the_gm_says_and_ends_at_their_word():
    """The turns are those the board tells, whoever's phase it is (T-36)."""
    now = table().set("Mage", announced=True)
    now.cast("Mage", "armour", "Own")
    own = now.id("Own")
    assert turns(now, own, "armour") == 1
    now.do(by_hand(now, "Own", "effect:armour", 3))
    assert turns(now, own, "armour") == 3
    assert told(now, 1) == ["The GM sets Spell of armor on Own to 3 more turns: the story"]
    now.do(c.EndPhase())
    assert (turns(now, own, "armour"), now.state.side) == (3, 1)
    now.do(by_hand(now, "Own", "effect:armour", 1))
    assert turns(now, own, "armour") == 1
    now.refused(by_hand(now, "Own", "effect:fear", 1), "effect:armour")
    now.refused(by_hand(now, "Own", "effect:armour", -1), "from 0 to 30")
    now.do(by_hand(now, "Own", "effect:armour", 0))
    assert now.event(EffectEnded).effect.effect == "armour"
    assert under(now.state, own, "armour") is None
    assert "The GM ends Spell of armor on Own: the story" in told(now, 1)


def test_what_lies_on_a_hex_or_a_side_is_set_too():
    now = table().set("Mage", announced=True)
    now.cast("Mage", "shackles", "E7")
    now.do(by_hand(now, "E7", "effect:shackles", 2))
    assert turns(now, "E7", "shackles") == 2
    now.do(by_hand(now, "E7", "effect:shackles", 0))
    assert now.state.field.timers == ()
    assert not now.state.field.ground.overlays
    timer = now.events[-1].effect._replace(effect="double-flags", on=("side:0",), lays=())
    now.now(field=now.state.field.timed((timer,)))
    now.do(by_hand(now, "0", "effect:double-flags", 0))
    assert now.state.field.timers == ()


def test_a_grove_ends_by_hand_and_shows_its_unit_and_hides_what_is_set_in_it():
    now = table().set("Mage", announced=True)
    now.cast("Mage", "grove", "Own")
    now.do(by_hand(now, "Own", "trait", "+rapid"))
    assert told(now, 1) == []
    now.refused(by_hand(now, "Own", "effect:grove", 2), "A grove doesn’t count turns")
    now.do(by_hand(now, "Own", "effect:grove", 0))
    assert now.event(Revealed).unit == now.id("Own")
    assert not now.state.token(now.id("Own")).hidden
    assert not now.state.field.ground.overlays


def test_who_is_moved_out_of_a_grove_by_hand_is_seen_and_no_wood_stays():
    """T-70: it ends with any move. Who was with the unit is told of as soon as they are seen."""
    now = table().set("Mage", announced=True)
    now.cast("Mage", "grove", "Own")
    now.put("Mage", "E6")
    now.do(by_hand(now, "Mage", "trait", "+bell"))
    assert told(now, 1) == []
    now.do(by_hand(now, "Mage", "at", "E9"))
    assert now.event(e.Overridden).seen == (True, True)
    now.do(by_hand(now, "Own", "at", "C6"))
    assert not now.state.token(now.id("Own")).hidden
    assert not now.state.field.ground.overlays
    assert now.at("Own") == "C6"


def test_a_phantom_stays_what_it_seems_whatever_is_set_of_it():
    now = table()
    now.set("Own", false=True)
    for field, value in (("trait", "+armour"), ("melee", 3), ("at", "E7"), ("fought", True)):
        now.do(by_hand(now, "Own", field, value))
        assert now.event(e.Overridden).seen == (True, True)
        assert "phantom" not in " ".join(told(now, 1)).casefold()
    assert not LAW.seen(now.state, side_viewer(now.state, 1)).units[now.id("Own")].false


def test_a_grave_is_put_and_taken_and_who_rose_from_it_may_rise_again():
    now = table()
    foe = now.id("Foe")
    now.do(by_hand(now, "Foe", "stands", 0))
    assert list(graves(now.state)) == [("E4", foe)]
    now.now(used_graves=frozenset({foe}))
    now.refused(by_hand(now, "Foe", "grave", ""), "has no grave")
    now.do(by_hand(now, "Foe", "grave", "D9"))
    assert list(graves(now.state)) == [("D9", foe)]
    assert told(now, 0) == ["The GM sets the grave of Foe on D9: the story"]
    now.refused(by_hand(now, "Foe", "grave", "Z99"), "off the map")
    now.do(by_hand(now, "Foe", "grave", ""))
    assert list(graves(now.state)) == []
    now.refused(by_hand(now, "Foe", "trait", "+armour"), "has left the battle")


def test_turned_undead_stay_turned_as_long_as_the_gm_says():
    """T-33, T-93."""
    now = table()
    bones, mage = now.id("Bones"), now.id("Mage")
    now.now(field=now.state.field.put(bones, side=0)).set("Bones", turner=mage, turns_left=2)
    now.do(by_hand(now, "Bones", "effect:turn", 1))
    assert now.unit("Bones").turns_left == 2, "the phase that goes on counts for no turn"
    now.do(by_hand(now, "Bones", "effect:turn", 0))
    assert (now.unit("Bones").turner, now.state.side_of(bones)) == ("", 1)


@pytest.mark.parametrize("field", ["stands", "effect:turn"])
def test_nobody_falls_by_hand_while_a_combat_waits_for_an_answer(field):
    """What waits would be forgotten for who flees."""
    now = table().set("Bones", turner="x", turns_left=2)
    now.now(fight=Fight(now.id("Own"), now.id("Foe"), "report", -1, (Todo("throw"),)))
    now.refused(by_hand(now, "Bones", field, 0), "Answer the open question first")

"""The GM's hand on traits, cards, masters, effects and graves (TF-9), and who is told of it."""

from __future__ import annotations

import pytest

from rules.core.viewers import Viewer
from rules.hexbattle.common import EffectEnded, Revealed
from rules.hexbattle.setup import ChangeMap
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Fight, Reroll, Todo
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.battle.situation import bears, under
from rules.thucidide_fantasy.battle.spells.aiming import graves
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit
from rules.thucidide_fantasy.spec import BattleOptions
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
     ("Bones", "master", "Mage", "Choose one of"), ("Own", "effect:fear", 1, "effect:armour, "),
     ("Own", "effect:armour", 0, "No effect is active there"), ("Own", "announced", True, "Choose a caster"),
     ("Chief a", "announced", True, "Choose a caster"),
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
    now.do(by_hand(now, "Own", "master", ""))
    assert now.unit("Own").master == ""
    now.do(by_hand(now, "Own", "master", now.id("Mage")))
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


@pytest.mark.parametrize(("what", "effect"), [("Own", "armour"), ("Own", "slowness"), ("E7", "shackles"),
                                              ("Mage", "volley")])  # fmt: skip
def test_an_effect_begins_by_hand_without_a_caster_and_ends_when_its_turns_are_over(what, effect):
    now = table()
    on = now.id(what)
    now.do(by_hand(now, what, f"effect:{effect}", 2))
    assert turns(now, on, effect) == 2
    assert f"on {what} to 2 more turns" in told(now, 1)[0]
    assert dict(now.state.field.ground.overlays) == ({"E7": "mire"} if what == "E7" else {})
    before = now.state
    now.do(by_hand(now, what, f"effect:{effect}", 1))
    assert turns(now, on, effect) == 1
    now.now(**{name: getattr(before, name) for name in ("field",)})
    ends = [now.end() for _phase in range(13) if turns(now, on, effect)]
    assert turns(now, on, effect) is None
    assert len(ends) > 4, "it ran for more than a turn of both sides"


def test_what_only_a_caster_can_begin_is_no_effect_to_begin_by_hand():
    now = table()
    for what, effect in (("Foe", "repulsion"), ("Foe", "grove"), ("Own", "fear"), ("Mage", "armour"), ("E7", "armour")):
        now.refused(by_hand(now, what, f"effect:{effect}", 1), "Choose one of: effect:")
    now.put("Bones", "")
    now.refused(by_hand(now, "Bones", "effect:armour", 1), "No effect is active there")


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
    now.refused(by_hand(now, "Foe", "grave", "Z99"), "isn’t on the map")
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


# A combat that waits for an answer


def waiting_flight(**more: object) -> Table:
    """The foe's mage is alone and attacked: they have to flee."""
    places = {"Own": "E6", "Enemy": "E5", "Far": "M9", "Mate": "D2", "Chief a": "A11", "Chief b": "D2"}
    enemy = MAGE._replace(name="Enemy")
    now = Table(army("a", 0, "riders-medium:Own"), army("b", 1, "pike:Far", "pike:Mate", people=(enemy,)),
                places=places, **more)  # fmt: skip
    now.attack("Own", "Enemy")
    assert now.state.fight.asks == "flee"
    return now


def test_t_34_who_has_to_flee_is_asked_anew_from_where_the_gm_moves_them():
    now = waiting_flight()
    before = now.state.fight.options
    now.do(by_hand(now, "Enemy", "at", "F5"))
    assert now.state.fight.options != before
    now.do(c.FleeTo(now.id("Enemy"), now.state.fight.options[0]))
    assert now.state.fight is None


def test_t_34_who_is_moved_to_a_unit_has_not_to_flee():
    now = waiting_flight()
    now.do(by_hand(now, "Enemy", "at", "D2"))
    assert (now.state.fight, now.at("Enemy")) == (None, "D2")
    now.do(c.EndPhase())


def test_t_34_a_flight_waits_on_as_it_was_where_nothing_of_it_changed():
    now = waiting_flight()
    before = now.state.fight
    assert now.do(by_hand(now, "Own", "trait", "+armour")) == ["Overridden"]
    assert now.state.fight == before


def test_t_34_a_map_painted_meanwhile_closes_the_hexes_of_a_flight():
    now = waiting_flight()
    at = next(one for one in now.state.fight.options if one != "E5")
    now.do(ChangeMap({"command": "paint", "hexes": [at], "terrain": "lake"}, "a flood"))
    assert now.state.fight.asks == "flee"
    assert at not in now.state.fight.options


@pytest.mark.parametrize(("field", "value"), [("at", "A5"), ("effect:shackles", 1), ("trait", "+flyer")])
def test_t_34_a_flight_can_be_answered_whatever_the_gm_sets_meanwhile(field, value):
    now = waiting_flight()
    what = "E5" if field.startswith("effect") else "Own"
    now.do(by_hand(now, what, field, value))
    now.do(c.FleeTo(now.id("Enemy"), now.state.fight.options[0]))
    assert now.state.fight is None
    now.do(c.EndPhase())


def waiting_pursuit() -> Table:
    places = {"Own": "E6", "Foe": "E5", "Next": "D4", "Other": "M9", "Chief a": "A11", "Chief b": "M9"}
    foes = ("foot-medium:Foe", "foot-medium:Next", "foot-medium:Other")
    now = Table(army("a", 0, "riders-medium:Own"), army("b", 1, *foes), places=places).set("Foe", stands=1)
    now.attack("Own", "Foe", attack="rr")
    assert (now.state.fight.asks, now.state.fight.options) == ("pursue", (now.id("Next"),))
    return now


def test_t_34_a_pursuit_is_asked_anew_of_those_it_can_attack_now():
    now = waiting_pursuit()
    now.do(by_hand(now, "Other", "at", "E4"))
    assert set(now.state.fight.options) == {now.id("Next"), now.id("Other")}
    now.do(by_hand(now, "Next", "at", "A1"))
    assert now.state.fight.options == (now.id("Other"),)
    now.refused(c.PursueFoe(now.id("Own"), now.id("Next")), "Choose one of")
    now.do(c.PursueFoe(now.id("Own"), now.id("Other")), attack="gg")
    assert now.at("Own") == "E5"


@pytest.mark.parametrize(("what", "at"), [("Own", "H9"), ("Next", "A1"), ("Other", "E5")])
def test_t_34_a_pursuit_that_cannot_be_any_more_waits_for_nobody(what, at):
    now = waiting_pursuit()
    now.do(by_hand(now, what, "at", at))
    assert now.state.fight is None
    now.do(c.EndPhase())


@pytest.mark.parametrize("asks", ["report", "reroll"])
def test_t_34_who_has_part_in_a_throw_that_waits_stays_and_others_may_be_moved(asks):
    options = BattleOptions(combat="table" if asks == "report" else "engine")
    places = {"Own": "E6", "Foe": "E5", "Far": "M9", "Chief a": "A11", "Chief b": "M9"}
    now = Table(army("a", 0, "foot-heavy:Own"), army("b", 1, "foot-medium:Foe", "pike:Far"), places=places,
                options=options)  # fmt: skip
    if asks == "reroll":
        now.now(rerolls=(Reroll(1, 2),))
    now.attack("Own", "Foe")
    before = now.state.fight
    assert before.asks == asks
    for what in ("Own", "Foe"):
        now.refused(by_hand(now, what, "at", "A1"), f"{what}: pending roll")
    for what, field, value in (("Far", "at", "C3"), ("Foe", "stands", 3), ("Foe", "trait", "+armour"),
                               ("Own", "fought", False), ("Foe", "effect:armour", 1)):  # fmt: skip
        now.do(by_hand(now, what, field, value))
        assert now.state.fight == before


def test_t_34_a_god_asks_anew_near_where_the_gm_moves_the_caster():
    now = table()
    now.now(fight=Fight(now.id("Mage"), "", "god", 0, (Todo("god", now.id("Mage"), what="copy"),), (now.id("Own"),)))
    assert now.do(by_hand(now, "Foe", "at", "D9")) == ["Overridden"]
    now.do(by_hand(now, "Mage", "at", "K9"))
    assert now.state.fight.options == (now.id("Own"),)
    now.do(c.AnswerGod(unit=now.id("Own"), hex="J9"))
    assert now.state.fight is None

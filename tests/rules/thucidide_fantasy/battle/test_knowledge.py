"""What a side knows (H-5 … H-8, T-31, T-70): cards, phantoms and groves nobody else can tell."""

from __future__ import annotations

from rules.core.viewers import ANYBODY
from rules.hexbattle.setup import Place
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.contingent import ContingentCharacter
from tests.rules.thucidide_fantasy.fights import LAW, SALT, Table, army, side_viewer

FAR = {"Chief a": "A11", "Chief b": "M1"}
CARDS = ("phantom-troop", "grove", "dust-warriors", "fear")
MAGE = ContingentCharacter("Mage", "caster", points=20, cards=CARDS)


def table(**more):
    mine, theirs = army("a", 0, "pike:Own", "bows:Archers", people=(MAGE,)), army("b", 1, "pike:Foe")
    places = FAR | {"Own": "E9", "Archers": "D9", "Foe": "E2", "Mage": "E8"} | more.pop("places", {})
    return Table(mine, theirs, places=places, phase="spells", **more).set("Mage", announced=True)


def seen(now, side):
    return LAW.seen(now.state, side_viewer(now.state, side))


def told(now, event, side):
    viewer = side_viewer(now.state, side)
    return LAW.witnessed(seen(now, side), event, viewer)


def test_cards_and_points_left_are_the_owners():
    now = table()
    assert seen(now, 0).people[now.id("Mage")].cards == CARDS
    assert seen(now, 1).people[now.id("Mage")].cards == ()
    assert seen(now, 1).people[now.id("Mage")].points == 0
    assert seen(now, 1).opening.salt == ""
    assert now.state.opening.salt == SALT


def phantom():
    now = table()
    now.cast("Mage", "phantom-troop", "E6", "pike")
    return now, now.event(e.Summoned).token.id


def test_t_31_a_phantom_is_a_unit_like_any_other_on_the_enemys_page():
    now, false = phantom()
    assert seen(now, 0).units[false].false
    assert not seen(now, 1).units[false].false
    assert not LAW.seen(now.state, ANYBODY).units[false].false


def test_t_31_the_enemy_is_told_of_a_spell_and_of_a_unit_in_the_words_of_raised_ones():
    now, _false = phantom()
    cast, summoned = now.event(e.SpellCast), now.event(e.Summoned)
    assert told(now, cast, 0).spell == "phantom-troop"
    assert told(now, cast, 1) == e.SpellCast(now.id("Mage"), "", secret=True)
    assert not told(now, summoned, 1).unit.false
    one = LAW.describe(seen(now, 1), told(now, summoned, 1))
    other = table()
    other.cast("Mage", "dust-warriors", "E6")
    two = LAW.describe(seen(other, 1), told(other, other.event(e.Summoned), 1))
    assert one.text.template == two.text.template
    assert LAW.describe(seen(now, 1), told(now, cast, 1)).text.template == "{unit}: spell cast."


def test_t_31_a_phantom_is_called_like_a_unit_of_its_type_as_a_copy_is():
    now, false = phantom()
    assert now.state.name(false) == "Own"


def test_t_31_a_phantom_is_told_to_the_enemy_as_a_summoned_unit_and_never_to_its_owner():
    now, _false = phantom()
    before = LAW.summary(seen(table(), 0)).armies["a"]
    assert LAW.summary(seen(now, 0)).armies["a"] == before
    theirs = LAW.summary(seen(now, 1)).armies["a"]
    assert (theirs.health, theirs.health_max) == (before.health, before.health_max)
    assert str(theirs.besides) == "4 summoned stands, not counted"


def test_a_real_raised_unit_is_told_to_both_alike():
    now = table()
    now.cast("Mage", "dust-warriors", "E6")
    own, theirs = (LAW.summary(seen(now, side)).armies["a"] for side in (0, 1))
    assert own == theirs
    assert own.besides


def test_t_31_board_and_legal_do_not_tell_a_phantom_from_a_copy():
    now, false = phantom()
    units = {**now.state.units, false: now.state.units[false]._replace(false=False)}
    real = now.state.but(units=units)
    viewer = side_viewer(now.state, 1)
    one, two = LAW.seen(now.state, viewer), LAW.seen(real, viewer)
    assert one == two
    assert LAW.board(one, viewer) == LAW.board(two, viewer)
    assert LAW.summary(one) == LAW.summary(two)


def test_t_31_spells_other_than_shots_work_on_a_phantom_as_on_a_unit():
    now, false = phantom()
    now.set("Mage", cast=False).put("Mage", "E7")
    now.do(c.CastSpell(now.id("Mage"), "fear", (false,)), spell="fg")
    assert now.state.at(false) == "E7" or now.state.at(false) == "D7"


def grove():
    now = table(places={"Own": "E7"})
    now.cast("Mage", "grove", "Own")
    return now


def test_t_70_a_grove_is_a_wood_of_the_map_on_the_enemys_page():
    now = grove()
    viewer = side_viewer(now.state, 1)
    page = LAW.seen(now.state, viewer)
    assert now.id("Own") not in page.field.tokens
    assert now.id("Own") not in page.units
    assert page.field.ground.terrain("E7").slug == "wood"
    assert not page.field.timers
    assert not page.field.ground.overlays
    board = LAW.board(page, viewer)
    assert not board.effects
    assert not board.overlays
    assert LAW.seen(now.state, ANYBODY).field.ground.terrain("E7").slug == "wood"


def test_t_70_casting_a_grove_tells_the_enemy_only_that_a_spell_was_cast():
    now = grove()
    for event in now.events:
        found = told(now, event, 1)
        assert found is None or found == e.SpellCast(now.id("Mage"), "", secret=True)
    assert any(told(now, event, 0).effect.effect == "grove" for event in now.events if hasattr(event, "effect"))


def test_t_70_what_is_cast_on_a_unit_in_a_grove_its_own_side_alone_is_told():
    mage = ContingentCharacter("Healer", "caster", points=20, cards=("elite", "minor-healing"))
    mine = army("a", 0, "pike:Own", people=(MAGE, mage))
    places = FAR | {"Own": "E7", "Foe": "E2", "Mage": "E8", "Healer": "F8"}
    now = Table(mine, army("b", 1, "pike:Foe"), places=places, phase="spells")
    now.set("Mage", announced=True).set("Healer", announced=True).set("Own", stands=3)
    now.cast("Mage", "grove", "Own")
    for spell, faces in (("elite", ""), ("minor-healing", "ff")):
        now.set("Healer", cast=False).cast("Healer", spell, "Own", **({"spell": faces} if faces else {}))
        for event in now.events:
            found = told(now, event, 1)
            assert now.id("Own") not in str(found)
        assert any(now.id("Own") in str(told(now, event, 0)) for event in now.events)


def test_t_70_its_auras_and_its_support_rest():
    from rules.thucidide_fantasy.battle.situation import aura_near, foes, supported
    from rules.thucidide_fantasy.spec import BorneTrait

    now = grove().set("Own", traits=(BorneTrait("threat"),)).put("Archers", "E6").put("Foe", "F6")
    assert not aura_near(now.state, "F6", 0, "threat", 2)
    assert not supported(now.state, now.id("Archers"))
    assert now.id("Own") not in {token.id for token in foes(now.state, 1)}


def test_names_of_dice_and_units_leave_out_who_is_hidden():
    now = grove()
    viewer = side_viewer(now.state, 1)
    assert now.id("Own") not in LAW.summary(LAW.seen(now.state, viewer)).names


def test_setup_is_secret_until_both_sides_are_ready():
    from rules.hexbattle.setup import Place
    from tests.rules.thucidide_fantasy.fights import do, opening

    state = LAW.open(opening(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe")))
    own = next(unit for unit in state.units if state.side_of(unit) == 0)
    state, events = do(state, Place(own, "E11"))
    viewer = side_viewer(state, 1)
    assert LAW.seen(state, viewer).field.tokens[own].at == ""
    assert LAW.witnessed(LAW.seen(state, viewer), events[0], viewer) is None


def test_units_of_one_name_are_told_with_their_army_once_it_has_joined_and_when_read_again():
    now = table()
    pike = now.id("Own")
    late = army("c", 1, "pike:Own", leads=False)
    joined = LAW.fold(now.state, [e.ArmyJoined(late)])
    other = next(unit for unit, token in joined.field.tokens.items() if token.army == "c")
    for state in (joined, LAW.thaw(joined.opening, LAW.freeze(joined))):
        assert [state.told_name(unit) for unit in (pike, other)] == ["Own (Army a)", "Own (Army c)"]
        assert state.name_in_side(pike) == "Own", "on a button that shows whose it is"
    assert now.state.told_name(pike) == "Own"
    line = LAW.describe(LAW.seen(joined, side_viewer(joined, 0)), e.Activated(0, "", (pike,)))
    assert "Own (Army a)" in str(line.text)


def test_t_15_a_phantom_beside_which_the_gm_puts_an_enemy_is_shown_false():
    now, false = phantom()
    now.do(c.Override(now.id("Foe"), "at", "E5", "the fog lifts"))
    assert now.event(e.PhantomVanished).unit == false


def test_t_15_a_phantom_beside_which_reinforcements_enter_is_shown_false():
    """T-97."""
    now, false = phantom()
    now.state = now.state.but(field=now.state.field.put(false, at="H2"), side=1, phase="command")
    now.do(c.Reinforce(army("c", 1, "bows:Late", leads=False), 1))
    late = next(one for one in now.state.field.tokens.values() if one.name == "Late")
    assert not now.all(e.PhantomVanished)
    now.do(Place(late.id, "H1"))
    assert now.event(e.PhantomVanished).unit == false

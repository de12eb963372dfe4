"""Spells (TF-6, T-12 … T-16, T-32, T-36, T-57, T-59 … T-62, T-70, T-75 … T-80, T-91)."""

from __future__ import annotations

import pytest

from rules.hexbattle.common import EffectBegan, EffectEnded
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.combat.retreat import is_flammable
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT, AimedBlow, dice_of, level_of, lines_of
from rules.thucidide_fantasy.battle.paces import pace_of, reach_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Activation
from rules.thucidide_fantasy.battle.spells.spell_effects import EFFECTS
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, open_ground, side_viewer

FAR = {"Chief a": "A11", "Chief b": "M1"}
ALL = tuple(SPELLS) * 2
MAGE = ContingentCharacter("Mage", "caster", points=500, cards=ALL)


def table(*units, foes=("pike:Foe",), places=None, people=(), rivals=(), phase="spells", **more):
    mine = army("a", 0, *(units or ("pike:Own",)), people=(MAGE, *people))
    theirs = army("b", 1, *foes, people=rivals)
    places = FAR | {"Own": "A9", "Foe": "E5", "Mage": "E8"} | (places or {})
    now = Table(mine, theirs, places=places, phase=phase, **more)
    return now.set("Mage", announced=True) if phase == "spells" else now


def again(now):
    return now.set("Mage", cast=False)


# Announcing and casting (TF-6.1)


def announced(**more):
    return table(phase="movement", **more)


def test_a_caster_announces_a_spell_instead_of_moving_and_does_not_say_which():
    now = announced()
    now.do(c.AnnounceSpell(now.id("Mage")))
    now.refused(now.moving("Mage", "E9"), "A caster who announced a spell doesn’t move")
    assert now.event(e.SpellAnnounced) == e.SpellAnnounced(now.id("Mage"))


def test_t_62_who_moved_or_was_carried_does_not_cast():
    """TF-T 8: casting after moving."""
    now = announced()
    now.move("Mage", "E9")
    now.refused(c.AnnounceSpell(now.id("Mage")), "moved or fought")
    now = announced(places={"Own": "E8"})
    now.move("Own", "E9")
    now.refused(c.AnnounceSpell(now.id("Mage")), "moved or fought")


def test_t_62_who_was_carried_has_moved_though_set_down_where_they_were():
    """T-89: a hex beside the flyer's start and end."""
    now = table("dragon:Own", "pike:Load", places={"Own": "D8", "Load": "E8"}, phase="movement")
    now.do(now.moving("Own", "E9", carry=c.CarryLoad(now.id("Load"), "E8")))
    now.refused(c.AnnounceSpell(now.id("Mage")), "moved")


def test_t_91_not_beside_an_enemy_when_announcing_nor_when_casting():
    """TF-T 8: casting beside an enemy; T-12: the announcement lapses, the card is kept."""
    now = announced(places={"Foe": "E7"})
    now.refused(c.AnnounceSpell(now.id("Mage")), "enemy is next to")
    now = table(places={"Foe": "E7"})
    now.refused(now.casting("Mage", "fear", "Foe"), "enemy is next to")
    assert now.person("Mage").cards.count("fear") == 2
    now.end()


def test_t_21_flyers_beside_count_unless_the_house_rule_says_not():
    """T-8, D-2."""
    now = announced(foes=("dragon:Foe",), places={"Foe": "E7"})
    now.refused(c.AnnounceSpell(now.id("Mage")), "enemy is next to")
    now.now(options=now.state.options._replace(flyers_beside="not"))
    now.do(c.AnnounceSpell(now.id("Mage")))


def test_t_90_a_caster_with_an_activated_unit_needs_no_place():
    now = announced(places={"Own": "E8"}).set("Mage", activated=False)
    now.do(c.AnnounceSpell(now.id("Mage")))
    now = announced().set("Mage", activated=False)
    now.refused(c.AnnounceSpell(now.id("Mage")), "isn’t activated")


def test_a_leader_who_casts_activates_no_units():
    now = table(phase="movement")
    mage = now.id("Mage")
    now.now(activations=(Activation(mage, (now.id("Own"),)),))
    now.refused(c.AnnounceSpell(mage), "A leader who casts a spell can’t activate units")


def test_tf_6_1_a_leader_who_has_activated_characters_only_may_cast():
    """TF-6.1: who casts activates no units; of characters it doesn’t speak."""
    now = table(phase="movement")
    now.now(activations=(Activation(now.id("Mage"), ()),))
    now.do(c.AnnounceSpell(now.id("Mage")))


def test_one_spell_a_caster_and_turn_and_declining_is_free():
    now = table()
    now.cast("Mage", "fear", "Foe", spell="gg")
    now.refused(now.casting("Mage", "fear", "Foe"), "This caster has already cast a spell or declined this turn")
    now = table()
    now.do(c.DeclineSpell(now.id("Mage")))
    assert now.person("Mage").cards == ALL


def test_who_has_left_the_field_declines_nothing():
    now = table()
    now.now(field=now.state.field.put(now.id("Mage"), at="", gone="carried-home"))
    now.refused(c.DeclineSpell(now.id("Mage")), "announced no spell")


def test_a_card_is_spent_and_points_are_paid():
    """TF-6.2."""
    now = table().set("Mage", cards=("fear",))
    now.cast("Mage", "fear", "Foe", spell="gg")
    again(now).refused(now.casting("Mage", "fear", "Foe"), "doesn’t have this spell")
    now = table().set("Mage", points=3)
    now.now(options=now.state.options._replace(supply="points"))
    now.cast("Mage", "terror", "Foe", spell="gggg")
    again(now).refused(now.casting("Mage", "terror", "Foe"), "costs 2 points; the caster has 1")


def test_range_three_and_no_sight():
    """TF-6.3."""
    rows = ["............."] * 5 + ["....ww.......", "....ww......."] + ["............."] * 4
    now = table(map_=open_ground(terrain=rows))
    now.cast("Mage", "fear", "Foe", spell="gg")
    now = table(places={"Foe": "E4"})
    now.refused(now.casting("Mage", "fear", "Foe"), "too far")


# How long (T-36)


def test_t_36_next_ends_with_the_casters_next_spell_phase():
    now = table(places={"Own": "E7"})
    now.cast("Mage", "elite", "Own")
    lasting = [timer.effect for timer in now.state.field.timers]
    assert lasting == ["elite"]
    now.end()
    assert now.state.side == 1
    now.end(3)
    now.end(2)
    assert now.state.field.timers
    now.end()
    assert not now.state.field.timers
    assert now.event(EffectEnded).effect.effect == "elite"


def test_t_36_two_lasts_a_turn_more():
    now = table()
    now.cast("Mage", "darkness", "E5")
    now.end(1)
    now.end(6)
    assert now.state.field.timers
    now.end(6)
    assert not now.state.field.timers


def test_t_36_an_effect_ends_with_its_piece_and_not_with_its_caster():
    now = table(places={"Own": "E7"})
    now.cast("Mage", "elite", "Own")
    now.do(c.Override(now.id("Mage"), "at", "A1", "gone"))
    assert now.state.field.timers
    now.do(c.Override(now.id("Own"), "stands", 0, "gone"))
    assert not now.state.field.timers


def test_t_13_the_same_spell_twice_does_not_add():
    now = table(places={"Own": "E7", "Foe": "E6"})
    now.cast("Mage", "elite", "Own")
    again(now).cast("Mage", "elite", "Own")
    assert dice_of(now.state, AimedBlow(now.id("Own"), now.id("Foe"), MELEE, "E7", "E6")) == 5
    assert len(now.state.field.timers) == 1


# Spells on friends


def blow(now, how=MELEE):
    return AimedBlow(now.id("Own"), now.id("Foe"), how, now.at("Own"), now.at("Foe"))


@pytest.mark.parametrize(("spell", "level"), [("armour", 5), ("blessing", 6)])
def test_armour_and_blessing(spell, level):
    now = table(places={"Own": "E7"})
    now.cast("Mage", spell, "Own")
    assert level_of(now.state, now.id("Own"), now.id("Foe"), ranged=False, foul=False) == level


def test_elite_and_slowness_change_the_dice():
    now = table(places={"Own": "E7", "Foe": "E6"})
    now.cast("Mage", "elite", "Own")
    assert dice_of(now.state, blow(now)) == 5
    again(now).cast("Mage", "slowness", "Foe")
    foe = AimedBlow(now.id("Foe"), now.id("Own"), MELEE, "E6", "E7")
    assert dice_of(now.state, foe) == 3
    assert pace_of(now.state, now.id("Foe"))[:2] == (0, 1)


def test_speed_is_rapid():
    """T-52."""
    now = table(places={"Own": "E7"})
    now.cast("Mage", "speed", "Own")
    assert pace_of(now.state, now.id("Own"))[:2] == (2, 3)


def test_enthusiasm_ignores_two_flags_and_fanaticism_all():
    from rules.thucidide_fantasy.battle.combat.retreat import flags_of

    now = table(places={"Own": "E7"})
    now.cast("Mage", "enthusiasm", "Own")
    assert flags_of(now.state, now.id("Own"), 3).left == 1
    now = table(places={"Own": "E7"})
    now.cast("Mage", "fanaticism", "Own")
    assert flags_of(now.state, now.id("Own"), 3).left == 0


def test_t_57_immunity_is_proof_against_undead_too():
    now = table(places={"Own": "E7", "Foe": "E6"}, foes=("skeletons:Foe",))
    assert dice_of(now.state, blow(now)) == 3
    now.cast("Mage", "immunity", "Own")
    assert dice_of(now.state, blow(now)) == 4


def test_healing_never_exceeds_the_stands_at_the_start():
    """TF-6.4, TF-T 2."""
    now = table(places={"Own": "E7"}).set("Own", stands=3)
    now.cast("Mage", "total-healing", "Own", spell="ffaa")
    assert now.unit("Own").stands == 4
    now = table(places={"Own": "E7"}).set("Own", stands=1)
    now.cast("Mage", "minor-healing", "Own", spell="fa")
    assert now.unit("Own").stands == 2
    now = table(places={"Own": "E7"}).set("Own", stands=1)
    now.cast("Mage", "major-healing", "Own", spell="fa")
    assert now.unit("Own").stands == 3


def test_a_bell_limits_magic_against_its_bearer_to_one_die():
    """TF-6.4: each shot of its own."""
    now = table(places={"Own": "E7"})
    now.cast("Mage", "bell", "Own")
    assert dice_of(now.state, AimedBlow(now.id("Foe"), now.id("Own"), SHOT, "E5", "E7")) == 1
    from rules.thucidide_fantasy.spec import BorneTrait

    now = table().set("Foe", traits=(BorneTrait("bell"),))
    now.cast("Mage", "rain-of-fire", "Foe", spell="rr")
    assert now.unit("Foe").stands == 2


# Attacks morale


def test_a_blow_to_morale_is_a_flag_that_support_does_not_ignore():
    """TF-6.4, TF-T 2."""
    now = table(foes=("pike:Foe", "pike:L", "pike:R"), places={"L": "D5", "R": "F5"})
    now.cast("Mage", "fear", "Foe", spell="fg")
    assert now.event(e.FlagsCounted).left == 1
    assert now.at("Foe") == "E4"
    now = table(foes=("skeletons:Foe",))
    now.cast("Mage", "fear", "Foe", spell="fa")
    assert now.event(e.FlagsCounted).left == 0


def test_vade_retro_retreats_two_hexes_and_the_rest_is_void():
    now = table()
    now.cast("Mage", "vade-retro", "Foe")
    assert now.at("Foe") == "F3"
    now = table(places={"Foe": "E2", "Mage": "E5"})
    now.cast("Mage", "vade-retro", "Foe")
    assert now.unit("Foe").stands == 4
    assert now.at("Foe") == "F1"


# Shots of spells


def test_magic_arrows_are_a_shot_of_three_dice_without_letters():
    """T-65: letters of spells win nothing."""
    now = table(foes=("foot-medium:Foe",))
    now.cast("Mage", "magic-arrows", "Foe", spell="bll")
    assert now.unit("Foe").stands == 3
    assert now.state.counters == (0, 0)


def test_the_word_of_power_counts_advantages_as_flags():
    now = table()
    now.cast("Mage", "word-of-power", "Foe", spell="aag")
    assert now.event(e.FlagsCounted).flags == 2
    assert now.at("Foe") == "F3"


def test_t_78_hostile_spells_name_heroes_and_of_others_only_those_alone():
    rivals = (
        ContingentCharacter("Rival", "hero", "medium", melee=1, resistance=3),
        ContingentCharacter("Sage", "useful"),
    )
    now = table(rivals=rivals, places={"Rival": "E5", "Sage": "E5"})
    now.refused(now.casting("Mage", "word-of-power", "Sage"), "valid target")
    now.cast("Mage", "word-of-power", "Rival", spell="rgg")
    assert now.person("Rival").left == 2
    now = table(rivals=rivals, places={"Rival": "M9", "Sage": "E6"})
    now.cast("Mage", "word-of-power", "Sage", spell="rgg")
    assert now.state.fight.asks == "flee"
    now = table(rivals=rivals, places={"Rival": "E5", "Sage": "E5"})
    now.refused(now.casting("Mage", "magic-arrows", "Rival"), "valid target")


def test_t_80_shots_at_a_unit_follow_it_and_the_rest_is_lost_with_it():
    now = table()
    now.cast("Mage", "rain-of-fire", "Foe", spell="fgrg")
    assert (now.at("Foe"), now.unit("Foe").stands) == ("E4", 3)
    now = table().set("Foe", stands=1)
    now.cast("Mage", "fire-storm", "Foe", spell="rgg")
    assert now.gone("Foe") == "destroyed"


def test_t_80_fire_on_a_hex_strikes_who_is_there_and_lights_it():
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    wood = open_ground(terrain=rows)
    now = table(places={"Foe": "M9"}, map_=wood)
    now.cast("Mage", "rain-of-fire", "E5", spell="gagg")
    assert now.event(EffectBegan).effect.effect == "lit"
    now = table(places={"Own": "E5", "Foe": "M9"}, map_=wood)
    now.cast("Mage", "rain-of-fire", "E5", spell="rggg")
    assert now.unit("Own").stands == 3


# Hexes


def test_shackles_stop_and_leave_two_dice_for_who_is_on_the_ground():
    """T-50: flyers don't mind."""
    now = table("pike:Own", "dragon:Fly", places={"Own": "E6", "Fly": "D5"})
    now.cast("Mage", "shackles", "E5")
    assert dice_of(now.state, blow(now)) == 2
    fly = AimedBlow(now.id("Fly"), now.id("Foe"), MELEE, "D5", "E5")
    assert dice_of(now.state, fly) == 4
    now.put("Foe", "M9")
    now.now(phase="movement")
    now.set("Own", activated=True)
    now.refused(now.moving("Own", path=("E5", "E4")), "has to end its move on E5")


def test_t_60_darkness_takes_a_die_and_hides_all_but_neighbours():
    now = table("bows:Own", "dragon:Fly", places={"Own": "E7", "Fly": "D5"})
    now.cast("Mage", "darkness", "E5")
    assert dice_of(now.state, blow(now, SHOT)) == 1
    assert dice_of(now.state, AimedBlow(now.id("Fly"), now.id("Foe"), MELEE, "D5", "E5")) == 3
    now.now(phase="combat")
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "out of sight")
    assert SPELLS["darkness"].range == 5


def test_t_59_allied_nature_is_open_to_friends_and_closed_to_enemies():
    """T-16, T-76."""
    rows = ["............."] * 4 + ["...www......."] + ["............."] * 6
    wood = open_ground(terrain=rows)
    now = table("foot-light:Own", places={"Own": "E6", "Foe": "E3"}, map_=wood)
    now.refused(now.casting("Mage", "allied-nature", "D5", "F5"), "adjacent hexes")
    now.refused(now.casting("Mage", "allied-nature", "E7"), "adjacent hexes")
    now.cast("Mage", "allied-nature", "D5", "E5", "F5")
    now.now(phase="movement")
    assert "E4" in reach_of(now.state, now.id("Own"))
    assert "E5" not in reach_of(now.state, now.id("Foe"))
    now.put("Foe", "E5")
    assert dice_of(now.state, blow(now)) == 2
    assert dice_of(now.state, AimedBlow(now.id("Foe"), now.id("Own"), MELEE, "E5", "E6")) == 4


# Spells that bind


def binding(spell):
    now = table(foes=("foot-light:Foe",))
    now.cast("Mage", spell, "Foe")
    now.end()
    now.set("Foe", activated=True).now(phase="movement")
    return now


def test_stop_lets_a_unit_move_only_toward_its_own_edge():
    now = binding("stop")
    now.refused(now.moving("Foe", "F5"), "toward its own edge")
    now.move("Foe", "F3")


def test_t_29_repulsion_has_to_be_obeyed_before_the_phase_ends():
    now = binding("repulsion")
    now.refused(c.EndPhase(), "must act first")
    now.refused(now.moving("Foe", "E6"), "away from the caster")
    now.move("Foe", "E4")
    now.end()


def test_t_36_repulsion_by_a_caster_who_is_gone_binds_nobody():
    now = binding("repulsion").put("Mage", "")
    now.end()


def test_t_14_hatred_forces_only_who_is_activated():
    now = table(foes=("foot-light:Foe",), places={"Own": "E6"})
    now.cast("Mage", "hatred", "Foe")
    now.end()
    now.end(3)
    now = table(foes=("foot-light:Foe",), places={"Own": "E6"})
    now.cast("Mage", "hatred", "Foe")
    now.end()
    now.set("Foe", activated=True).now(phase="combat")
    now.refused(c.EndPhase(), "must act first")


def test_t_75_farewell_brings_a_unit_to_its_own_base_line():
    now = table()
    now.cast("Mage", "farewell", "Foe")
    assert now.at("Foe") in ("D1", "E1", "F1", "G1", "C1")
    lich = ContingentCharacter("Lich", "caster")
    now = table(foes=("skeletons:Foe",), rivals=(lich,), places={"Lich": "E6"})
    now.cast("Mage", "farewell", "Foe")
    assert now.at("Foe")[1:] == "2"


# Counterspell


def test_t_13_counterspell_ends_a_running_spell_and_not_what_it_has_done():
    now = table()
    now.refused(now.casting("Mage", "counterspell", "Foe", "slowness"), "Choose a spell that is active there")
    now.cast("Mage", "slowness", "Foe")
    again(now).cast("Mage", "counterspell", "Foe", "slowness")
    assert not now.state.field.timers
    again(now).cast("Mage", "darkness", "E5")
    again(now).cast("Mage", "counterspell", "E5", "darkness")
    assert not now.state.field.timers


# Rebound and volley (T-32)


def rebounding(**more):
    now = table("pike:Own", places={"Own": "E6"} | more.pop("places", {}), **more)
    now.cast("Mage", "rebound", "Own")
    now.now(phase="combat", side=1).set("Foe", activated=True)
    return now


def test_t_32_rebound_turns_blows_against_who_strikes():
    now = rebounding()
    kinds = now.attack("Foe", "Own", attack="rfga")
    assert now.unit("Own").stands == 4
    assert now.unit("Foe").stands == 3
    assert now.at("Foe") == "E4"
    assert kinds.count("CombatOpened") == 1


def test_t_32_rebound_turns_shots():
    now = rebounding(foes=("bows:Foe",), places={"Foe": "E4"})
    now.shoot("Foe", "Own", shot="gb")
    assert now.unit("Foe").stands == 2


def test_t_32_volley_turns_enemy_spells_and_lets_a_friends_through():
    mage = ContingentCharacter("Lich", "caster", points=500, cards=ALL)
    now = table("pike:Own", places={"Own": "E6", "Lich": "E4", "Foe": "E4"}, rivals=(mage,))
    now.cast("Mage", "volley", "Own")
    again(now).cast("Mage", "elite", "Own")
    assert any(timer.effect == "elite" for timer in now.state.field.timers)
    now.now(side=1).set("Lich", announced=True)
    now.cast("Lich", "slowness", "Own")
    assert now.event(e.Rebounded).at == now.id("Foe")
    assert [timer.on for timer in now.state.field.timers if timer.effect == "slowness"] == [(now.id("Foe"),)]
    now.set("Lich", cast=False)
    now.cast("Lich", "magic-arrows", "Own", spell="rgg")
    assert now.unit("Foe").stands == 3
    now.set("Lich", cast=False)
    now.cast("Lich", "repulsion", "Own")
    assert now.event(e.Rebounded).at == ""


def test_t_32_a_turned_shot_strikes_a_caster_alone_and_any_other_spell_is_lost():
    mage = ContingentCharacter("Lich", "caster", points=500, cards=ALL)
    now = table("pike:Own", places={"Own": "E6", "Lich": "E3", "Foe": "M9"}, rivals=(mage,))
    now.cast("Mage", "volley", "Own")
    now.now(side=1).set("Lich", announced=True)
    now.cast("Lich", "slowness", "Own")
    assert now.event(e.Rebounded).at == ""
    now.set("Lich", cast=False)
    now.cast("Lich", "magic-arrows", "Own", spell="rgg")
    assert now.state.fight.asks == "flee"


# Phantoms and groves


def phantom(**more):
    places = {"Archers": "B9"} | more.pop("places", {})
    now = table("pike:Own", "bows:Archers", places=places, **more)
    now.cast("Mage", "phantom-troop", "E7", "pike")
    return now, now.event(e.Summoned).token.id


def test_t_31_a_phantom_is_of_a_type_that_neither_shoots_nor_is_undead():
    now, _false = phantom()
    again(now).refused(now.casting("Mage", "phantom-troop", "E6", "bows"), "doesn’t shoot and isn’t undead")
    now.refused(now.casting("Mage", "phantom-troop", "E6", "ogres"), "doesn’t shoot and isn’t undead")


def test_t_15_a_phantom_is_gone_when_attacked_shot_at_or_beside_an_enemy():
    now, false = phantom(places={"Foe": "E4"})
    now.now(phase="movement").set("Own", activated=True)
    now.now(units={**now.state.units, false: now.state.units[false]._replace(doing=now.unit("Own").doing)})
    kinds = now.do(c.MovePiece(false, to="E5"))
    assert "PhantomVanished" in kinds
    now, false = phantom(foes=("bows:Foe",), places={"Foe": "E4"})
    now.now(phase="combat", side=1).set("Foe", activated=True)
    now.do(c.OpenShot(now.id("Foe"), false))
    assert now.state.token(false).gone == "vanished"
    assert now.unit("Foe").doing.fought


def test_t_15_t_31_a_phantom_is_forced_to_move_as_a_unit_is():
    now, false = phantom(places={"Foe": "E2"})
    zealous = now.unit("Own").own._replace(temper="fanatic")
    busy = now.unit("Own").doing._replace(activated=True)
    now.now(
        phase="movement", units={**now.state.units, false: now.state.units[false]._replace(own=zealous, doing=busy)}
    )
    now.refused(c.EndPhase(), "must act first")


def test_t_15_a_phantom_supports_nobody_and_is_not_counted():
    from rules.thucidide_fantasy.battle.activation import bracket_of
    from rules.thucidide_fantasy.battle.situation import supported

    now = table("pike:Own", "pike:Mate", places={"Own": "F7", "Mate": "G7"})
    now.cast("Mage", "phantom-troop", "E7", "pike")
    assert not supported(now.state, now.id("Own"))
    assert bracket_of(now.state, 0) == (1, 3)


def hidden():
    now = table("bows:Own", foes=("bows:Foe",), places={"Own": "E6", "Foe": "E3"})
    now.cast("Mage", "grove", "Own")
    return now


def test_t_70_a_unit_in_a_grove_is_not_named_attacked_or_shot_at():
    now = hidden()
    now.now(phase="combat", side=1).set("Foe", activated=True)
    now.refused(c.OpenShot(now.id("Foe"), now.id("Own")), "This enemy isn’t in sight")
    assert now.id("Own") not in LAW.seen(now.state, side_viewer(now.state, 1)).field.tokens
    assert now.id("Own") in LAW.seen(now.state, side_viewer(now.state, 0)).field.tokens


def test_t_16_a_grove_covers_who_is_with_the_unit_too():
    bo = ContingentCharacter("Bo", "hero", "medium", melee=2, resistance=3)
    now = table("bows:Own", foes=("bows:Foe",), places={"Own": "E6", "Foe": "E5", "Bo": "E6"}, people=(bo,))
    now.cast("Mage", "grove", "Own")
    now.now(phase="combat", side=1).set("Foe", activated=True)
    assert now.id("Bo") not in LAW.seen(now.state, side_viewer(now.state, 1)).field.tokens
    now.refused(c.OpenMelee(now.id("Foe"), now.id("Bo")), "This enemy isn’t in sight")


def test_t_70_who_would_enter_a_grove_ends_the_move_before_it():
    now = hidden()
    now.now(phase="movement", side=1).set("Foe", activated=True)
    now.put("Foe", "E4")
    kinds = now.do(c.MovePiece(now.id("Foe"), path=("E5", "E6")))
    assert now.at("Foe") == "E5"
    assert "Revealed" in kinds
    assert not now.state.token(now.id("Own")).hidden


def test_t_70_a_grove_ends_with_a_move_or_shot_of_its_own():
    now = hidden()
    now.now(phase="movement").set("Own", activated=True)
    now.move("Own", "E7")
    assert not now.state.token(now.id("Own")).hidden
    now = hidden()
    now.now(phase="combat").set("Own", activated=True)
    now.shoot("Own", "Foe", shot="gg")
    assert not now.state.token(now.id("Own")).hidden


def test_t_70_retreats_find_the_hex_of_a_grove_closed_and_end_nothing():
    from rules.thucidide_fantasy.battle.combat.retreat import step_home

    now = hidden().put("Own", "E4").put("Foe", "E5")
    rows_closed = step_home(now.state, now.id("Foe"), "E5")
    assert rows_closed == "D4"
    assert now.state.token(now.id("Own")).hidden


def test_t_70_what_would_appear_in_a_grove_does_not_and_the_grove_ends():
    mage = ContingentCharacter("Lich", "caster", points=500, cards=ALL)
    now = table("bows:Own", places={"Own": "E5", "Foe": "M9", "Lich": "E4"}, rivals=(mage,))
    now.cast("Mage", "grove", "Own")
    now.now(side=1).set("Lich", announced=True).put("Lich", "E3")
    kinds = now.cast("Lich", "dust-warriors", "E5")
    assert "Summoned" not in kinds
    assert not now.state.token(now.id("Own")).hidden


def test_t_12_nobody_appears_on_ground_that_the_enemys_nature_closes():
    now = table(
        places={"Mage": "E5"},
        map_=open_ground(terrain=["............."] * 3 + ["...wA........"] * 2 + ["............."] * 6),
    )
    lich = now.id("Chief b")
    now.now(field=now.state.field.timed([Timer("allied-nature", ("D4",), lich, 1, "spells", 2)]))
    now.refused(now.casting("Mage", "dust-warriors", "D4"), "isn’t empty")
    now.refused(now.casting("Mage", "phantom-troop", "D4", "pike"), "isn’t empty")
    now.refused(now.casting("Mage", "dust-warriors", "E4"), "isn’t empty")
    now.now(field=now.state.field.timed([Timer("allied-nature", ("E4",), now.id("Chief a"), 0, "spells", 2)]))
    assert "Summoned" in now.cast("Mage", "dust-warriors", "E4")


def test_t_12_what_flies_may_appear_over_any_ground():
    """T-50: farewell brings a flyer to its base line whatever lies there, a phantom of flyers is no worse."""
    rows = ["A" * 13, *["............."] * 6, "....A........", *["............."] * 3]
    flyers = ContingentUnit("tigers", "Birds", traits=(BorneTrait("flyer"),))
    now = table("pike:Own", flyers, foes=(flyers._replace(name="Foe"),), map_=open_ground(terrain=rows),
                places={"Birds": "K9", "Mage": "E9"})  # fmt: skip
    now.refused(now.casting("Mage", "phantom-troop", "E8", "pike"), "isn’t empty")
    assert "Summoned" in now.cast("Mage", "phantom-troop", "E8", "tigers")
    again(now.put("Foe", "E6")).cast("Mage", "farewell", "Foe")
    assert now.at("Foe")[1:] == "1"
    now = table(map_=open_ground(terrain=rows), places={"Mage": "E8"})
    now.refused(now.casting("Mage", "farewell", "Foe"), "No free hex is left for this unit")


def test_hx_5_4_a_grove_is_no_wood_to_its_own_side():
    """TF-6.3: it looks like one. Nothing of it shelters or burns."""
    now = table("bows:Own", "bows:Mate", places={"Own": "E6", "Mate": "E7", "Foe": "E2", "Mage": "D8"})
    now.cast("Mage", "grove", "Own")
    assert "D5" in reach_of(now.state, now.id("Mate"))
    assert not is_flammable(now.state, "E6")


def test_t_2_who_is_stopped_by_a_grove_fights_if_the_hexes_walked_allow_it():
    now = hidden()
    now.now(phase="movement", side=1).set("Foe", activated=True, move=1, calm=2).put("Foe", "E4")
    now.do(c.MovePiece(now.id("Foe"), path=("E5", "E6")))
    assert now.at("Foe") == "E5"
    assert not now.unit("Foe").doing.far


def test_hx_2_4_what_burns_is_still_an_element():
    """T-16; TF-1.5: and mire takes no shelter from those who stand in houses."""
    rows = ["............."] * 6 + ["...ww........"] + ["............."] * 4
    now = table(map_=open_ground(terrain=rows), places={"Own": "E7"})
    fire = Timer("lit", ("D7",), "", 1, "spells", 3, (("D7", "fire"),))
    mire = Timer("shackles", ("E7",), "", 1, "spells", 2, (("E7", "mire"),))
    now.now(field=now.state.field.timed([fire, mire]))
    sheltered = AimedBlow(now.id("Foe"), now.id("Own"), MELEE, "E6", "E7")
    assert "target in shelter" in [str(line.label) for line in lines_of(now.state, sheltered)]
    now.cast("Mage", "allied-nature", "D7", "E7")


def test_stop_and_repulsion_forbid_to_walk_and_come_back():
    for spell, words in (("stop", "toward its own edge"), ("repulsion", "away from the caster")):
        now = binding(spell)
        now.refused(c.MovePiece(now.id("Foe"), path=("F5", "E5")), words)


def test_every_spell_of_the_law_has_an_effect():
    from rules.thucidide_fantasy.battle.spells.spell_effects import PHASES_OF

    assert len(SPELLS) == 36
    for slug, spell in SPELLS.items():
        assert (spell.effect or slug) in EFFECTS or spell.lasts in PHASES_OF, slug

"""Appeals to a god (TF-7, T-17, T-34, T-61, T-82, T-83, T-96, T-98)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.adjustments import LastingAdjustment
from rules.hexbattle.common import EffectBegan
from rules.pending import AnswerCommand
from rules.thucidide_fantasy.battle.combat.retreat import flags_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Reroll
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.grimoire import APPEALS, INTERVENTIONS, divine
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, open_ground, side_viewer

FAR = {"Chief a": "A11", "Chief b": "M1"}
MAGE = ContingentCharacter("Mage", "caster", points=500, cards=("divine-appeal", "fear"))


def table(*units, foes=("pike:Foe",), places=None, people=(), adjustments=(), **more):
    mine = army("a", 0, *(units or ("pike:Own",)), people=(MAGE, *people), adjustments=adjustments)
    theirs = army("b", 1, *foes)
    places = FAR | {"Own": "E9", "Foe": "E5", "Mage": "E8"} | (places or {})
    now = Table(mine, theirs, places=places, phase=more.pop("phase", "spells"), **more)
    return now.set("Mage", announced=True).now(consents=(True, True))


def appeal(now, divine="66", intervention=None):
    told = {"divine": [int(face) for face in divine]}
    if intervention:
        told["intervention"] = [int(face) for face in intervention]
    return now.cast("Mage", "divine-appeal", **told)


def test_the_tables_of_the_gods():
    """TF-7, TF-T 5: result 12 is 1/432."""
    ways = {total: 6 - abs(total - 7) for total in range(2, 13)}

    def cases(table):
        found: dict[str, int] = {}
        for total, number in ways.items():
            slug = divine(table, total)
            found[slug] = found.get(slug, 0) + number
        return found

    assert cases(APPEALS) == {"angry": 1, "ignored": 20, "carried-home": 12, "intervention": 3}
    assert list(cases(INTERVENTIONS).values()) == [3, 18, 5, 4, 3, 2, 1]
    assert Fraction(3, 36) * Fraction(1, 36) == Fraction(1, 432)


def test_an_appeal_by_the_spell_needs_the_opponents_consent():
    """TF-T 8, T-98."""
    now = table().now(consents=(True, False))
    now.refused(now.casting("Mage", "divine-appeal"), "doesn’t allow appeals")
    now = table().now(consents=(False, True))
    appeal(now, "16")
    assert now.event(e.GodAnswered).answer == "ignored"


def test_the_gm_may_foresee_an_appeal_without_consent():
    now = table(phase="movement").now(consents=(False, False))
    now.do(c.AppealByGm(now.id("Mage")), divine=[3, 3])
    assert now.event(e.GodAnswered).answer == "ignored"


def test_an_angry_god_paralyses_the_caster_for_a_turn():
    """T-96: the paralysed do not flee."""
    now = table()
    appeal(now, "11")
    assert now.event(EffectBegan).effect.on == (now.id("Mage"),)
    now.end()
    now.put("Foe", "E7").now(phase="combat").set("Foe", activated=True)
    now.attack("Foe", "Mage")
    assert now.gone("Mage") == "captured"


def test_a_caster_carried_home_is_safe_and_his_undead_vanish():
    now = table("skeletons:Own", foes=("pike:Foe", "pike:Other"))
    appeal(now, "44")
    assert now.gone("Mage") == "carried-home"
    assert now.gone("Own") == "crumbled"


def test_t_36_effects_on_a_caster_carried_home_end():
    now = table()
    now.do(c.AppealByGm(now.id("Mage")), divine=[1, 1])
    assert now.state.field.timers
    now.do(c.AppealByGm(now.id("Mage")), divine=[4, 4])
    assert now.state.field.timers == ()


def test_ten_stands_return_up_to_their_start():
    now = table("pike:Own", "pike:Mate", places={"Mate": "F9"}).set("Own", stands=1)
    appeal(now, "66", "11")
    assert now.state.fight.asks == "god"
    now.refused(c.AnswerGod({now.id("Own"): 4}), "from 1 to 3")
    now.refused(c.AnswerGod({now.id("Mate"): 1}), "Choose one of")
    now.do(c.AnswerGod({now.id("Own"): 3}))
    assert now.unit("Own").stands == 4


def test_t_61_a_destroyed_unit_may_return_and_counts_once():
    """T-17: returned stands do not lower the enemy's count."""
    now = table("pike:Own", "pike:Mate", places={"Mate": "F9"})
    now.do(c.Override(now.id("Mate"), "stands", 0, "it fell"))
    assert len(now.state.fallen[0]) == 1
    appeal(now, "66", "11")
    now.refused(c.AnswerGod({now.id("Mate"): 4}, {now.id("Mate"): "A1"}), "within 3")
    now.do(c.AnswerGod({now.id("Mate"): 4}, {now.id("Mate"): "E7"}))
    assert now.at("Mate") == "E7"
    assert len(now.state.fallen[0]) == 1
    now.do(c.Override(now.id("Mate"), "stands", 0, "again"))
    assert len(now.state.fallen[0]) == 1


def test_t_98_who_crumbled_returns_with_the_stands_it_is_given():
    now = table("skeletons:Own")
    now.do(c.AppealByGm(now.id("Mage")), divine=[4, 5])
    assert now.gone("Own") == "crumbled"
    now.put("Chief a", "E8")
    now.do(c.AppealByGm(now.id("Chief a")), divine=[6, 6], intervention=[1, 1])
    now.do(c.AnswerGod({now.id("Own"): 1}, {now.id("Own"): "E7"}))
    assert now.unit("Own").stands == 1


def test_flags_on_the_enemy_count_double_in_the_next_own_turn():
    now = table()
    appeal(now, "66", "44")
    unit = now.id("Foe")
    assert flags_of(now.state, unit, 1).left == 1
    now.end()
    assert flags_of(now.state, unit, 1).left == 1
    now.end(3)
    assert flags_of(now.state, unit, 1).left == 2
    now.end(3)
    assert flags_of(now.state, unit, 1).left == 1


def test_t_36_what_a_god_does_in_the_enemys_turn_ends_a_turn_earlier():
    """The next turn of the caster's side is the one that comes."""
    now = table(phase="movement", side=1)
    now.do(c.AppealByGm(now.id("Mage")), divine=[6, 6], intervention=[5, 5])
    assert now.event(EffectBegan).effect.left == 2
    now.do(c.AppealByGm(now.id("Mage")), divine=[6, 6], intervention=[3, 3])
    assert now.state.rerolls == (Reroll(0, 1),)


def test_both_sides_gods_may_double_flags():
    now = table()
    appeal(now, "66", "44")
    now.do(c.AppealByGm(now.id("Chief b")), divine=[6, 6], intervention=[4, 4])
    now.end()
    assert flags_of(now.state, now.id("Own"), 1).left == 2
    now.end(3)
    assert flags_of(now.state, now.id("Foe"), 1).left == 2


def test_friends_ignore_flags_in_the_next_enemy_turn():
    now = table()
    appeal(now, "66", "54")
    unit = now.id("Own")
    assert flags_of(now.state, unit, 1).left == 1
    now.end()
    assert flags_of(now.state, unit, 1).left == 0
    now.end(3)
    assert flags_of(now.state, unit, 1).left == 1


def test_the_gods_bell_closes_the_casters_hex_for_two_turns():
    now = table(places={"Own": "E8"})
    appeal(now, "66", "55")
    assert now.event(EffectBegan).effect.on == ("E8",)
    now.end()
    now.put("Foe", "E7").now(phase="combat").set("Foe", activated=True)
    now.refused(c.OpenMelee(now.id("Foe"), now.id("Own")), "god’s bell")
    now.end()
    now.refused(now.activate("Chief a", "Own"), "A god’s bell keeps all units in this hex still")


def test_tf_7_a_fanatic_under_a_gods_bell_has_to_do_nothing():
    """TF-7, T-29: no move, no action. The phase can end."""
    now = table("tigers:Own", places={"Own": "E8", "Foe": "E4"}, phase="movement")
    now.refused(c.EndPhase(), "Own must act first")
    now.do(c.AppealByGm(now.id("Mage")), divine=[6, 6], intervention=[5, 5])
    now.refused(now.moving("Own", "E7"), "A god keeps this character in place")
    now.end(2)


def test_a_copy_appears_within_three_hexes():
    """T-82: of a unit present or lost, neither undead nor false."""
    now = table("pike:Own", "skeletons:Bones", places={"Bones": "F9"})
    appeal(now, "66", "65")
    now.refused(c.AnswerGod(unit=now.id("Bones"), hex="E7"), "Choose one of")
    now.refused(c.AnswerGod(unit=now.id("Own"), hex="E2"), "free hex within 3")
    now.do(c.AnswerGod(unit=now.id("Own"), hex="E7"))
    copy = now.event(e.Summoned)
    assert (copy.unit.own.type, copy.token.at, copy.token.counted) == ("pike", "E7", False)


def test_a_copy_is_of_a_unit_present_or_lost_not_of_one_that_waits():
    now = table(foes=("pike:Foe",), places={"Own": ""})
    now.put("Own", "")
    kinds = appeal(now, "66", "56")
    assert "FightPaused" not in kinds


def test_t_70_a_copy_does_not_appear_where_a_unit_in_a_grove_stands():
    now = table("pike:Own", places={"Foe": "E7"})
    now.now(field=now.state.field.put(now.id("Foe"), hidden=True))
    appeal(now, "66", "65")
    kinds = now.do(c.AnswerGod(unit=now.id("Own"), hex="E7"))
    assert "Summoned" not in kinds


def test_t_83_a_servant_is_a_hero_of_a_units_type():
    now = table("dragon:Own")
    appeal(now, "66", "66")
    now.do(c.AnswerGod(unit=now.id("Own"), hex="E7"))
    servant = now.event(e.Summoned).hero
    assert (servant.melee, servant.shot, servant.resistance) == (3, 3, 5)
    assert servant.has("flyer")
    assert servant.has("fire-proof")


def test_t_83_a_servant_has_no_share_in_adjustments():
    more = tuple(LastingAdjustment(figure, 2, "blessed") for figure in ("dice", "move", "range"))
    servants = []
    for adjustments in ((), more):
        now = table("dragon:Own", adjustments=adjustments)
        appeal(now, "66", "66")
        now.do(c.AnswerGod(unit=now.id("Own"), hex="E7"))
        servants.append(now.event(e.Summoned).hero)
    assert servants[0] == servants[1]
    assert (servants[1].move, servants[1].range) == (3, 2)


# A die thrown again (T-34)


def test_t_34_an_intervention_gives_one_die_to_throw_again():
    now = table()
    appeal(now, "66", "34")
    assert now.state.rerolls == (Reroll(0, 2),)
    now.end()
    assert now.state.rerolls
    now.end(3)
    now.end(3)
    assert not now.state.rerolls


def attacking():
    now = table(places={"Own": "E6"}, phase="combat")
    return now.now(rerolls=(Reroll(0, 1),))


def test_t_34_the_holder_is_asked_before_anything_is_applied():
    now = attacking()
    now.attack("Own", "Foe", attack="ggrg")
    assert now.state.fight.asks == "reroll"
    assert now.unit("Foe").stands == 4
    now.refused(c.RerollDie("attack", 4), "from 0 to 3")
    now.do(c.RerollDie("attack", 0), attack="r")
    assert now.event(e.DiceThrown).again == 0
    assert now.unit("Foe").stands == 2
    assert not now.state.rerolls


def test_t_34_dice_may_lie_and_the_reroll_is_kept():
    now = attacking()
    now.attack("Own", "Foe", attack="ggrg")
    now.do(c.RerollDie("attack", None))
    assert now.unit("Foe").stands == 3
    assert now.state.rerolls


def test_t_34_of_the_enemys_throws_too_the_throwers_side_first():
    now = attacking().now(rerolls=(Reroll(1, 1), Reroll(0, 1)))
    now.attack("Own", "Foe", attack="rrgg")
    assert now.state.fight.side == 0
    now.do(c.RerollDie("attack", None))
    assert now.state.fight.side == 1
    now.do(c.RerollDie("attack", 0), attack="g")
    assert now.unit("Foe").stands == 3


def test_t_34_confirmations_are_asked_about_too():
    now = table(foes=("mammoth:Foe",), places={"Own": "E6"}, phase="combat").now(rerolls=(Reroll(1, 1),))
    now.attack("Own", "Foe", attack="rggg")
    now.do(c.RerollDie("attack", None), confirm="g")
    assert now.state.fight.asks == "reroll"
    now.do(c.RerollDie("confirm", 0), confirm="l")
    assert now.unit("Foe").stands == 4


def test_the_frames_answer_stands_for_the_laws_command():
    """F-6: the question's own answer."""
    now = attacking()
    now.attack("Own", "Foe", attack="ggrg")
    viewer = side_viewer(now.state, 0)
    assert LAW.pending(now.state, viewer)[0].key == "reroll"
    assert not LAW.pending(now.state, side_viewer(now.state, 1))
    now.do(AnswerCommand("reroll", "", {"index": 1}), viewer, attack="r")
    assert now.unit("Foe").stands == 2


@pytest.mark.parametrize("answers", [{"unit": "Own", "hex": "E7"}])
def test_the_frames_answer_to_a_god(answers):
    now = table("pike:Own")
    appeal(now, "66", "65")
    given = {"unit": now.id(answers["unit"]), "hex": answers["hex"]}
    now.do(AnswerCommand("god", "", given), side_viewer(now.state, 0))
    assert now.event(e.Summoned).token.at == "E7"


def test_t_98_who_does_not_return_gets_no_stands_of_the_god_whatever_number_is_left_there():
    now = table("pike:Own", "pike:Lost").set("Own", stands=2)
    now.now(field=now.state.field.put(now.id("Lost"), at="", gone="destroyed"))
    appeal(now, "66", "11")
    given = {now.id("Own"): 1, now.id("Lost"): 3, f"place:{now.id('Lost')}": "none"}
    now.do(AnswerCommand("god", "", given), side_viewer(now.state, 0))
    assert (now.unit("Own").stands, now.gone("Lost")) == (3, "destroyed")


def test_t_82_a_copy_of_a_flyer_may_appear_over_any_ground():
    rows = ["............."] * 6 + ["....A........"] + ["............."] * 4
    now = table("pike:Own", "dragon:Wing", places={"Wing": "K9"}, map_=open_ground(terrain=rows))
    appeal(now, "66", "65")
    now.refused(c.AnswerGod(unit=now.id("Own"), hex="E7"), "free hex within 3")
    now.do(c.AnswerGod(unit=now.id("Wing"), hex="E7"))
    assert now.event(e.Summoned).token.at == "E7"


@pytest.mark.parametrize("second", ["56", "66"], ids=["copy", "servant"])
def test_t_15_whoever_a_god_sends_beside_a_phantom_shows_it_false(second):
    now = table("pike:Own", foes=("pike:Foe", "riders-light:Ghost"), places={"Foe": "M1", "Ghost": "E6"})
    now.set("Ghost", false=True)
    appeal(now, "66", second)
    assert now.at("Ghost") == "E6"
    kinds = now.do(c.AnswerGod(unit=now.id("Own"), hex="E7"))
    assert "PhantomVanished" in kinds

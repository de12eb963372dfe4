"""The GM's hand: rulings W-15, W-32, W-35, W-57, and the GM's commands of WC-11."""

from __future__ import annotations

import pytest

from rules.hexbattle.ending import End
from rules.hexbattle.ground import BOTH, Timer
from rules.hexbattle.setup import ChangeMap
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import END, ROUTED, SHAKEN, WINDED, Aiming
from rules.wing_command.battle.spells import spell_targets
from rules.wing_command.spec import BattleOptions
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import Table, army

PLACES = {"Reds": "C8", "Foe": "C7", "Chief a": "A14", "Chief b": "P1"}


def table(*troops, combat="gm", **places):
    wings = army("a", 0, *(troops or ("foot:Reds",))), army("b", 1, "foot:Foe", characters=(WingCharacter("Bo"),))
    at = {**PLACES, "Bo": "P1", **places}
    return Table(*wings, places=at, options=BattleOptions(combat=combat))


def test_w_35_an_attack_waits_for_the_gms_report_and_no_die_falls_for_it():
    """WC-8.9."""
    now = table()
    kinds = now.do(now.act("Reds", target="Foe"))
    assert kinds == ["BlowAsked", "Acted"]
    assert now.dice.rolled == []
    now.refused(c.EndWing(), "Waiting for the GM to enter the result of an attack")
    now.do(c.ReportBlow("shaken"))
    assert now.event(e.Attacked).by_gm
    assert (now.unit("Foe").morale, now.at("Foe") != "C7") == (SHAKEN, True), "the engine chooses the hex"


def test_w_35_a_charge_still_tires_and_fate_still_rolls():
    now = table("riders:Reds", Reds="C10", Bo="C7").set("Foe", morale=ROUTED)
    now.do(now.act("Reds", "C8", "Foe"))
    now.do(c.ReportBlow("destroyed"), fate=(5, 5), demoralisation=(1, 1))
    assert now.unit("Reds").fatigue == WINDED
    assert {roll.name for roll in now.dice.rolled} == {"fate", "demoralisation"}


@pytest.mark.parametrize("how", ["melee", "missile"])
def test_w_57_the_words_of_a_report_are_the_columns_of_its_table(how):
    now = table("archers:Reds", Reds="C8" if how == "melee" else "C9")
    now.do(now.act("Reds", target="Foe", how=how))
    acts = [act.slug for act in now.legal().acts]
    words = ["none", "recoil", "shaken", "routed", "destroyed"]
    assert acts == (["attacker-recoils", *words] if how == "melee" else words)
    now.refused(c.ReportBlow("smashed"), "Choose one of")
    if how == "missile":
        now.refused(c.ReportBlow("attacker-recoils"), "Choose one of")


def test_w_57_fate_is_an_event_of_its_own():
    now = table(combat="table", Bo="C7").set("Foe", morale=ROUTED)
    now.do(now.act("Reds", target="Foe"), melee=(5, 5), fate=(1, 1), demoralisation=(1, 1, 1, 1))
    told = now.event(e.FateDecided)
    assert (told.unit, told.saved, [roll.value for roll in told.rolls]) == (now.ids["Bo"], False, [1, 1])


def test_refused_a_report_nobody_waits_for():
    now = table(combat="table")
    now.refused(c.ReportBlow("none"), "No attack needs a result now")


# Reinforcements


def joined(now, **more):
    now.do(c.Reinforce(army("r", 0, "foot:Late", "foot:Later", **more), 0))
    now.ids |= {str(token.name): unit for unit, token in now.state.field.tokens.items()}
    return now


def test_w_32_a_new_wing_comes_with_its_order_into_the_reserve():
    now = joined(table(combat="table"), order="advance")
    assert now.state.wings["r"].order == "advance"
    assert now.state.token(now.ids["Late"]).waiting
    assert now.state.wings["r"].troops == 2


def test_w_32_each_enters_by_act_over_its_home_edge_the_first_hex_is_paid():
    now = joined(table(combat="table"))
    now.state = now.state.but(wing="r")
    now.refused(now.act("Late", "H11"), "can’t reach")
    now.refused(now.act("Late"), "Enter the hex where the unit enters the map")
    now.do(now.act("Late", "H12"))
    assert now.at("Late") == "H12"
    assert now.state.token(now.ids["Chief r"]).waiting


def test_w_32_a_flyer_enters_in_high_flight_too():
    """W-32, WC-9.9: over its home edge as any other, above enemies that stand there; it ends on none of them."""
    now = table(combat="table", Foe="C14")
    now.do(c.Reinforce(army("r", 0, "griffins:Wings"), 0))
    now.ids |= {str(token.name): unit for unit, token in now.state.field.tokens.items()}
    now.state = now.state.but(wing="r")
    now.refused(now.act("Wings", "C14", posture="high_flight"), "can’t reach")
    now.refused(c.UnitAct(now.ids["Wings"], path=("C13",), posture="high_flight"), "can’t enter the map at C13")
    assert "C12" in {step.hex for step in now.legal("Wings", "posture:high_flight").steps}
    now.do(c.UnitAct(now.ids["Wings"], path=("C14", "C13", "C12"), posture="high_flight"))
    assert (now.at("Wings"), now.unit("Wings").posture) == ("C12", "high_flight")


def test_w_32_in_the_reserve_a_unit_is_not_bound_and_the_wing_is_not_empty():
    now = joined(table(combat="table"))
    now.state = now.state.but(wing="r")
    now.do(c.EndWing())
    now.state = now.state.with_wing("a", broken=True, order="retreat")
    assert now.state.field.ended is None


def test_w_32_refused_in_the_last_two_turns_a_seventh_wing_or_twice_the_same():
    now = table(combat="table")
    now.state = now.state.but(turn=11)
    now.refused(c.Reinforce(army("r", 0, "foot:Late"), 0), "last two turns")
    now.state = now.state.but(turn=2)
    now.refused(c.Reinforce(army("a", 0, "foot:Late"), 0), "already in the battle")
    for number in range(5):
        now.do(c.Reinforce(army(f"r{number}", 0, f"foot:L{number}"), 0))
    now.refused(c.Reinforce(army("r9", 0, "foot:Late"), 0), "at most 6 wings")


def test_w_31_a_wing_of_reinforcements_breaks_by_what_it_came_with():
    now = joined(table(combat="table"))
    late = now.ids["Late"]
    now.state = now.state.but(field=now.state.field.put(late, at="", gone="destroyed"))
    now.do(c.Override("a", "morale", 9, "To look on"))
    assert now.state.wings["r"].broken


# By hand


@pytest.mark.parametrize(
    ("what", "field", "value"),
    [
        ("Reds", "morale", 1),
        ("Reds", "fatigue", 2),
        ("Reds", "at", "D9"),
        ("Reds", "melee", 6),
        ("Reds", "acted", True),
    ],
)
def test_the_gm_sets_a_unit_by_hand_with_a_reason(what, field, value):
    now = table(combat="table")
    now.do(c.Override(now.ids[what], field, value, "As agreed"))
    unit = now.unit(what)
    found = now.at(what) if field == "at" else getattr(unit, field, getattr(unit.own, field, None))
    assert found == value


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("morale", 3, "whole number"), ("at", "Z99", "isn’t on the map"), ("at", "C7", "is occupied"),
     ("height", 2, "Unknown field"), ("acted", 1, "true or false")],
)  # fmt: skip
def test_refused_what_cannot_be_set(field, value, words):
    now = table(combat="table")
    now.refused(c.Override(now.ids["Reds"], field, value, "As agreed"), words)
    now.refused(c.Override(now.ids["Reds"], "morale", 1, " "), "Enter a text")
    now.refused(c.Override("nobody", "morale", 1, "x"), "Choose a unit or a wing of this battle")


def test_the_gm_sets_a_wing_by_hand():
    now = table(combat="table")
    now.do(c.Override("a", "order", "hold", "As agreed"))
    assert now.state.wings["a"].order == "hold"
    now.refused(c.Override("a", "morale", 13, "x"), "whole number")
    now.refused(c.Override("a", "leader", now.ids["Reds"], "x"), "Choose a character")


def test_an_effect_lasts_as_long_as_the_gm_says_and_ends_at_their_word():
    now = table(combat="table")
    reds = now.ids["Reds"]
    ward = Timer("ward", (reds,), "", BOTH, END, 1)
    now.state = now.state.but(field=now.state.field.timed((ward,)))
    now.do(c.Override(reds, "effect:ward", 3, "As agreed"))
    assert [timer.left for timer in now.state.field.timers] == [3]
    now.refused(c.Override(reds, "effect:mire", 1, "x"), "effect:ward")
    now.refused(c.Override("C7", "effect:ward", 1, "x"), "effect:fire-wall, effect:mire")
    now.refused(c.Override("C7", "effect:mire", 0, "x"), "No effect is active there")
    assert now.do(c.Override(reds, "effect:ward", 0, "As agreed")) == ["Overridden", "EffectEnded"]
    assert now.state.field.timers == ()


@pytest.mark.parametrize(
    ("what", "effect"), [("Reds", "ward"), ("Reds", "tailwind"), ("C9", "fire-wall"), ("C9", "mire")]
)
def test_an_effect_begins_by_hand_without_a_caster(what, effect):
    now = table(combat="table")
    on = now.ids.get(what, what)
    assert now.do(c.Override(on, f"effect:{effect}", 2, "As agreed"))[:2] == ["Overridden", "EffectBegan"]
    (timer,) = now.state.field.timers
    assert (timer.effect, timer.on[0], timer.by, timer.left) == (effect, on, "", 2)
    assert bool(now.state.field.ground.overlays) is (what == "C9")
    now.do(c.Override(on, f"effect:{effect}", 1, "As agreed"))
    assert [timer.left for timer in now.state.field.timers] == [1]
    now.do(c.Override(on, f"effect:{effect}", 0, "As agreed"))
    assert (now.state.field.timers, dict(now.state.field.ground.overlays)) == ((), {})


def test_w_28_a_spell_that_waits_keeps_a_target_whatever_the_gm_does():
    wings = (
        army("a", 0, "foot:Reds", characters=(WingCharacter("Mira", "mage", art="fire", level=3),)),
        army("b", 1, "foot:Foe"),
    )
    now = Table(*wings, places={**PLACES, "Mira": "D9"})
    now.state = now.state.but(aiming=Aiming(now.ids["Mira"], "firebolt"), phase="command", wing="")
    assert spell_targets(now.state, now.ids["Mira"], "firebolt") == (now.ids["Foe"],)
    now.refused(c.Override(now.ids["Foe"], "at", "P1", "x"), "choose its target first")
    now.refused(c.Override(now.ids["Mira"], "at", "P14", "x"), "choose its target first")
    wood = {"command": "paint", "hexes": ["C8", "D8", "D7", "C7", "E7"], "terrain": "mountain"}
    now.refused(ChangeMap(wood, "an earthquake"), "choose its target first")
    now.do(c.Override(now.ids["Foe"], "morale", 1, "x"))
    now.do(c.Aim(now.ids["Foe"]), missile=(6, 6))
    assert now.state.aiming is None


def test_w_35_who_has_part_in_an_attack_that_waits_is_not_moved_by_hand():
    """The result would strike who is there no more."""
    now = table()
    now.do(now.act("Reds", target="Foe"))
    for name in ("Reds", "Foe"):
        now.refused(c.Override(now.ids[name], "at", "H8", "x"), f"{name}: pending attack")
    now.do(c.Override(now.ids["Bo"], "at", "C6", "To look on"))
    now.do(c.Override(now.ids["Foe"], "morale", 1, "Afraid"))
    now.do(c.Override(now.ids["Reds"], "acted", True, "Tired"))
    now.do(c.ReportBlow("shaken"))
    assert (now.unit("Foe").morale, now.state.blow) == (ROUTED, None)


def test_a_spell_is_put_face_down_by_hand_and_the_enemy_is_told_nothing():
    wings = (
        army("a", 0, "foot:Reds", characters=(WingCharacter("Mira", "mage", art="fire", level=3),)),
        army("b", 1, "foot:Foe"),
    )
    now = Table(*wings, places={**PLACES, "Mira": "D10"})
    mira = now.ids["Mira"]
    now.do(c.Override(mira, "spell", "fire-wall", "A dream"))
    assert now.state.units[mira].spell == "fire-wall"
    assert now.event(e.Overridden).seen == (True, False)
    now.refused(c.Override(mira, "spell", "ward", "x"), "firebolt")
    now.refused(c.Override(now.ids["Reds"], "spell", "ward", "x"), "This character can’t cast spells")
    now.do(c.Override(mira, "spell", "", "Forgotten"))
    assert now.state.units[mira].spell == ""


def test_w_55_a_special_order_by_hand_frees_for_the_turn():
    now = table(combat="table")
    now.do(c.Override(now.ids["Reds"], "special", True, "As agreed"))
    assert now.unit("Reds").freed


def test_the_gm_paints_and_ends_the_battle():
    now = table(combat="table")
    now.do(ChangeMap({"command": "paint", "hexes": ["H8"], "terrain": "lake"}, "A dam breaks"))
    assert now.state.field.ground.terrain("H8").slug == "lake"
    now.do(End(0, "Bedtime"))
    assert now.state.field.ended.winner == 0


def test_hx_2_4_a_running_mire_lies_on_what_the_gm_paints_into_it():
    """HX-2.4, WC-7.4: at least difficult, whatever is painted below; hard ground keeps its look, old ground returns."""
    now = table(combat="table", Reds="C10")

    def paint(terrain):
        now.do(ChangeMap({"command": "paint", "hexes": ["C9"], "terrain": terrain}, "Axes and spades"))
        cost = next((step.cost for step in now.legal("Reds").steps if step.hex == "C9"), None)
        return now.state.field.ground.terrain("C9").slug, cost

    assert paint("wood") == ("wood", 2)
    now.do(c.Override("C8", "effect:mire", 2, "A curse"))
    assert paint("open") == ("mire", 2)
    assert paint("lake") == ("lake", None)
    assert paint("road") == ("mire", 2)
    now.do(c.Override("C8", "effect:mire", 0, "It dries"))
    assert paint("road") == ("road", 1)


def test_w_15_a_clock_that_runs_out_does_nothing_and_the_gm_passes_for_a_side():
    now = table(combat="table")
    now.state = now.state.but(phase="command", wing="")
    now.do(c.PassCommand(0))
    assert now.state.side == 1


# What the GM's hand may not disturb


def surprised():
    """Reds have met a hidden enemy on their way and go on first (H-9); Others wait."""
    wings = army("a", 0, "riders:Reds", "foot:Others"), army("b", 1, "scouts:Foe")
    places = {"Reds": "C12", "Others": "P12", "Foe": "C9", "Chief a": "A14", "Chief b": "P1"}
    now = Table(*wings, places=places).set("Reds", freed=True).set("Foe", posture="infiltrating")
    now.do(c.UnitAct(now.ids["Reds"], path=("C11", "C10", "C9")))
    return now


def test_h_9_a_unit_that_met_a_hidden_enemy_goes_on_when_the_gm_ends_the_action_of_another():
    """H-9: the points left stay; another unit is refused before it."""
    now = surprised().set("Others", special=True)
    assert now.do(c.Override(now.ids["Others"], "acted", True, "As agreed"))[:2] == ["Overridden", "MarkerGone"]
    assert (now.state.going.unit, now.state.going.left) == (now.ids["Reds"], 3)
    now.refused(now.act("Chief a", "B13"), "must finish moving first")
    now.do(c.Override(now.ids["Reds"], "acted", True, "As agreed"))
    assert now.state.going is None


def test_w_49_whom_the_gm_routs_on_the_way_is_waited_for_no_longer():
    """W-49, H-9: a routed unit can't go on; before, another unit is refused."""
    now = surprised()
    now.refused(now.act("Chief a", "B13"), "must finish moving first")
    now.do(c.Override(now.ids["Reds"], "morale", ROUTED, "As agreed"))
    now.do(now.act("Chief a", "B13"))
    assert now.at("Chief a") == "B13"


def test_w_17_a_wing_that_can_no_longer_act_by_the_gms_hand_is_skipped():
    """W-17, WC-9.4: the other side goes on, then the rout phase; the skipped wing is refused."""
    now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places=PLACES, wing="")
    for name in ("Reds", "Chief a"):
        now.do(c.Override(now.ids[name], "acted", True, "As agreed"))
    now.refused(c.TakeWing("a"), "other side’s turn")
    assert (now.state.phase, now.state.side) == ("action", 1)
    for name in ("Foe", "Chief b"):
        now.do(c.Override(now.ids[name], "acted", True, "As agreed"))
    assert now.state.phase == "rout"

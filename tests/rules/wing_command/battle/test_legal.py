"""What is legal, as pages and players are told it: prices, reach, chances, sums, duties, threats, the one button."""

from __future__ import annotations

import time
from fractions import Fraction

from core.text import render
from rules.hexbattle.player import accepted, acts
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ROUTED, SHAKEN
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import (
    LAW,
    Loaded,
    Table,
    army,
    begun,
    crown,
    horde,
    open_ground,
    played,
    side_viewer,
    starter,
)

PLACES = {"Reds": "C9", "Foe": "C7", "Two": "P2", "Chief a": "C9", "Chief b": "P1"}


def table(*troops, phase="action", order="attack", **places):
    wings = army("a", 0, *(troops or ("foot:Reds",)), ability="A"), army("b", 1, "foot:Foe", "foot:Two")
    return Table(*wings, places={**PLACES, **places}, phase=phase, order=order)


def test_nothing_picked_names_who_can_act_and_who_still_must():
    now = table()
    legal = now.legal()
    assert set(legal.able) == {now.ids["Reds"], now.ids["Chief a"]}
    assert legal.confirm is None
    assert "Reds" in str(legal.must)
    now.do(now.act("Reds", "C8", "Foe"))
    assert now.legal().confirm.command == c.EndWing()


def test_the_gm_reads_for_whom_the_button_passes():
    now = table(phase="command")
    side = now.state.opening.sides[now.state.side]
    assert render(now.legal().confirm.button) == f"Pass: {side}"
    assert render(now.legal(viewer=side_viewer(now.state, now.state.side)).confirm.button) == "Pass"


def test_others_are_told_nothing_to_do():
    now = table()
    legal = now.legal(viewer=side_viewer(now.state, 1))
    assert (legal.able, legal.confirm, legal.turn) == ((), None, False)


def test_a_picked_unit_has_reach_with_costs_halts_and_effort():
    now = table(order="advance", Foe="C5", Reds="C10")
    steps = {step.hex: step for step in now.legal("Reds").steps}
    assert (steps["C9"].cost, steps["C9"].kind) == (1, "reach")
    assert steps["F10"].cost == 3
    assert steps["G10"].kind == "effort"
    assert "C6" not in steps, "under the order to advance not next to an enemy"
    free = table(order="advance", Foe="C7").set("Reds", freed=True, special=True)
    assert {step.hex: step.kind for step in free.legal("Reds").steps}["C8"] == "halt"


def test_targets_have_the_sum_the_outcomes_and_the_chance():
    now = table(Reds="C9")
    (target,) = now.legal("Reds").targets
    assert (target.target, target.how, target.source) == (now.ids["Foe"], "melee", "B8")
    assert target.throw == "2D6 + 1", "its leader goes along"
    assert sum(piece.chance for piece in target.outcomes) == 1
    assert target.chance == Fraction(26, 36)
    assert len(target.sum) == 3


def test_a_target_its_order_keeps_it_from_is_barred_and_says_why():
    """WC-9.4: under *retreat* it ends nearer its home edge, whatever it strikes from there."""
    now = table(Reds="C8", **{"Chief a": "A14"}).engage("Reds", "Foe").wing("a", order="retreat")
    (target,) = now.legal("Reds").targets
    assert "closer to its home edge" in str(target.why_not)
    legal = now.legal("Reds", target.source, target.target)
    assert (legal.confirm, now.ids["Foe"] in legal.picked) == (None, False)
    picks = (now.ids["Reds"], target.source, target.target)
    assert LAW.why_not(now.state, side_viewer(now.state, 0), picks) == target.why_not


def test_what_is_meant_by_picks_is_refused_in_words_and_what_is_legal_is_not():
    now = table(order="hold", Reds="C12", Foe="A1", **{"Chief a": "A14"})
    viewer = side_viewer(now.state, 0)
    assert "at most 1 hex" in str(LAW.why_not(now.state, viewer, (now.ids["Reds"], "C10")))
    assert LAW.why_not(now.state, viewer, (now.ids["Reds"], "C11")) is None
    assert LAW.why_not(now.state, viewer, (now.ids["Reds"],)) is None
    assert LAW.why_not(now.state, side_viewer(now.state, 1), (now.ids["Reds"], "C10")) is None, "not theirs"


def test_hx_3_3_a_way_is_laid_hex_by_hex_and_gone_as_it_was_laid():
    now = table(order="advance", Foe="A1", Reds="C10")
    offer = next(act for act in now.legal("Reds", "C8").acts if act.slug.startswith("way:"))
    assert (len(offer.slug.split(".")), offer.slug[-2:]) == (2, "C8"), "it begins with the way that is shown"
    begun_ = now.legal("Reds", "", "", "way:")
    assert {step.hex for step in begun_.steps} == {"B10", "C9", "C11", "D9", "D10", "D11"}
    assert begun_.confirm is None
    laid = now.legal("Reds", "C8", "", "way:D10.D9.C8")
    assert laid.way == ("C10", "D10", "D9", "C8")
    assert laid.picked == (now.ids["Reds"], "C8", "", "way:D10.D9.C8")
    assert laid.confirm.command.path == ("D10", "D9", "C8")
    further = {step.hex: step.kind for step in laid.steps}
    assert further["C7"] == "effort", "three points are spent"
    tired = now.legal("Reds", "C7", "", "way:D10.D9.C8.C7").confirm.command
    assert tired.effort
    now.do(laid.confirm.command)
    assert now.state.token(now.ids["Reds"]).at == "C8"


def test_hx_3_3_an_attack_comes_from_where_the_way_ends_and_a_charge_counts_its_hexes():
    now = table("riders:Reds", Reds="C10", **{"Chief a": "A14"})
    path = "way:D9.C8"
    (target,) = now.legal("Reds", "C8", "", path).targets
    assert target.source == "C8"
    found = now.legal("Reds", "C8", target.target, "melee", path)
    assert found.confirm.command.path == ("D9", "C8")
    assert found.confirm.command.attack.target == now.ids["Foe"]
    assert path in found.picked


def test_hx_3_3_a_way_that_can_not_be_gone_falls_away_and_its_refusal_is_told():
    now = table(order="advance", Foe="A1", Reds="C10")
    found = now.legal("Reds", "F2", "", "way:D10.F2")
    assert found.picked == (now.ids["Reds"], "D10", "", "way:D10")
    picks = (now.ids["Reds"], "F2", "", "way:D10.F2")
    assert "isn’t next to D10" in str(LAW.why_not(now.state, side_viewer(now.state, 0), picks))


def test_a_charge_is_foretold_as_it_will_be():
    now = table("riders:Reds", Reds="C10", **{"Chief a": "A14"})
    (target,) = now.legal("Reds").targets
    assert target.throw == "2D6 + 2"
    assert "Charge" in str(target.label)
    command = now.legal("Reds", "Foe").confirm.command
    now.do(command, melee=(3, 3))
    assert now.events[1].sum == 8


def test_what_an_order_bars_says_why():
    now = table(Foe="C2", Reds="C12")
    barred = {step.hex: step.why_not for step in now.legal("Reds").steps}
    assert barred["C11"] is None
    assert "closer" in str(barred["C13"])
    assert "closer" in str(now.legal("Reds").must)


def test_the_button_is_a_complete_command():
    now = table(Foe="C2", Reds="C12")
    there = now.legal("Reds", "C10")
    assert there.way == ("C12", "B11", "B10")[:0] + there.way
    assert there.way_costs[-1] == 2
    assert there.confirm.command.path == there.way[1:]
    assert accepted(LAW, now.state, side_viewer(now.state, 0), there.confirm.command, Loaded())


def test_threats_are_what_enemies_could_do_where_it_would_stand():
    now = table(order="advance", Foe="C5", Reds="C10").wing("b", order="attack")
    assert now.legal("Reds").threats == ()
    (threat,) = now.legal("Reds", "C8").threats
    assert threat.unit == now.ids["Foe"]
    assert sum(piece.chance for piece in threat.outcomes) == 1


def test_a_routed_unit_is_offered_its_rally_with_the_chance_or_why_not():
    now = table().set("Reds", morale=ROUTED, special=True, freed=True).put("Foe", "P3")
    legal = now.legal("Reds")
    assert legal.confirm.command == c.RallyUnit(now.ids["Reds"])
    assert "72" in str(legal.acts[0].note)


def test_prices_of_orders_are_told_for_every_unit():
    now = table(phase="command", Reds="J9")
    now.do(c.Distribute(now.ids["Chief a"]), points=(1,))
    (target,) = now.legal().targets
    assert "2" in str(target.label)
    assert now.legal("Reds").confirm.command == c.GiveOrder(now.ids["Reds"])
    assert now.legal().confirm.command == c.EndDistribution()


def test_deeds_of_a_character_have_their_chance_or_why_not():
    now = table(phase="command")
    acts_ = {act.slug: act for act in now.legal("Chief a").acts}
    assert "92" in str(acts_["change_order:hold"].note)
    assert acts_["distribute"].why_not is None
    assert now.legal("Chief a", "change_order:hold").confirm.command == c.ChangeOrder(now.ids["Chief a"], "hold")
    now.wing("a", order="retreat")
    assert now.legal("Chief a", "change_order:hold").confirm is None


def test_a_caster_is_offered_magic_first_and_what_is_barred_last():
    kai = WingCharacter("Kai", "mage", art="fire", level=3)
    wings = army("a", 0, "foot:Reds", characters=(kai,)), army("b", 1, "foot:Foe", "foot:Two")
    now = Table(*wings, places={**PLACES, "Kai": "A13"}, phase="command").set("Kai", spell="fire-wall")
    found = [(act.slug, act.why_not is None) for act in now.legal("Kai").acts]
    assert found[0] == ("cast", True)
    assert found[-1] == ("distribute", False)


def test_a_second_effort_is_told_with_what_it_does_to_the_unit():
    now = table(order="advance", Foe="C5", Reds="C10")
    assert str(now.legal("Reds", "F10").confirm.note) == "3 of 3 points"
    assert str(now.legal("Reds", "G10").confirm.note) == "4 points, a second effort; then: Out of breath"


def test_who_has_to_leave_the_map_leaves_by_an_act_like_any_other():
    """W-46."""
    now = table(Reds="C14", order="retreat")
    (leave,) = [act for act in now.legal("Reds").acts if act.slug == "exit"]
    assert (leave.beside, leave.why_not) == (False, None)
    legal = now.legal("Reds", "exit")
    assert legal.confirm.command == c.UnitAct(now.ids["Reds"], exit=True)
    assert "exit" in legal.picked


def test_a_target_that_fared_worse_than_the_result_says_is_news():
    """WC-8.2: shaken twice it routs, routed it is destroyed."""
    now = table(Reds="C8").set("Foe", morale=SHAKEN)
    now.do(now.act("Reds", target="Foe"), melee=(4, 4))
    assert str(LAW.headline(now.state, now.events)) == "Attack of Reds on Foe: recoil and shaken. Foe: routed."
    now = table(Reds="C8")
    now.do(now.act("Reds", target="Foe"), melee=(5, 4))
    assert str(LAW.headline(now.state, now.events)) == "Attack of Reds on Foe: recoil and shaken."


def test_a_wing_is_taken_by_its_name_or_by_one_of_its_units():
    now = table()
    now.state = now.state.but(wing="")
    assert now.legal("Reds").confirm.command == c.TakeWing("a")
    assert now.legal("take_wing:a").confirm.command == c.TakeWing("a")


def test_a_duel_is_a_target_of_its_own():
    kai = (WingCharacter("Kai"),)
    wings = army("a", 0, "trolls:Reds", characters=kai), army("b", 1, "foot:Foe", characters=(WingCharacter("Bo"),))
    places = {"Reds": "C8", "Kai": "C8", "Chief a": "A14", "Foe": "C7", "Bo": "C7", "Chief b": "P1"}
    now = Table(*wings, places=places)
    (target,) = [target for target in now.legal("Kai").targets if target.how == "duel-melee"]
    assert target.target == now.ids["Bo"]
    assert isinstance(now.legal("Kai", "Bo").confirm.command, c.FightDuel)


def test_every_act_that_is_offered_is_accepted():
    now = table("archers:Reds", Reds="C10", order="advance")
    viewer = side_viewer(now.state, 0)
    for unit in now.legal(viewer=viewer).able:
        found = list(acts(LAW, LAW.seen(now.state, viewer), viewer, unit))
        assert len(found) > 5
        assert all(accepted(LAW, now.state, viewer, command, Loaded()) for command in found)


def test_a_shaken_caster_is_told_why():
    wings = (
        army("a", 0, "foot:Reds", characters=(WingCharacter("Ash", "mage", art="fire", level=3),)),
        army("b", 1, "foot:Foe"),
    )
    now = Table(*wings, places={**PLACES, "Ash": "H12"}, phase="command").set("Chief a", morale=SHAKEN)
    slugs = {act.slug: act for act in now.legal("Ash").acts}
    assert slugs["choose_spell:firebolt"].why_not is None
    assert "83" in str(slugs["choose_spell:firebolt"].note) or "58" in str(slugs["choose_spell:firebolt"].note)


def test_a_picked_unit_is_answered_soon():
    """At most 5 ms on an idle machine; here with room for a busy one."""
    state = begun(*crown(0), *horde(1), map_=starter("meadows"))
    state, _commands, _events = played(state, "soon", most=60)
    viewer = side_viewer(state, state.side)
    seen = LAW.seen(state, viewer)
    able = LAW.legal(seen, viewer).able
    taken = []
    for unit in able:
        begins = time.process_time()
        LAW.legal(seen, viewer, (unit,))
        taken.append(time.process_time() - begins)
    assert min(taken, default=0.0) < 0.03


def test_what_stands_of_a_selection_is_unit_hex_and_target_in_this_order_whatever_the_order_it_came_in():
    now = table("riders:Reds", Reds="C10")
    unit, foe = now.ids["Reds"], now.ids["Foe"]
    best = now.legal("Reds", "Foe")
    assert best.picked[:3] == (unit, best.targets[0].source, foe)
    assert best.way[-1] == best.targets[0].source, "a target alone takes its best hex"
    there = best.way[-1]
    for selection in ((unit, there, foe), (unit, foe, there), (unit, "", "", foe, there)):
        assert LAW.legal(now.state, side_viewer(now.state, 0), selection).confirm == best.confirm


def test_w_21_w_43_a_charge_and_following_are_waived_beside_the_act():
    now = table("riders:Reds", Reds="C10", **{"Chief a": "C10"})
    usual = now.legal("Reds", "Foe")
    beside = {act.slug for act in usual.acts if act.beside}
    assert {"charge:no", "follow:no", f"stay:{now.ids['Chief a']}"} <= beside
    told = now.legal("Reds", "Foe", "charge:no", "follow:no", f"stay:{now.ids['Chief a']}")
    command = told.confirm.command
    assert (command.charge, command.follow, command.stay) == (False, False, (now.ids["Chief a"],))
    assert "Charge" not in str(told.confirm.button)
    assert usual.confirm.command.charge is None


def test_a_hex_that_is_picked_with_it_takes_no_wing():
    now = table()
    now.state = now.state.but(wing="")
    assert now.legal("Reds", "C8").confirm is None


def test_h_8_ids_stay_where_an_army_is_called_otherwise_later():
    opening = table().state.opening
    wings = tuple(wing._replace(id=f"other-{wing.id}") for wing in opening.wings)
    assert all(wing.ids for wing in opening.wings)
    assert set(LAW.open(opening._replace(wings=wings)).units) == set(LAW.open(opening).units)


def test_w_23_who_must_land_is_offered_whom_it_can_strike_on_the_ground():
    """W-23, W-54: it lands, then fights at its new height; who is still in high flight is refused."""
    wings = army("a", 0, "griffins:Reds"), army("b", 1, "foot:Foe", "griffins:Hawks")
    places = {"Reds": "C9", "Foe": "C7", "Hawks": "E9", "Chief a": "A14", "Chief b": "P1"}
    now = Table(*wings, places=places).set("Reds", posture="high_flight", fatigue=2).set("Hawks", posture="high_flight")
    assert {target.target for target in now.legal("Reds").targets} == {now.ids["Foe"]}
    now.refused(now.act("Reds", "D9", "Hawks"), "at the same height")
    assert "Attacked" in now.do(now.legal("Reds", "Foe").confirm.command)
    assert now.unit("Reds").posture == "ground"


def test_w_10_who_cannot_recoil_is_shown_what_it_becomes_in_place():
    """WC-8.2: a second shock routs the shaken."""
    rows = ["................"] * 14
    rows[5], rows[6] = "~~~~~~~~~~~~~~~~", "~~.............."
    wings = army("a", 0, "foot:Reds", ability="A"), army("b", 1, "foot:Foe", "foot:Two")
    now = Table(*wings, places=PLACES | {"Reds": "C8"}, phase="action", order="attack", map_=open_ground(terrain=rows))

    def shown() -> list[tuple[str, str, int]]:
        (target,) = now.legal("Reds", "C8").targets
        return [(one.slug, str(one.label), int(36 * one.chance)) for one in target.outcomes]

    assert shown() == [
        ("attacker-recoils", "the attacker recoils", 6), ("none", "no effect", 9),
        ("shaken", "shaken, can’t recoil", 11), ("routed", "routed, can’t recoil", 7), ("destroyed", "destroyed", 3),
    ]  # fmt: skip
    now.set("Foe", morale=SHAKEN)
    assert [(slug, cases) for slug, _label, cases in shown()] == [
        ("attacker-recoils", 3), ("none", 7), ("routed", 20), ("destroyed", 6),
    ]  # fmt: skip

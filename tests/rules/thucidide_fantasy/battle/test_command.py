"""Command: the lot, activations, counters and manoeuvre orders (TF-1.2, 1.3, 1.13)."""

from __future__ import annotations

import pytest

from rules.hexbattle.setup import Start
from rules.thucidide_fantasy.battle.activation import bracket_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.figures import victory_number
from tests.rules.thucidide_fantasy.fights import LAW, Loaded, Table, army, begun, dark_host, do, realm

FOUR = ("pike:One", "pike:Two", "pike:Three", "pike:Four")
SPOTS = {"One": "D8", "Two": "E8", "Three": "F8", "Four": "G8", "Foe": "E2", "Chief a": "E9", "Chief b": "E1"}


def table(*units, people=(), places=None, foes=("pike:Foe",), **more):
    own = army("a", 0, *(units or FOUR), people=people, **more.pop("commander", {}))
    return Table(own, army("b", 1, *foes), places=SPOTS | (places or {}), phase="command", **more)


def order(kind, unit="", leader="", hexes=1):
    return c.GiveOrder(kind, unit, leader, hexes)


def test_t_85_the_higher_lot_begins_and_equal_ones_throw_again():
    """TF-1.2."""
    state = begun(realm(0), dark_host(1), lot=(1, 6))
    assert state.first == state.side == 1
    from tests.rules.thucidide_fantasy.fights import deployed, opening

    state = deployed(LAW.open(opening(realm(0), dark_host(1))))
    state, events = do(state, Start(), Loaded(lot=(3, 3, 5, 2)))
    assert state.first == 0
    assert len(next(event for event in events if isinstance(event, e.LotDrawn)).rolls) == 4


def test_the_general_lays_out_as_many_counters_as_their_level():
    """TF-1.13; T-84: no general, no counters."""
    assert begun(realm(0, level="great"), dark_host(1, level="poor")).counters == (7, 3)
    assert begun(realm(0, rank="sub-general"), dark_host(1)).counters == (0, 5)


@pytest.mark.parametrize(
    ("units", "activations", "share", "wins"), [(9, 1, 3, 3), (10, 1, 4, 4), (11, 1, 4, 4), (16, 2, 3, 6)]
)
def test_activations_by_units_on_the_table(units, activations, share, wins):
    """TF-1.3, TF-T 6."""
    state = begun(army("a", 0, *["pike"] * units), dark_host(1), map_=None)
    assert bracket_of(state, 0) == (activations, share)
    assert (state.allowed, state.share) == (activations, share)
    assert victory_number(units) == wins
    assert state.victory[1] == wins


def test_an_activation_holds_three_units_within_the_leaders_range():
    now = table()
    now.refused(now.activate("Chief a", "One", "Two", "Three", "Four"), "at most 3")
    now.put("One", "A1")
    now.refused(now.activate("Chief a", "One"), "more than 5 hexes")
    now.do(now.activate("Chief a", "Two", "Three", "Four"))
    assert now.unit("Two").doing.activated
    now.refused(now.activate("Chief a", "One"), "already led")


def test_t_20_each_activation_is_led_by_another_leader():
    now = table().now(allowed=2)
    now.do(now.activate("Chief a", "One"))
    now.refused(now.activate("Chief a", "Two"), "already led")
    now.refused(now.activate(None, "Two", "Three"), "at most 1")
    now.do(now.activate(None, "Two"))
    now.refused(now.activate(None, "Three"), "No activation is left")


def test_tf_1_3_a_third_character_is_the_activation_where_nobody_leads():
    people = [ContingentCharacter(name, "useful") for name in ("Bo", "Kai", "Ono", "Zed")]
    places = {"Bo": "A1", "Kai": "B1", "Ono": "C1", "Zed": "D1", "Foe": "M9"}
    now = Table(army("a", 0, "pike:Own", people=people, leads=False), army("b", 1, "pike:Foe"),
                places=places, phase="command")  # fmt: skip
    now.do(now.activate(None, people=["Bo", "Kai"]))
    assert now.legal("Ono").confirm.command == now.activate(None, people=["Ono"])
    now.do(now.legal("Ono").confirm.command)
    now.refused(now.activate(None, people=["Zed"]), "No activation")
    assert now.legal("Zed").confirm is None


def test_t_20_without_leaders_one_unit_wherever_it_stands():
    now = table(places={"Chief a": "", "One": "A1"})
    now.refused(now.activate(None, "One", "Two"), "at most 1")
    now.do(now.activate(None, "One"))


def test_a_leader_on_the_table_has_to_lead():
    now = table()
    now.refused(now.activate(None, "One"), "Choose a leader for these units")


def test_t_90_two_free_characters_need_no_leader_and_more_use_places():
    mages = [ContingentCharacter(f"Mage {number}", "caster") for number in (1, 2, 3)]
    now = table(people=mages, places={"Mage 1": "A9", "Mage 2": "B9", "Mage 3": "C9"})
    now.do(now.activate(None, people=["Mage 1", "Mage 2"]))
    now.refused(now.activate(None, people=["Mage 3"]), "Choose a leader for these units")
    now.refused(now.activate("Chief a", "One", "Two", "Three", people=["Mage 3"]), "at most 3")
    now.do(now.activate("Chief a", "One", "Two", people=["Mage 3"]))


def test_t_90_a_free_character_who_is_gone_was_one_of_the_two():
    mages = [ContingentCharacter(f"Mage {number}", "caster") for number in (1, 2, 3)]
    now = table(people=mages, places={"Mage 1": "A9", "Mage 2": "B9", "Mage 3": "C9"})
    now.do(now.activate(None, people=["Mage 1", "Mage 2"]))
    now.do(c.AppealByGm(now.id("Mage 1")), divine=[4, 5])
    now.refused(now.activate(None, people=["Mage 3"]), "Choose a leader for these units")


def test_one_order_a_turn_and_it_is_paid():
    """TF-1.13, TF-T 8."""
    now = table().now(counters=(3, 0))
    now.do(order("forced-march", now.id("One")))
    assert now.state.counters == (1, 0)
    now.refused(order("woodsman", now.id("One")), "A side can give one maneuver order per turn")
    now = table().now(counters=(1, 0))
    now.refused(order("forced-march", now.id("One")), "costs 2 counters; your side has 1")


def test_t_7_reconnaissance_comes_before_activating_and_gains_the_command_level():
    now = table().now(counters=(1, 0))
    now.do(order("reconnaissance"))
    assert now.state.counters == (5, 0)
    now.refused(now.activate("Chief a", "One", "Two"), "at most 1")
    now = table().now(counters=(5, 0))
    now.do(now.activate("Chief a", "One"))
    now.refused(order("reconnaissance"), "Reconnaissance has to come before any activation")


def test_t_30_without_its_general_reconnaissance_gains_nothing():
    now = table(places={"Chief a": ""}).now(counters=(1, 0), generals=("", ""))
    now.do(order("reconnaissance"))
    assert now.state.counters == (0, 0)


def test_t_86_reconnaissance_leaves_the_two_free_characters():
    now = table(people=[ContingentCharacter("Mage", "caster")], places={"Mage": "A9"}).now(counters=(1, 0))
    now.do(order("reconnaissance"))
    now.do(now.activate("Chief a", "One", people=["Mage"]))
    assert now.person("Mage").doing.free


def test_courier_activates_one_unit_more_anywhere():
    now = table(places={"Four": "A1"}).now(counters=(3, 0))
    now.do(order("courier", now.id("Four")))
    now.do(now.activate("Chief a", "One", "Two", "Three"))
    assert now.unit("Four").doing.activated


def test_t_30_manoeuvre_lifts_the_range_of_one_leader():
    now = table(places={"Four": "A1"}).now(counters=(4, 0))
    now.do(order("manoeuvre", leader=now.id("Chief a")))
    now.do(now.activate("Chief a", "Four"))
    now = table().now(counters=(9, 0))
    now.do(now.activate("Chief a", "One"))
    now.refused(order("manoeuvre", leader=now.id("Chief a")), "already led")


def test_t_87_woodsman_pays_for_each_hex():
    now = table().now(counters=(4, 0))
    now.do(order("woodsman", now.id("One"), hexes=2))
    assert now.state.counters == (0, 0)
    assert now.unit("One").doing.woodsman == 2


def test_forward_is_a_forced_march_for_a_leaders_units():
    now = table().now(counters=(5, 0))
    now.do(order("forward", leader=now.id("Chief a")))
    now.do(now.activate("Chief a", "One", "Two"))
    assert (now.unit("One").doing.bonus, now.unit("Three").doing.bonus) == (1, 0)
    now = table().now(counters=(5, 0))
    now.do(now.activate("Chief a", "One"))
    now.do(order("forward", leader=now.id("Chief a")))
    assert now.unit("One").doing.bonus == 1


def test_t_30_a_general_assault_adds_an_activation_and_needs_a_leader():
    now = table().now(counters=(10, 0))
    now.do(order("general-assault"))
    assert now.state.allowed == 2
    now = table().now(counters=(10, 0))
    now.do(now.activate("Chief a", "One"))
    now.refused(order("general-assault"), "needs a leader")


def test_the_command_phase_ends_and_movement_follows():
    now = table()
    now.end()
    assert now.state.phase == "movement"
    now.refused(now.activate("Chief a", "One"), "can’t do this in this phase: Movement")


def test_spells_are_skipped_where_nobody_announced_and_the_other_side_begins():
    """TF-9, T-36."""
    now = table()
    now.end(3)
    assert (now.state.side, now.state.phase, now.state.turn) == (1, "command", 1)
    now.end(3)
    assert (now.state.side, now.state.turn) == (0, 2)


def test_t_84_of_several_generals_the_first_armys_unless_the_gm_names_another():
    from tests.rules.thucidide_fantasy.fights import opening

    armies = army("a", 0, "pike"), army("c", 0, "bows"), army("b", 1, "pike")
    state = LAW.open(opening(*armies))
    first, second = (one for one in state.people if state.side_of(one) == 0)
    assert state.generals[0] == first
    assert (state.people[first].rank, state.people[second].rank) == ("general", "sub-general")
    state, _events = do(state, c.NameGeneral("c"))
    assert (state.people[first].rank, state.people[second].rank) == ("sub-general", "general")


def test_the_battle_ends_at_its_turn_limit():
    """TF-1.16: equal shares lost are a draw."""
    now = table()
    now.now(turn=12)
    now.end(3)
    now.end(3)
    assert now.state.field.ended.reason == "turn-limit"
    assert now.state.field.ended.winner is None


def test_at_the_limit_the_smaller_share_lost_wins():
    now = table(foes=("pike:Foe", "pike:Other"))
    now.now(turn=12, fallen=(frozenset({now.id("One")}), frozenset()))
    now.end(6)
    assert now.state.field.ended.winner == 1


def test_t_30_a_general_who_is_gone_leads_no_more_when_the_gm_changes_anothers_rank():
    armies = army("a", 0, "pike:Own"), army("c", 0, "pike:More", rank="sub-general"), army("b", 1, "pike:Foe")
    now = Table(*armies, places={"Own": "E6", "More": "F6", "Foe": "E2", "Chief c": "F6", "Chief b": "M1"})
    field = now.state.field.put(now.id("Chief a"), at="", gone="captured")
    now.now(field=field, generals=("", now.id("Chief b")))
    now.do(c.Override(now.id("Chief c"), "rank", "senior-officer", "demoted"))
    assert now.state.generals == ("", now.id("Chief b"))

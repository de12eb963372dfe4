"""Battles nobody fights: how they begin, what each army does there, and what can be asked of them."""

import pickle
from dataclasses import replace

import pytest

from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import check_order
from rules.breaking_point.battle.state.battle_state import FieldMark
from rules.breaking_point.battle.state.conditions import COVER
from rules.breaking_point.forecast.simulate import compared
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.breaking_point.spec import General, House
from rules.breaking_point.workshop.setting import MatchUp, Plan, begun, check_match_up, opening_of
from rules.breaking_point.workshop.workshop_law import held
from rules.core.errors import InvalidInput
from rules.core.odds import AboutOdds
from rules.law import OMNISCIENT
from rules.odds.tasks import Meeting, SweepPart, mirrored, odds_of, swept
from rules.registry import ruleset
from tests.rules.breaking_point.forecast.fields import host, squadron

GAEL = General("g", "Gael", mental=8, presence=7, combat=6, art_of_war=4, diplomacy=0)
FOOT, HORDE = host("a", ("legionaries", 300), ("longbowmen", 100)), host("b", ("orcs", 500), ("crossbowmen", 80))
FEW = AboutOdds(battles=60)


def match_up(one=FOOT, two=HORDE, marks=(), house=None, **plans):
    return MatchUp(house or House(), opening_of(one, two, [FieldMark(mark) for mark in marks]), plans)


def wins(*asked, battles=60):
    found = compared([begun(one) for one in asked], AboutOdds(battles=battles))
    return [winning.wins[0] for winning in found]


class TestBegun:
    def test_a_battle_nobody_fights_stands_before_its_command_test_bp_4_1(self):
        battle = begun(match_up())
        assert battle.phase.kind == "command"
        assert set(battle.orders) == {"a", "b"}

    def test_orders_without_a_plan_are_what_each_body_is_better_at(self):
        modern = host("a", ("riflemen", 100))
        assert begun(match_up()).orders["a"].bodies["contact"].do == "attack"
        assert begun(match_up(modern)).orders["a"].bodies["contact"].do == "shoot"
        assert begun(match_up(modern, a=Plan(contact="attack"))).orders["a"].bodies["contact"].do == "attack"

    def test_what_is_planned_can_be_ordered_in_the_first_round(self):
        battle = begun(match_up(a=Plan(contact="hold", shooting="counter", pursue=False)))
        order = battle.orders["a"]
        assert (order.bodies["contact"].do, order.bodies["shooting"].target) == ("hold", "b:shooting")
        fought = battle.changed(phase=battle.phase._replace(kind="round"), scores=(5, 5))
        check_order(fought, GiveOrder(order).order, OMNISCIENT)

    def test_fleets_are_what_has_machines_alone_b_65(self):
        frigates, mixed = squadron("a", ("frigate", 2)), replace(FOOT, units=(*FOOT.units, *HULL.units))
        assert opening_of(frigates, HULL).kind == "fleet"
        assert opening_of(mixed, HULL).kind == "field"
        assert {given.do for given in begun(match_up(frigates, HULL)).orders["a"].bodies.values()} == {"shoot"}

    def test_two_of_one_name_are_told_apart(self):
        twin = replace(FOOT, id="a~")
        check_match_up(match_up(FOOT, twin))
        assert [side.name for side in match_up(FOOT, twin).opening.sides] == ["A", "A (2)"]

    def test_figures_are_added_and_can_count_for_nothing(self):
        battle = begun(match_up(a=Plan(combat=2, defense=-1, cover=3, circumstances=4)))
        assert dict(battle.bodies["a:contact"].adjusted) == {"combat": 2, "defense": -1}
        assert battle.condition(COVER, body="a:shooting").value == 3
        assert (battle.sides[0].circumstances, battle.sides[1].circumstances) == (4, 0)
        bare = begun(match_up(a=Plan(spared=frozenset({"combat", "defense", "rally", "breaking"}))))
        body = bare.bodies["a:contact"]
        assert dict(body.adjusted) == {"combat": -6, "defense": -6}
        assert (body.rallied, body.value, bare.bodies["b:contact"].value) == (True, None, 2000)

    def test_a_reserve_stands_in_line_unless_it_is_kept_bp_7(self):
        units = (*FOOT.units, replace(FOOT.units[0], reserve=True))
        own = replace(FOOT, units=units)
        status = {
            kept: begun(match_up(own, a=Plan(commit=not kept))).bodies["a:reserve-contact"].status for kept in (0, 1)
        }
        assert status == {0: "fighting", 1: "waiting"}

    def test_a_place_is_held_by_one_of_them_bp_8(self):
        asked = held(match_up(), "b", 2)
        check_match_up(asked)
        assert (asked.opening.kind, asked.opening.place.kind.slug, asked.opening.defender) == ("assault", "fort", 1)
        assert "b:garrison" in begun(asked).bodies
        assert held(asked, "b", 0).opening == match_up().opening


HULL = squadron("h", ("cruiser", 1))


class TestRefused:
    @pytest.mark.parametrize(("asked", "pointer"), [
        (match_up(replace(FOOT, units=())), "/sides/0/armies/0"),
        (match_up(marks=["nowhere"]), "/conditions/0/condition"),
        (match_up(a=Plan(contact="dance")), "/plans/a/contact"),
        (match_up(a=Plan(shooting="dance")), "/plans/a/shooting"),
        (match_up(a=Plan(combat=21)), "/plans/a/combat"),
        (match_up(a=Plan(circumstances=11)), "/plans/a/circumstances"),
        (match_up(a=Plan(cover=-1)), "/plans/a/cover"),
        (held(match_up(), "b", 1, garrison=20), "/sides/1/armies"),
    ])  # fmt: skip
    def test_what_cannot_be_is_refused_with_a_pointer(self, asked, pointer):
        with pytest.raises(InvalidInput) as refused:
            BREAKING_POINT.workshop.check(asked)
        assert pointer in [at for at, _said in refused.value.errors or [(refused.value.field, "")]]


class TestCompared:
    def test_the_same_has_the_same_chance_and_more_of_it_a_better_one(self):
        more = host("a", ("legionaries", 400), ("longbowmen", 100))
        usual, again, stronger = wins(match_up(), match_up(), match_up(more))
        assert usual == again < stronger

    def test_dice_fall_alike_for_what_is_alike(self):
        """A figure that no test of theirs asks for changes not one battle."""
        shooters = host("a", ("longbowmen", 100))
        one, two = wins(match_up(FOOT, shooters), match_up(FOOT, shooters, a=Plan(cover=1)), battles=40)
        kept = wins(match_up(host("x", ("legionaries", 300)), HORDE), battles=40)
        assert abs(one - two) < 0.1
        assert kept != [one]

    def test_a_little_more_never_loses_what_less_of_it_won(self):
        found = wins(*(match_up(a=Plan(combat=more)) for more in range(4)), battles=80)
        assert found == sorted(found)

    def test_who_storms_a_place_is_left_to_the_engine_and_its_dice_fall_alike_too(self):
        found = wins(*(held(match_up(a=Plan(combat=more)), "b", 2) for more in (0, 0, 4)), battles=30)
        assert found[0] == found[1] <= found[2]

    def test_two_who_are_alike_are_equally_likely(self):
        twin = replace(FOOT, id="b")
        (found,) = compared([begun(match_up(FOOT, twin))], AboutOdds(battles=300))
        assert abs(found.wins[0] - found.wins[1]) < 2 * found.error

    def test_nothing_is_said_of_a_battle_that_is_over(self):
        battle = begun(match_up())
        assert compared([battle.changed(phase=battle.phase._replace(kind="closed"))], FEW) == [None]

    def test_a_duel_is_reckoned_exactly_where_that_is_possible(self):
        alone = match_up(host("a", ("peasants", 5)), host("b", ("knights", 50)), a=Plan(contact="hold"))
        (found,) = compared([begun(alone)], FEW)
        assert (found.method, found.error) == ("exact", 0.0)


class TestMeetings:
    def test_it_knows_a_workshop_and_keeps_its_house_rules(self):
        law = ruleset("breaking-point", {"plain_die": True})
        assert law.workshop.known
        assert law.workshop.question(opening_of(FOOT, HORDE), {}).house.plain_die

    def test_what_is_asked_travels_to_another_process(self):
        meeting = Meeting("breaking-point", {}, opening_of(FOOT, HORDE), {"a": Plan(pursue=True)})
        there = pickle.loads(pickle.dumps(meeting))
        found = odds_of(there, FEW)
        assert found == odds_of(meeting, FEW)
        assert sum(side.win for side in found.sides) + found.mutual + found.undecided == pytest.approx(1)

    def test_one_against_several_is_each_of_them_alone(self):
        against = (("b", HORDE), ("h", host("h", ("peasants", 100))))
        many = swept(SweepPart("breaking-point", {}, ("a", FOOT), against, ()), FEW)
        alone = [swept(SweepPart("breaking-point", {}, ("a", FOOT), (one,), ()), FEW)[0] for one in against]
        assert list(many) == alone
        assert mirrored(many[0])._replace(first="a", second="b").lose == many[0].win

    def test_the_ground_holds_for_all_of_a_sweep(self):
        horse = host("k", ("knights", 120))
        part = SweepPart("breaking-point", {}, ("k", horse), (("b", HORDE),), ())
        open_, mud = swept(part, FEW), swept(replace(part, field=(FieldMark("mud"),)), FEW)
        assert mud[0].win < open_[0].win

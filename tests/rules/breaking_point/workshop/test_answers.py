"""What decides a battle of breaking points, and what would make it even."""

from dataclasses import replace

import pytest

from rules.breaking_point.battle.state.battle_state import FieldMark
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.spec import House
from rules.breaking_point.workshop.setting import Plan, begun, check_match_up
from rules.breaking_point.workshop.workshop_law import dials, held, levers, scaled
from rules.core.odds import AboutOdds
from rules.odds.tasks import Meeting, explained
from tests.rules.breaking_point.forecast.fields import host, squadron
from tests.rules.breaking_point.workshop.test_questions import FOOT, GAEL, HORDE, match_up, wins

LED = replace(FOOT, commander=GAEL)


def lever(asked, slug, army=""):
    (found,) = [one for one in levers(asked) if (one.slug, one.army) == (slug, army)]
    return found


def slugs(asked, army):
    return {one.slug for one in levers(asked) if one.army == army}


class TestLevers:
    def test_everything_it_has_can_be_taken_out(self):
        assert slugs(match_up(LED), "a") == {
            "unit:0", "unit:1", "armour", "commander", "art-of-war", "combat", "defense", "rally", "breaking", "shots",
        }  # fmt: skip
        horse = host("a", ("knights", 100), ("zombies", 50), ("riflemen", 20), ("machine-guns", 10))
        assert {"charge", "never", "accuracy", "bursts"} <= slugs(match_up(horse), "a")

    def test_what_it_does_besides_is_a_lever_of_its_own(self):
        plan = Plan(contact="hold", shooting="counter", pursue=True, combat=1, defense=1, circumstances=-1, cover=2)
        own = replace(LED, units=(*LED.units, replace(LED.units[0], reserve=True)))
        told = {"contact", "shooting", "pursue", "combat-besides", "defense-besides", "circumstances-besides",
                "cover-besides", "reserve"}  # fmt: skip
        assert told <= slugs(match_up(own, a=plan), "a")
        assert not told & slugs(match_up(LED), "a")

    def test_each_changes_its_own_and_nothing_else(self):
        asked = match_up(LED)
        assert lever(asked, "commander", "a").without.host("a").commander is None
        assert lever(asked, "art-of-war", "a").without.host("a").commander.art_of_war == 0
        assert [unit.armour for unit in lever(asked, "armour", "a").without.host("a").units] == [0, 0]
        assert lever(asked, "unit:1", "a").without.host("a").units == LED.units[:1]
        assert lever(asked, "shots", "a").without.plan("a").shooting == "hold"
        for one in levers(asked):
            assert one.without.host("b") == HORDE or one.army == "b"
            assert str(one.name)
            assert str(one.note)

    @pytest.mark.parametrize("kind", ["field", "fleet", "assault"])
    def test_each_is_a_battle_that_can_be_fought(self, kind):
        asked = {
            "field": match_up(LED, marks=["mud", "night"]), "assault": held(match_up(LED), "b", 3),
            "fleet": match_up(squadron("a", ("frigate", 2)), squadron("b", ("frigate", 1), ("destroyer", 2))),
        }[kind]  # fmt: skip
        for one in levers(asked):
            check_match_up(one.without)
            assert begun(one.without).phase.kind == "command"

    def test_ground_weather_and_words_can_be_taken_out(self):
        marks = (FieldMark("mud"), FieldMark("dusk", 3), FieldMark("distance", "long"))
        asked = match_up().with_opening(conditions=marks)
        assert {"condition:mud", "condition:dusk", "condition:distance", "numbers", "surprise"} == slugs(asked, "")
        assert lever(asked, "condition:mud").without.opening.conditions == marks[1:]
        words = match_up(marks=["narrow", "no-surprise"])
        assert slugs(words, "") == {"condition:narrow", "condition:no-surprise"}
        assert str(lever(asked, "condition:dusk").name) == f"{CONDITIONS['dusk'].name} 3"

    def test_a_house_rule_of_the_campaign_is_one_b_1(self):
        asked = match_up(house=House(plain_die=True))
        assert lever(asked, "house:plain_die").without.house == House()

    def test_a_place_can_be_taken_from_who_holds_it(self):
        assert lever(held(match_up(), "b", 3), "place", "b").without.opening.kind == "field"

    def test_without_what_helps_it_wins_less_often(self):
        asked = match_up(LED)
        helpful = ("combat", "defense", "armour", "unit:0", "commander")
        usual, *without = wins(asked, *(lever(asked, slug, "a").without for slug in helpful))
        assert all(found < usual for found in without)

    def test_whoever_cannot_break_stands_longer_b_11(self):
        asked = match_up(host("a", ("peasants", 300)), HORDE)
        usual, without = wins(asked, lever(asked, "breaking", "a").without)
        assert usual <= without


class TestDials:
    def dial(self, asked, slug, army="a"):
        (found,) = [one for one in dials(asked) if (one.slug, one.army) == (slug, army)]
        return found

    def test_of_each_army_what_can_be_turned(self):
        assert [(one.slug, one.army) for one in dials(match_up())] == [
            (slug, army) for army in "ab"
            for slug in ("count", "combat", "defense", "circumstances", "armour", "walls", "cover")
        ]  # fmt: skip
        fleet = match_up(squadron("a", ("frigate", 2)), squadron("b", ("frigate", 1)))
        assert "walls" not in {one.slug for one in dials(fleet)}
        unshot = match_up(host("a", ("orcs", 10)), host("b", ("orcs", 10)))
        assert "cover" not in {one.slug for one in dials(unshot)}
        assert {one.army for one in dials(held(match_up(), "b", 2)) if one.slug == "walls"} == {"b"}

    def test_each_end_is_a_battle_that_can_be_fought_and_said(self):
        for asked in (match_up(LED), held(match_up(), "b", 3)):
            for one in dials(asked):
                for step in (one.least, one.now, one.most):
                    assert begun(one.at(step)).phase.kind == "command"
                    assert str(one.says(step))

    def test_where_it_stands_it_changes_nothing(self):
        asked = match_up(LED, a=Plan(combat=2))
        for one in dials(asked):
            assert begun(one.at(one.now)).bodies == begun(asked).bodies

    def test_heads_and_pieces_are_turned_together(self):
        guns = host("a", ("field-guns", 40)).units[0]
        assert [(unit.strength, unit.pieces) for unit in (scaled(guns, 50), scaled(guns, 1), scaled(guns, 100))] == [
            (20, 5), (1, 1), (40, 10),
        ]  # fmt: skip
        assert str(self.dial(match_up(), "count").says(10)) == "200 heads in A instead of 400"

    def test_more_of_it_never_makes_it_worse(self):
        asked = match_up()
        for slug in ("count", "combat", "defense", "armour"):
            dial = self.dial(asked, slug)
            some = [dial.now, (dial.now + dial.most) // 2, dial.most]
            found = wins(*(dial.at(step) for step in some), battles=40)
            assert found == pytest.approx(sorted(found), abs=0.06), slug


def test_what_decides_it_and_what_would_make_it_even():
    meeting = Meeting("breaking-point", {}, match_up(LED).opening, {})
    found = explained(meeting, AboutOdds(battles=12))
    points = [abs(cause.points) for cause in found.causes]
    assert points == sorted(points, reverse=True)
    assert {cause.slug for cause in found.causes if cause.points > 0.2} >= {"unit:0", "combat"}
    assert all(min(even.win, even.other) < 0.5 <= max(even.win, even.other) for even in found.evens)
    assert "count" in {even.slug for even in found.evens}
    assert 0.1 < found.error < 0.4

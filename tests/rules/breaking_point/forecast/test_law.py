"""The future of a battle as one viewer may know it: battles played, orders taken as given, choices, knowledge."""

from dataclasses import replace

import pytest

from rules.breaking_point.battle.orders.commands import Resolve
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from rules.breaking_point.forecast.choices import choices_of, chosen, ordered, slug_of
from rules.breaking_point.forecast.forecast_law import LEVELS
from rules.core.dice import Typed, TypedDie
from rules.core.errors import InvalidInput
from rules.core.odds import AboutOdds, Retreat
from rules.law import OMNISCIENT, Viewer
from tests.everyday import everyday
from tests.rules.breaking_point.forecast.fields import LAW, before, field, host, squadron, told, who

FORECAST = LAW.forecast
FEW = AboutOdds(battles=60)


def clash(**more):
    return field(
        host("a", ("legionaries", 300), ("longbowmen", 100)), host("b", ("orcs", 400), ("crossbowmen", 80)), **more
    )


def odds(battle, about=FEW, viewer=OMNISCIENT):
    return FORECAST.odds(battle, about, viewer)


class TestAnswers:
    def test_the_same_question_has_the_same_answer(self):
        assert odds(clash()) == odds(clash())
        assert odds(clash()) != odds(clash(), AboutOdds(battles=60, seed=2))

    def test_chances_are_one_in_all_and_say_how_they_were_found(self):
        found = odds(clash())
        assert found.method == "simulated"
        assert 0.05 < found.error < 0.2
        assert sum(side.win for side in found.sides) + found.mutual + found.undecided == pytest.approx(1)
        for army in found.armies.values():
            assert sum(chance for _left, chance in army.health) == pytest.approx(1)
            assert sum(army.fates.values()) == pytest.approx(1)

    def test_nothing_is_foretold_of_a_battle_that_is_over_or_not_set_up(self):
        for kind in ("setup", "aftermath", "closed"):
            assert odds(clash().changed(phase=clash().phase._replace(kind=kind))) is None

    def test_a_look_of_one_round_leaves_the_rest_open(self):
        assert odds(clash(), AboutOdds(battles=40, phases=1)).undecided > 0.9

    def test_the_stronger_wins_more_often(self):
        strong = field(host("a", ("legionaries", 600), ("longbowmen", 10)), host("b", ("peasants", 100)))
        assert odds(strong).sides[0].win > 0.95

    def test_the_command_test_comes_first_where_it_is_due(self):
        found = odds(before(clash()))
        assert found.phases.mean > 1

    def test_a_fleet_is_foretold_too(self):
        fleets = field(
            squadron("a", ("interceptor", 10), ("frigate", 1)), squadron("b", ("frigate", 2)), kind="fleet",
            medium="space",
        )  # fmt: skip
        assert odds(fleets, AboutOdds(battles=30)).method == "simulated"

    def test_who_is_to_withdraw_leaves(self):
        found = odds(clash(), AboutOdds(battles=60, retreats={"b": Retreat(after=0)}))
        assert found.armies["b"].fates["withdrawn"] > 0.2
        assert any("withdrawal after 0 rounds" in str(said) for said in found.assumed)

    def test_a_look_ends_where_an_army_is_worn_down_to_a_figure(self):
        found = odds(clash(), AboutOdds(battles=40, until={"b": 3600}))
        assert found.undecided > 0.5

    def test_an_order_is_taken_as_given(self):
        hold = told("a", {"contact": ("hold",), "shooting": ("hold",)})
        holding = odds(clash(), AboutOdds(battles=60, phases=1, commands=(hold,)))
        assert holding.armies["b"].health == ((400 * 8 + 80 * 6, pytest.approx(1.0)),)

    @pytest.mark.parametrize(
        "command",
        [told("a", {"shooting": ("attack", "b:contact")}), told("nobody", {}), told("a", {"cavalry": ("hold",)}),
         told("a", {"contact": ("attack", "a:shooting")}), Resolve()],
    )  # fmt: skip
    def test_an_order_that_could_not_be_given_is_refused(self, command):
        with pytest.raises(InvalidInput):
            odds(clash(), AboutOdds(commands=(command,)))


class TestStanding:
    """What is done without new orders."""

    def test_who_was_told_nothing_strikes_at_the_first(self):
        orders = ordered(clash(), {}).orders
        assert orders["a"].bodies == {
            "contact": BodyOrder("attack", "b:contact"), "shooting": BodyOrder("shoot", "b:contact"),
        }  # fmt: skip

    @pytest.mark.parametrize("battle", [clash(), clash(marks=("no-surprise",))])
    def test_b22_an_army_known_to_have_no_order_holds_this_round_and_then_attacks(self, battle):
        about = AboutOdds(battles=60, undecided=frozenset("ab"))
        first = odds(battle, replace(about, phases=1))
        assert [army.health for army in first.armies.values()] == [
            ((army_health, pytest.approx(1.0)),) for army_health in (300 * 9 + 100 * 5, 400 * 8 + 80 * 6)
        ]
        assert odds(battle, about).mutual < 0.9
        assert any("holds this round, then attacks" in str(said) for said in odds(battle, about).assumed)

    def test_b45_after_a_quiet_round_nobody_wins_unless_somebody_gets_an_order(self):
        quiet, about = clash().changed(quiet=1), AboutOdds(battles=60, undecided=frozenset("ab"))
        assert odds(quiet, about).mutual == 1
        assert odds(quiet, replace(about, commands=(told("a", {"contact": ("attack", "b:contact")}),))).mutual < 0.9
        duel = field(host("a", ("legionaries", 400)), host("b", ("orcs", 300))).changed(quiet=1)
        assert odds(duel, about).mutual == 1
        three = field(*(host(name, ("orcs", 100)) for name in "abc")).changed(quiet=1)
        assert odds(three, AboutOdds(battles=20, undecided=frozenset("abc"))).mutual == 1

    def test_who_holds_goes_on_holding(self):
        kept = Order("a", {"contact": BodyOrder("hold")})
        assert ordered(clash(), {"a": kept}).orders["a"].bodies["contact"] == BodyOrder("hold")

    def test_a_target_that_is_gone_is_followed_by_the_next_in_reach(self):
        battle = clash()
        gone = {**battle.bodies, "b:contact": _fled(battle.bodies["b:contact"])}
        kept = Order("a", {"contact": BodyOrder("attack", "b:contact", pursue=True)})
        found = ordered(battle.changed(bodies=gone), {"a": kept}).orders["a"].bodies["contact"]
        assert found == BodyOrder("attack", "b:shooting", pursue=True)


def _fled(body):
    return replace(body, status="fled")


class TestTables:
    def test_choices_of_an_army_b_22(self):
        slugs = [choice.slug for choice in choices_of(clash(), "a")]
        assert slugs == ["at:b:contact", "at:b:shooting", "hold", "withdraw"]

    def test_what_is_out_of_reach_for_all_of_an_army_is_barred_b_25(self):
        battle = field(host("a", ("legionaries", 300)), host("b", ("orcs", 400), ("crossbowmen", 80)))
        barred = {choice.slug: str(choice.barred) for choice in choices_of(battle, "a")}
        assert barred["at:b:shooting"] == "No group of this army can reach that enemy."
        assert barred["at:b:contact"] == ""

    def test_a_choice_is_the_order_it_makes(self):
        battle = chosen(clash(), "a", "at:b:shooting")
        assert battle.orders["a"].bodies["shooting"] == BodyOrder("shoot", "b:shooting")
        assert slug_of(chosen(clash(), "a", "hold"), "a") == "hold"
        assert slug_of(chosen(clash(), "a", "withdraw"), "a") == "withdraw"

    def test_a_table_says_what_each_order_would_do(self):
        battle = field(host("a", ("legionaries", 400)), host("b", ("orcs", 300)))
        (kind,) = FORECAST.table_kinds(battle, "a", "b")
        table = FORECAST.table(battle, kind.slug, "a", "b", AboutOdds(battles=108), OMNISCIENT)
        assert [choice.slug for choice in table.rows] == ["at:b:contact", "hold", "withdraw"]
        strike, *others = (row[0] for row in table.win)
        assert strike > max(others)
        assert table.best[0] == 0
        assert sum(table.row_mix) == pytest.approx(1)

    def test_there_is_none_before_the_first_round_or_among_friends(self):
        assert FORECAST.table_kinds(before(clash()), "a", "b") == ()
        assert FORECAST.table_kinds(clash(), "a", "a") == ()
        with pytest.raises(InvalidInput):
            FORECAST.table(clash(), "tactics", "a", "b", FEW, OMNISCIENT)


class TestKnowledge:
    """B-18: nothing but what may be known goes into a forecast."""

    def guesses(self, battle, viewer):
        return FORECAST.guesses(LAW.seen(battle, viewer), viewer)

    def test_who_may_know_everything_has_one_world(self):
        (guess,) = self.guesses(clash(), OMNISCIENT)
        assert guess.weight == 1.0

    def test_hidden_armies_are_taken_for_troops_of_three_qualities(self):
        found = self.guesses(clash(), who("a"))
        assert [guess.weight for guess in found] == [level.weight for level in LEVELS]
        assert sum(guess.weight for guess in found) == 1.0
        assert [guess.state.bodies["b:contact"].formation.combat for guess in found] == [3, 5, 8]
        assert all(not body.masked for guess in found for body in guess.state.bodies.values())

    def test_two_states_that_look_alike_have_equal_guesses(self):
        armed = field(host("a", ("legionaries", 300)), host("b", ("men-at-arms", 400)))
        bare = field(host("a", ("legionaries", 300)), host("b", ("peasants", 401)))
        views = [LAW.seen(battle, who("a")) for battle in (armed, bare)]
        assert [unit.strength for unit in views[0].armies["b"].units] == [400]
        strengths = [guess.state.bodies["b:contact"].force for guess in FORECAST.guesses(views[0], who("a"))]
        others = [guess.state.bodies["b:contact"].force for guess in FORECAST.guesses(views[1], who("a"))]
        assert strengths == others

    def test_orders_of_others_are_in_no_guess(self):
        battle = chosen(clash(), "b", "hold")
        assert all("b" not in guess.state.orders for guess in self.guesses(battle, who("a")))

    def test_what_is_left_of_a_hidden_army_is_told_in_hundredths(self):
        (guess, *_rest) = self.guesses(clash(), who("a"))
        found = odds(guess.state, AboutOdds(battles=30, phases=1), who("a"))
        assert max(left for left, _chance in found.armies["b"].health) <= 200
        assert max(left for left, _chance in found.armies["a"].health) > 200
        assert any("You can’t read the sheet of B" in str(said) for said in found.assumed)

    def test_unknown_orders_are_averaged_or_the_worst(self):
        battle = field(host("a", ("legionaries", 300)), host("b", ("orcs", 400)))
        seer = Viewer(armies=frozenset({"a"}), reads=frozenset({"b"}))
        average, worst = (
            odds(battle, AboutOdds(unknown=unknown, battles=120), seer) for unknown in ("average", "worst")
        )
        assert average.sides[0].win > worst.sides[0].win
        assert average.sides[0].low < average.sides[0].win < average.sides[0].high
        assert worst.sides[0].win == pytest.approx(average.sides[0].low, abs=worst.error + 0.1)

    def test_what_happened_tells_what_had_been_ordered(self):
        battle = field(host("a", ("legionaries", 300)), host("b", ("orcs", 400)))
        battle = chosen(chosen(battle, "a", "at:b:contact"), "b", "at:a:contact")
        dice = Typed([TypedDie(f"{army}:contact", "contact", (5,)) for army in "ab"])
        events = LAW.decide(battle, Resolve(), dice, OMNISCIENT)
        (command,) = FORECAST.carried_out(LAW.seen(battle, who("a")), events, who("a"))
        assert command.order.bodies == {"contact": BodyOrder("attack", "a:contact")}


class TestOpponents:
    """A side commanded by the engine: orders that can be given, and why."""

    @pytest.mark.parametrize("leaning", everyday(["balanced", "reckless", "cautious", "bold"], first=2))
    def test_each_army_that_waits_gets_an_order_that_can_be_given(self, leaning):
        battle = field(host("a", ("legionaries", 500)), host("b", ("orcs", 200)))
        (proposal,) = FORECAST.proposals(battle, 0, leaning, OMNISCIENT, "seed")
        assert proposal.army == "a"
        assert str(proposal.why)
        after = LAW.fold(battle, LAW.decide(battle, proposal.command, Typed(()), OMNISCIENT))
        assert slug_of(after, "a") == "at:b:contact"

    def test_before_the_command_test_its_chief_stands(self):
        (proposal,) = FORECAST.proposals(before(clash()), 1, "bold", OMNISCIENT, "seed")
        assert (proposal.army, proposal.command.order.withdraw) == ("b", False)

    def test_armies_that_have_their_orders_keep_them(self):
        assert FORECAST.proposals(chosen(clash(), "a", "hold"), 0, "bold", OMNISCIENT, "seed") == ()


def test_it_resolves_by_one_command_and_begins_by_the_setups_end():
    assert FORECAST.known
    assert FORECAST.carries_out(Resolve())
    battle = clash().changed(phase=clash().phase._replace(kind="setup"))
    assert FORECAST.begun(battle).phase.kind == "command"

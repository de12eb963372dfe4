"""What somebody may know of a battle (B-18), and how it is told."""

from __future__ import annotations

import pytest

from rules.breaking_point.battle.from_afar import rounded
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import Order
from rules.breaking_point.losses import share
from rules.core.breakdown import Breakdown
from rules.law import FIGHTING, Viewer
from tests.rules.breaking_point.battle.fights import LED, Fight, archers, foot, with_losses

ANA, BO = Viewer(armies=frozenset({"a"})), Viewer(armies=frozenset({"b"}))
STRANGER = Viewer()


def field():
    fight = Fight((foot(170), archers(), foot(50, reserve=True), archers(30, reserve=True)), foot(840), led={"b": LED})
    return fight.command()


def test_b18_an_order_is_its_own_until_it_happens():
    fight = field().order("a", contact=("attack", "b:contact"))
    (given,) = fight.events
    assert fight.law.witnessed(fight.state, given, ANA) == given
    assert fight.law.witnessed(fight.state, given, BO).order is None
    assert fight.law.seen(fight.state, ANA).orders["a"].bodies
    assert fight.law.seen(fight.state, BO).orders["a"] == Order("a")
    assert fight.law.describe(fight.state, given).secret


def test_b18_of_enemies_heads_to_one_figure_type_and_state_are_seen_and_no_number():
    fight = with_losses(field(), b_contact=4200)
    seen = fight.law.seen(fight.state, ANA)
    body, host = seen.bodies["b:contact"], seen.armies["b"]
    assert (body.formation.heads, body.force, body.losses, body.state) == (800, 100, 50, "battered")
    assert (body.value, body.breaking, body.formation.combat, body.formation.contact_combat) == (None, None, 0, 0)
    assert (host.units[0].name, host.units[0].type.slug, host.units[0].strength) == ("Foot", "infantry", 800)
    assert (host.units[0].combat, host.units[0].weapons, host.units[0].armour) == (0, (), 0)
    assert (host.commander.name, host.commander.mental, host.commander.art_of_war) == ("Ney", 0, 0)
    assert seen.opening.armies[1] == host
    assert seen.bodies["a:contact"] == fight.state.bodies["a:contact"]
    assert fight.law.summary(seen).armies["b"].health == 50


def test_b18_that_there_is_a_reserve_is_known_and_not_what_it_is_made_of():
    fight = field()
    seen = fight.law.seen(fight.state, BO)
    waiting = [body for body in seen.bodies.values() if body.waiting]
    assert [(body.army, body.formation.heads, body.formation.members) for body in waiting] == [("a", 0, ())]
    assert [(unit.name, unit.strength) for unit in seen.armies["a"].units if unit.reserve] == [("", 0)] * 2


@pytest.mark.parametrize("heads, told", [(1, 1), (14, 10), (15, 20), (250, 300), (1499, 1000), (0, 0)])
def test_b18_heads_are_counted_from_afar(heads, told):
    assert rounded(heads) == told


def test_states_are_the_same_in_hundredths():
    assert [share(points, 350) for points in (0, 1, 174, 175, 349, 350, 699, 700)] == [0, 1, 49, 50, 99, 100, 199, 200]


def test_b18_of_an_attack_dice_and_score_are_open_and_the_figures_their_owners():
    fight = field().order("a", contact=("attack", "b:contact")).resolve(a_contact__contact=(8,))
    attack = fight.one(e.Attacked)
    ana, bo, other = (fight.law.witnessed(fight.state, attack, viewer) for viewer in (ANA, BO, STRANGER))
    assert {one.score for one in (ana, bo, other)} == {attack.score}
    assert (ana.power, ana.loss, ana.against, ana.foe_lines) == (1700, attack.loss, None, ())
    assert (bo.power, bo.lines, bo.against, bo.loss) == (0, (), 6, attack.loss)
    assert (other.power, other.loss, other.against, other.percent) == (0, 0, None, 0)


def test_b18_losses_are_told_as_a_share_of_the_force():
    fight = field().order("a", contact=("attack", "b:contact")).resolve(a_contact__contact=(8,))
    suffered = fight.one(e.Suffered)
    told = fight.law.witnessed(fight.state, suffered, ANA)
    assert (told.force, told.losses, told.fallen) == (100, share(suffered.losses, 8400), 0)
    assert "8400" not in str(fight.law.describe(fight.law.seen(fight.state, ANA), told).text)
    assert fight.law.witnessed(fight.state, suffered, BO) == suffered


def test_b18_command_is_a_score_and_its_sum_its_sides_own():
    fight = Fight(foot(), foot(), led={"a": LED}).command()
    first = fight.of(e.CommandTested)[0]
    assert fight.law.witnessed(fight.state, first, ANA).lines
    assert fight.law.witnessed(fight.state, first, BO) == first._replace(lines=())


def test_a_lost_order_is_told_to_who_gave_it():
    fight = field().order("a", contact=("attack", "b:contact")).override("b:contact", "status", "withdrawn").resolve()
    (lost,) = fight.of(e.OrderLost)
    assert fight.law.witnessed(fight.state, lost, BO) is None
    assert fight.law.witnessed(fight.state, lost, ANA) == lost


def test_a_figure_that_the_gm_sets_stays_its_armys_own():
    fight = field().override("b:contact", "losses", 300)
    (event,) = fight.events
    assert fight.law.witnessed(fight.state, event, ANA).value is None
    assert "300" not in str(fight.law.describe(fight.state, fight.law.witnessed(fight.state, event, ANA)).text)
    assert fight.law.witnessed(fight.state, event, BO) == event


def test_a_player_sees_what_he_may_order_and_nothing_of_others():
    fight = field()
    legal = fight.law.legal(fight.law.seen(fight.state, ANA), ANA)
    assert (legal.commands, [army.army for army in legal.armies]) == (("order",), ["a"])
    (army,) = legal.armies
    assert [body.key for body in army.bodies] == ["contact", "shooting", "reserve-contact", "reserve-shooting"]
    assert [aim.body for aim in army.bodies[0].attack] == ["b:contact"]
    assert army.bodies[0].cannot_shoot is not None
    assert fight.law.legal(fight.law.seen(fight.state, STRANGER), STRANGER).commands == ()


# telling


def test_every_sum_of_an_attack_adds_up():
    fight = field().order("a", contact=("attack", "b:contact")).resolve(a_contact__contact=(8,))
    attack = fight.one(e.Attacked)
    assert sum(line.value for line in attack.lines) == attack.score - 8
    assert sum(line.value for line in attack.foe_lines) == attack.against
    assert sum(line.value for line in attack.power_lines) == attack.power
    entry = fight.law.describe(fight.state, attack)
    assert [(one.army, one.breakdown.total) for one in entry.sums] == [("a", attack.score - 8), ("b", 6), ("a", 1700)]
    assert entry.numbers == {"check": attack.score, "against": 6}


def test_halvings_stand_in_the_sum_of_a_power():
    fight = with_losses(field(), a_contact=900).order("a", contact=("attack", "b:contact"))
    attack = fight.resolve(a_contact__contact=(8,)).one(e.Attacked)
    assert [line.value for line in attack.power_lines] == [1700, -850]


def test_every_figure_of_every_army_comes_with_its_sum():
    fight = field()
    figures = fight.law.figures(fight.state)
    assert figures["a"]["power:contact"].total == 1700
    assert figures["a"]["fire-power:shooting"].total == 200
    assert figures["b"]["command"].total == LED.mental - 5 + LED.combat + LED.art_of_war
    assert figures["b"]["breaking:contact"].total == 5880
    assert all(isinstance(one, Breakdown) for own in figures.values() for one in own.values())


def test_an_army_at_a_glance_is_the_force_it_has_left():
    fight = with_losses(field(), b_contact=4200)
    summary = fight.law.summary(fight.state)
    army = summary.armies["b"]
    assert (army.health, army.health_max, army.status, army.leader_name) == (4200, 8400, FIGHTING, "Ney")
    assert [(one.army, one.what) for one in summary.waiting_for] == [("a", ("order",)), ("b", ("order",))]
    fight.order("b").override("a:contact", "status", "fled").override("a:shooting", "status", "fled")
    assert [one.army for one in fight.law.summary(fight.state).waiting_for] == ["a"]


def test_luck_is_how_far_open_dice_fell_from_their_average():
    fight = Fight(foot(), foot()).play(c.Next())
    fight.play(c.Resolve(), side_0__command=(10, 2), side_1__command=(5,))
    assert fight.law.luck(fight.state, fight.events) == {0: 12 - 5.5, 1: -0.5}


def test_what_a_round_did_to_each_army():
    fight = field()
    before = fight.order("a", contact=("attack", "b:contact")).state
    fight.resolve(a_contact__contact=(8,))
    verdict = fight.law.verdict(before, fight.events, fight.state)
    assert [(fate.army, fate.lost > 0, fate.gone) for fate in verdict.fates] == [
        ("a", False, False),
        ("b", True, False),
    ]


def test_an_order_is_its_givers_to_take_back_and_bears_the_orders_of_others():
    law, mine, theirs = field().law, c.GiveOrder(Order("a")), c.GiveOrder(Order("b"))
    assert law.revocable(mine, ())
    assert not law.revocable(c.Resolve(), ())
    assert law.bears(mine, (theirs,))
    assert not law.bears(mine, (mine,))
    assert not law.bears(mine, (c.Resolve(),))


def test_a_round_is_news_and_an_order_is_not():
    fight = field().order("a")
    assert not fight.law.decisive(fight.state, fight.events)
    assert fight.law.decisive(fight.state, fight.resolve().events)

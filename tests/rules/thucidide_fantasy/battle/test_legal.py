"""What is legal by selection, and the board: leaders' ranges, reach, targets with exact chances, questions."""

from __future__ import annotations

from fractions import Fraction
from time import process_time

import pytest

from core.text import render
from rules.hexbattle.board import picks_of
from rules.pending import AnswerCommand
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import Reroll
from rules.thucidide_fantasy.battle.throws import losses
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.spec import BattleOptions
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, begun, dark_host, realm, side_viewer, starter

FAR = {"Chief a": "A11", "Chief b": "M1"}
CARDS = ("fear", "dust-warriors", "counterspell")
MAGE = ContingentCharacter("Mage", "caster", points=20, cards=CARDS)


def table(*units, foes=("foot-medium:Foe",), places=None, people=(), rivals=(), **more):
    mine = army("a", 0, *(units or ("foot-heavy:Own",)), people=people)
    places = FAR | {"Own": "E6", "Foe": "E5"} | (places or {})
    return Table(mine, army("b", 1, *foes, people=rivals), places=places, **more)


def test_a_leader_is_picked_then_whom_they_activate():
    now = table("pike:Own", "pike:Far", places={"Far": "M9", "Chief a": "E8"}, phase="command")
    found = now.legal("Chief a")
    units = {one.target: one for one in found.targets}
    assert units[now.id("Own")].why_not is None
    assert units[now.id("Own")].mark == "1"
    assert "hexes from the leader" in str(units[now.id("Far")].why_not)
    assert found.rings[0].layer == "command"
    done = now.legal("Chief a", f"with:{now.id('Own')}").confirm
    assert done.command == c.ActivateUnits(now.id("Chief a"), (now.id("Own"),))
    now.do(done.command)


def test_tf_1_3_who_is_taken_in_keeps_the_price_two_lone_characters_none():
    people = [ContingentCharacter(name, "useful") for name in ("Bo", "Kai", "Ono")]
    now = table("pike:Own", people=people, places={"Chief a": "E8", "Bo": "A1", "Kai": "B1", "Ono": "C1"},
                phase="command")  # fmt: skip

    def prices(*names):
        found = now.legal("Chief a", *(f"with:{now.id(name)}" for name in names))
        return [next(one.mark for one in found.targets if one.target == now.id(n)) for n in ("Own", "Bo", "Kai", "Ono")]

    assert prices() == ["1", "0", "0", "0"]
    assert prices("Own", "Bo") == ["1", "0", "0", "0"]
    assert prices("Bo", "Kai") == ["1", "0", "0", "1"]
    assert prices("Bo", "Kai", "Ono") == ["1", "1", "1", "1"]


def test_orders_say_their_cost_what_they_do_and_why_not():
    now = table(phase="command").now(counters=(2, 0))
    acts = {act.slug: act for act in now.legal("Own").acts}
    assert acts["order:forced-march"].why_not is None
    assert render(acts["order:forced-march"].note) == "2 counters. One unit moves 1 extra hex and can still fight."
    assert "costs 3 counters; your side has 2" in str(acts["order:courier"].why_not)
    done = now.legal("Own", "order:forced-march").confirm
    assert done.command == c.GiveOrder("forced-march", now.id("Own"))
    assert [act.slug for act in now.legal().acts] == ["order:reconnaissance", "order:general-assault"]


def test_nothing_picked_ends_the_phase_unless_somebody_is_forced():
    now = table("tigers:Own", places={"Foe": "E2"}, phase="movement")
    found = now.legal()
    assert found.confirm is None
    assert "Still to move" in str(found.must)
    assert table(phase="movement").legal().confirm.command == c.EndPhase()


@pytest.mark.parametrize("phase", ["command", "movement", "combat", "spells"])
def test_the_gm_reads_whose_phase_the_button_ends(phase):
    now = table(phase=phase)
    side = now.state.opening.sides[0]
    assert render(now.legal().confirm.button) == f"End the {phase.rstrip('s')} phase: {side}"
    assert render(now.legal(viewer=side_viewer(now.state, 0)).confirm.button) == f"End the {phase.rstrip('s')} phase"


def test_reach_tells_costs_far_moves_and_why_not():
    now = table("foot-medium:Own", places={"Foe": "E2"}, phase="movement")
    steps = {step.hex: step for step in now.legal("Own").steps}
    assert (steps["E5"].kind, steps["E5"].cost) == ("reach", 1)
    assert (steps["E4"].kind, steps["E4"].cost) == ("effort", 2)
    fanatic = table("tigers:Own", places={"Foe": "E2"}, phase="movement")
    steps = {step.hex: step for step in fanatic.legal("Own").steps}
    assert "closer" in str(steps["E7"].why_not)
    found = now.legal("Own", "E4")
    assert found.way[-1] == "E4"
    assert "can’t fight" in str(found.confirm.note)
    now.do(found.confirm.command)
    assert now.at("Own") == "E4"


def test_hx_3_3_a_way_is_laid_hex_by_hex_and_gone_as_it_was_laid():
    now = table("riders-light:Own", places={"Foe": "A1"}, phase="movement")
    offer = next(act for act in now.legal("Own", "E4").acts if act.slug.startswith("way:"))
    assert offer.beside
    begun_ = now.legal("Own", "", "", "way:")
    assert {step.hex for step in begun_.steps} == set(now.state.field.ground.around("E6"))
    assert begun_.confirm is None
    laid = now.legal("Own", "E4", "", "way:F6.F5.E4")
    assert laid.way == ("E6", "F6", "F5", "E4")
    assert laid.picked == (now.id("Own"), "E4", "", "way:F6.F5.E4")
    assert laid.confirm.command == c.MovePiece(now.id("Own"), ("F6", "F5", "E4"))
    now.do(laid.confirm.command)
    assert now.at("Own") == "E4"


def test_hx_3_3_a_way_that_ends_where_nobody_may_says_why():
    fanatic = table("tigers:Own", places={"Foe": "E2"}, phase="movement")
    found = fanatic.legal("Own", "E7", "", "way:E7")
    assert "closer" in str(found.confirm.why_not)
    cut = fanatic.legal("Own", "A1", "", "way:E5.A1")
    assert cut.picked == (fanatic.id("Own"), "E5", "", "way:E5")
    picks = (fanatic.id("Own"), "A1", "", "way:E5.A1")
    viewer = side_viewer(fanatic.state, 0)
    assert "isn’t next to E5" in str(LAW.why_not(fanatic.state, viewer, picks))


def test_targets_have_their_lines_and_the_chance_of_each_number_of_losses():
    now = table()
    (target,) = now.legal("Own").targets
    bar = losses(3, (3, 2))
    assert [piece.chance for piece in target.outcomes] == list(bar)
    assert sum(piece.chance for piece in target.outcomes) == 1
    assert target.chance == 1 - Fraction(64, 216)
    assert str(target.throw) == "3 dice"
    assert len(target.sum) == 1
    done = now.legal("Own", "", "Foe").confirm
    assert done.throws
    assert done.command == c.OpenMelee(now.id("Own"), now.id("Foe"))


def test_the_chances_told_are_those_that_are_decided():
    """The same throw is shown and thrown: its dice, and what they do."""
    from itertools import product

    now = table(foes=("foot-light:Foe",)).set("Foe", stands=2)
    (target,) = now.legal("Own").targets
    assert target.outcomes[-1].slug == "destroyed"
    fallen = 0
    before = now.state
    for dice in product(range(1, 7), repeat=3):
        now.now()
        now.state = before
        now.do(c.OpenMelee(now.id("Own"), now.id("Foe")), attack=dice)
        fallen += now.gone("Foe") == "destroyed"
    assert Fraction(fallen, 216) == target.outcomes[-1].chance


def test_who_is_out_of_reach_is_no_target():
    now = table(places={"Foe": "E4"})
    assert now.legal("Own").targets == ()
    assert now.id("Own") not in now.legal().able


def test_spells_offer_their_targets():
    now = table(people=(MAGE,), places={"Mage": "E8", "Own": "A9"}, phase="spells").set("Mage", announced=True)
    found = now.legal("Mage")
    assert [act.slug for act in found.acts] == ["spell:fear", "spell:dust-warriors", "spell:counterspell", "decline"]
    aimed = now.legal("Mage", "spell:fear")
    assert {target.target for target in aimed.targets} == {now.id("Foe")}
    done = now.legal("Mage", "spell:fear", "Foe").confirm
    assert done.command == c.CastSpell(now.id("Mage"), "fear", (now.id("Foe"),))
    assert now.legal("Mage", "decline").confirm.command == c.DeclineSpell(now.id("Mage"))


def test_904_offers_each_prey_by_name_and_the_undead_alone_where_nobody_is_in_reach():
    """T-33, T-77: no way to cast it is without a name."""
    mage = ContingentCharacter("Mage", "caster", points=20, cards=("turn",))
    at = {"Own": "A9", "Mage": "E8", "Foe": "E6", "Mate": "E5", "Other": "E4"}
    now = table(foes=("skeletons:Foe", "bows:Mate", "bows:Other"), places=at, people=(mage,), phase="spells")
    now.set("Mage", activated=True, announced=True)
    foe, preys = now.id("Foe"), {now.id("Mate"), now.id("Other")}
    acts = [act for act in now.legal("Mage", "", foe, "spell:turn").acts if act.slug.startswith("aim:")]
    assert {act.slug.removeprefix("aim:") for act in acts} == preys
    assert all(str(act.label) for act in acts)
    for name, far in (("Mate", "A1"), ("Other", "B1")):
        now.put(name, far)
    assert now.legal("Mage", "", foe, "spell:turn").confirm.command == c.CastSpell(now.id("Mage"), "turn", (foe,))


def test_a_flight_is_answered_on_the_board():
    now = table(foes=("pike:Far",), rivals=(MAGE,), places={"Mage": "E5", "Far": "M9"})
    now.attack("Own", "Mage")
    mine, theirs = side_viewer(now.state, 0), side_viewer(now.state, 1)
    assert now.legal(viewer=mine).confirm is None
    found = now.legal(viewer=theirs)
    assert all(step.kind == "answer" for step in found.steps)
    done = now.legal("Mage", "E3", viewer=theirs).confirm
    assert done.command == c.FleeTo(now.id("Mage"), "E3")


def test_every_command_offered_is_taken():
    state = begun(realm(0), dark_host(1))
    viewer = side_viewer(state, 0)
    chief = next(one for one in state.people if state.people[one].rank and state.side_of(one) == 0)
    near = [act.slug for act in LAW.legal(state, viewer, (chief,)).acts if act.why_not is None][:3]
    done = LAW.legal(state, viewer, (chief, *near)).confirm
    assert LAW.decide(state, done.command, None or Table_dice(), viewer)


def Table_dice():
    from tests.rules.thucidide_fantasy.fights import Loaded

    return Loaded()


def test_legal_of_a_picked_unit_takes_a_few_milliseconds():
    """Five on a quiet machine; here at most four times as many."""
    state = begun(realm(0), dark_host(1), map_=starter("meadows"))
    for phase in ("command", "movement", "combat"):
        now = state.but(phase=phase)
        for unit in now.units:
            now = now.with_doing(unit, activated=phase != "command")
        viewer = side_viewer(now, 0)
        seen = LAW.seen(now, viewer)
        able = LAW.legal(seen, viewer).able
        began = process_time()
        for unit in able:
            LAW.legal(seen.but(), viewer, (unit,))
        assert not able or (process_time() - began) / len(able) < 0.02, phase


# Who may (TF-9)


def test_owners_move_and_fight_and_a_leaders_owner_activates_the_whole_side():
    both = army("a", 0, "pike:Own"), army("c", 0, "bows:Ally"), army("b", 1, "pike:Foe")
    now = Table(*both, places=FAR | {"Own": "E6", "Ally": "F6", "Foe": "E5", "Chief c": "B11"})
    from rules.core.viewers import Viewer

    ana = Viewer(armies=frozenset({"a"}))
    assert LAW.allows(now.state, c.OpenMelee(now.id("Own"), now.id("Foe")), ana)
    assert not LAW.allows(now.state, c.OpenShot(now.id("Ally"), now.id("Foe")), ana)
    assert LAW.allows(now.state, c.ActivateUnits(now.id("Chief a"), (now.id("Ally"),)), ana)
    assert not LAW.allows(now.state, c.ActivateUnits(now.id("Chief c"), (now.id("Own"),)), ana)
    assert LAW.allows(now.state, c.EndPhase(), ana)
    bo = Viewer(armies=frozenset({"b"}))
    assert not LAW.allows(now.state, c.EndPhase(), bo)
    for gm in (c.SetOption("combat", "table"), c.Override("0", "counters", 3, "why"), c.AppealByGm(now.id("Chief a"))):
        assert not LAW.allows(now.state, gm, ana)


def test_what_may_be_taken_back():
    """TF-9: while no die fell and nothing hidden was shown."""
    now = table(phase="movement", places={"Foe": "E2"})
    now.move("Own", "E5")
    assert LAW.revocable(c.MovePiece(now.id("Own"), to="E5"), now.events)
    now = table()
    now.attack("Own", "Foe", attack="ggg")
    assert not LAW.revocable(c.OpenMelee(now.id("Own"), now.id("Foe")), now.events)


def test_tf_9_what_threw_no_die_in_a_combat_may_be_taken_back():
    """An attack on a lone character or one the GM has to report, a flight, no pursuit; a throw that waits may not."""
    now = table("riders-medium:Own", foes=("pike:Foe", "bows:Next"), rivals=(MAGE,),
                places={"Mage": "E5", "Next": "D4"}).set("Foe", stands=1)  # fmt: skip
    now.attack("Own", "Foe", attack="rr")
    flight = AnswerCommand("flee", "", {"hex": "E3"})
    assert now.do(flight, side_viewer(now.state, 1)) == ["FightResumed", "CharacterFled", "FightPaused"]
    assert LAW.revocable(flight, now.events)
    now.do(c.PursueFoe(now.id("Own"), None))
    assert LAW.revocable(c.PursueFoe(now.id("Own"), None), now.events)
    now = table(rivals=(MAGE,), places={"Mage": "E5", "Foe": "M9"})
    now.attack("Own", "Mage")
    assert LAW.revocable(c.OpenMelee(now.id("Own"), now.id("Mage")), now.events)
    for more, may in (({"options": BattleOptions(combat="table")}, True), ({}, False)):
        now = table(**more).now(rerolls=(Reroll(0, 1),))
        now.attack("Own", "Foe")
        assert now.state.fight.asks == ("report" if may else "reroll")
        assert LAW.revocable(c.OpenMelee(now.id("Own"), now.id("Foe")), now.events) is may


# The board


def test_the_board_shows_stands_counters_and_the_turn():
    now = table(people=(MAGE,), places={"Mage": "E8"}).now(counters=(4, 5), victory=(3, 3)).set("Own", stands=2)
    viewer = side_viewer(now.state, 0)
    board = LAW.board(LAW.seen(now.state, viewer), viewer)
    own = next(counter for counter in board.counters if counter.unit == now.id("Own"))
    assert own.pips == (2, 4)
    assert own.can_act
    assert board.clock.cells[0].tokens[1] == 4
    assert board.clock.cells[0].tally[1:] == (0, 3)
    assert next(state for _phase, state in board.clock.steps if state == "current")
    assert str(board.clock.now) == "You act"


def test_the_clock_names_who_is_asked():
    """T-39, TF-1.17: a flight is the other side's, a report the GM's."""
    fled = table(rivals=(MAGE._replace(name="Rival"),), places={"Rival": "E5", "Foe": "A1"})
    fled.attack("Own", "Rival")
    reported = table(options=BattleOptions(combat="table"))
    reported.attack("Own", "Foe")
    for now, told in ((fled, ("North answers", "You answer")), (reported, ("GM enters result",) * 2)):
        assert now.state.fight.side != now.state.side
        viewers = [side_viewer(now.state, side) for side in (0, 1)]
        assert tuple(str(LAW.board(now.state, viewer).clock.now) for viewer in viewers) == told


def test_effects_tell_the_turns_they_have_left():
    """T-36."""
    now = table(people=(ContingentCharacter("Mage", "caster", points=9, cards=("darkness", "elite")),),
                places={"Mage": "E8"}, phase="spells").set("Mage", announced=True)  # fmt: skip
    now.cast("Mage", "darkness", "E5")
    board = LAW.board(now.state, side_viewer(now.state, 0))
    assert [(effect.hex, effect.left) for effect in board.effects] == [("E5", 2)]
    now.end()
    assert LAW.board(now.state, side_viewer(now.state, 0)).effects[0].left == 2


def test_graves_are_losses_on_the_board():
    now = table().set("Foe", stands=1)
    now.attack("Own", "Foe", attack="rrr")
    assert LAW.board(now.state, side_viewer(now.state, 0)).losses == (("E5", "Foe"),)


def test_setup_shows_zones_and_who_sets_up_out_of_sight():
    from tests.rules.thucidide_fantasy.fights import opening

    state = LAW.open(opening(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe")))
    viewer = side_viewer(state, 0)
    board = LAW.board(LAW.seen(state, viewer), viewer)
    assert [len(zone) for zone in board.zones] == [26, 26]
    assert board.hidden[0].side == 1


@pytest.mark.parametrize("phase", ["command", "movement", "combat", "spells"])
def test_picks_are_read_as_the_board_sends_them(phase):
    """Unit, hex, target, then whatever else; "" for what isn't picked."""
    now = table("bows:Own", places={"Foe": "E4"}, phase=phase)
    found = now.legal("Own", "", "Foe" if phase == "combat" else "")
    if phase == "combat":
        assert picks_of(found.picked).target == now.id("Foe")
    assert not found.picked or found.picked[0] in ("", now.id("Own"))


def test_a_hex_that_is_picked_shows_what_enemies_could_do_there():
    places = {"Own": "E8", "Foe": "E3", "Slow": "M2"}
    now = table("foot-medium:Own", foes=("riders-medium:Foe", "bows:Slow"), places=places, phase="movement")
    (threat,) = now.legal("Own", "E7").threats
    assert threat.unit == now.id("Foe")
    assert str(threat.throw) == "4 dice"
    assert sum(piece.chance for piece in threat.outcomes) == 1
    assert now.legal("Own").threats == ()


def test_a_picked_unit_has_its_facts():
    now = table("dragon:Own", people=(MAGE,), places={"Mage": "E8"})
    facts = dict(now.legal("Own").facts.lines)
    assert facts["Assault and melee"].params
    assert str(facts["Weight"]) == "Very heavy weight"
    moving = table("dragon:Own", people=(MAGE,), places={"Mage": "E8"}, phase="movement")
    assert moving.legal("Mage").facts.lines

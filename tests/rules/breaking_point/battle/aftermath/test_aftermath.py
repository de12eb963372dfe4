"""What a battle leaves of armies (BP-4.12, BP-6, B-47 to B-51, B-66, B-68)."""

from dataclasses import replace

import pytest

from rules.breaking_point import losses as spoils
from rules.breaking_point.battle.aftermath import ArmyInCampaign, World, proposed
from rules.breaking_point.battle.aftermath.tolls import shares_of, tolls_of
from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.battle.orders.commands import ShareLosses
from rules.breaking_point.battle.state.battle_state import FLEET, ROUND, Character, Opening, Phase, Result, Side
from rules.breaking_point.battle.state.entering import battle_of
from rules.breaking_point.battle.state.events import LossesShared
from rules.breaking_point.battle.state.opening import checked
from rules.breaking_point.spec import Host, House, Machine
from rules.core.dice import DiceNeeded, Rolled, Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import Term
from rules.law import OMNISCIENT, Measure, Viewer
from tests.rules.breaking_point.battle.fights import archers
from tests.rules.breaking_point.siege.sieges import foot, guns

HULL = Machine("hull", "Hull", 80, 20, 5)


def documents(host):
    """As much of the kept document as the aftermath writes."""
    units = []
    for unit in host.units:
        kept = {"name": unit.name, "strength": unit.strength}
        units.append(kept if unit.pieces is None else {**kept, "pieces": unit.pieces})
    return {"version": 1, "units": units}


def measured(document):
    whole = sum(unit["strength"] + unit.get("wounded", 0) for unit in document["units"])
    return Measure(whole, 0, Term(""))


def fought(*bodies, winner=0, armies=None, characters=(), kind="field"):
    """Ours against theirs, ended; `bodies`: (id, losses, status) as the battle left them."""
    armies = armies or (Host("a", "Ours", "k", (foot(100),)), Host("b", "Theirs", "l", (foot(100),)))
    sides = (Side("One", ("a",)), Side("Two", ("b",)))
    battle = battle_of(checked(Opening(sides, armies, kind=kind, characters=characters)), House())
    found = dict(battle.bodies)
    for name, losses, status in bodies:
        found[name] = replace(found[name], losses=losses, status=status)
    return battle.changed(bodies=found, result=Result(winner, "over"), phases=(Phase(ROUND, 1),))


def after(battle, choices=None, dice=None, besieged=frozenset()):
    armies = {
        army: ArmyInCampaign(documents(host), "ready", sum(u.strength for u in host.units), 10**6)
        for army, host in battle.armies.items()
    }
    return proposed(battle, World(armies, measured, besieged), choices or {}, dice or Rolled())


def found(sequel, army, field):
    return next((c.after for c in sequel.changes if (c.subject_id, c.field) == (army, field)), None)


def unit_of(sequel, army, index=0):
    return found(sequel, army, "sheet")["units"][index]


def test_b48_the_victor_has_half_of_his_points_back_and_who_stays_out_is_dead():
    a_head = foot(100).a_head
    sequel = after(fought(("a:contact", 20 * a_head, "fighting"), ("b:contact", 90 * a_head, "fled")))
    assert unit_of(sequel, "a")["strength"] == 90
    assert "wounded" not in unit_of(sequel, "a")


def test_b48_of_others_half_up_are_dead_and_half_wounded():
    a_head = foot(100).a_head
    sequel = after(fought(("a:contact", 5 * a_head, "withdrawn"), winner=1))
    assert (unit_of(sequel, "a")["strength"], unit_of(sequel, "a")["wounded"]) == (95, 2)


def test_b48_the_wounded_of_who_fled_are_prisoners_and_the_army_needs_a_week():
    a_head = foot(100).a_head
    sequel = after(fought(("a:contact", 5 * a_head, "fled"), winner=1))
    assert unit_of(sequel, "a")["strength"] == 95
    assert "wounded" not in unit_of(sequel, "a")
    assert found(sequel, "a", "status") == "routed"


def test_b48_who_surrenders_is_taken_whole_and_the_document_stays():
    sequel = after(fought(("a:contact", 0, "surrendered"), winner=1))
    assert found(sequel, "a", "sheet") is None
    assert (found(sequel, "a", "health"), found(sequel, "a", "status")) == (0, "captured")


def test_b48_an_annihilated_army_is_defeated():
    a_head = foot(100).a_head
    sequel = after(fought(("a:contact", 200 * a_head, "annihilated"), winner=1))
    assert found(sequel, "a", "status") == "defeated"


def test_b48_the_wounded_of_a_unit_of_which_nobody_stands_are_not_lost():
    """They come back in the weeks after (B-69). Where nobody else stands either, the army is none."""
    two = (Host("a", "Ours", "k", (foot(100), foot(10))), Host("b", "Theirs", "l", (foot(100),)))
    sequel = after(fought(("a:contact", 0, "fighting"), winner=None, armies=two))
    assert unit_of(sequel, "a", 1)["strength"] == 10
    apart = (Host("a", "Ours", "k", (foot(100), guns(10))), two[1])
    crews = guns(10).strength
    sequel = after(fought(("a:shooting", crews * guns(10).a_head, "fighting"), winner=None, armies=apart))
    assert (unit_of(sequel, "a", 1)["strength"], unit_of(sequel, "a", 1)["wounded"]) == (0, crews // 2)
    alone = after(fought(("a:contact", 100 * foot(100).a_head, "fighting"), winner=None))
    assert (found(alone, "a", "status"), found(alone, "a", "health")) == ("defeated", 0)


def test_b48_who_is_all_wounded_does_not_bar_the_others_from_a_battle():
    """Nor stands in it."""
    hurt = Host("a", "Ours", "k", (foot(0), foot(100), guns(0)))
    battle = fought(armies=(hurt, Host("b", "Theirs", "l", (foot(100),))))
    assert [body.id for body in battle.bodies.values() if body.army == "a"] == ["a:contact"]
    assert [member.unit for member in battle.bodies["a:contact"].formation.members] == [1]
    with pytest.raises(InvalidInput, match="is fit to fight"):
        fought(armies=(Host("a", "Ours", "k", (foot(0),)), Host("b", "Theirs", "l", (foot(100),))))


def test_b48_a_unit_without_men_is_struck_off():
    armies = (Host("a", "Ours", "k", (foot(100), foot(1))), Host("b", "Theirs", "l", (foot(100),)))
    force = 101 * foot(1).a_head
    sequel = after(fought(("a:contact", force - 1, "fighting"), winner=None, armies=armies))
    assert [unit["strength"] for unit in found(sequel, "a", "sheet")["units"]] == [1]
    assert any(note.rule == "B-48" and "removed" in str(note.text) for note in sequel.notes)


def test_b47_uncommitted_reserves_have_no_losses_and_learn_nothing():
    armies = (
        Host("a", "Ours", "k", (foot(100), replace(foot(50), reserve=True))),
        Host("b", "Theirs", "l", (foot(100),)),
    )
    sequel = after(fought(("a:contact", 10 * foot(1).a_head, "fighting"), armies=armies))
    assert unit_of(sequel, "a", 1) == {"name": foot(50).name, "strength": 50}
    assert unit_of(sequel, "a", 0)["experience"] > 0


@pytest.mark.parametrize(("status", "left"), [("fled", 2), ("withdrawn", 0), ("annihilated", None), ("fighting", 10)])
def test_b49_a_defeated_side_loses_its_guns(status, left):
    armies = (Host("a", "Ours", "k", (foot(100), guns(10))), Host("b", "Theirs", "l", (foot(100),)))
    bodies = [("a:contact", 0, "fled" if status == "fighting" else status), ("a:shooting", 0, status)]
    if status == "annihilated":
        bodies = [("a:contact", 0, "fled"), ("a:shooting", 2 * guns(10).strength * guns(10).a_head, status)]
    sequel = after(fought(*bodies, winner=1, armies=armies))
    units = (found(sequel, "a", "sheet") or documents(armies[0]))["units"]
    assert (units[1]["pieces"] if len(units) > 1 else None) == left


def test_b49_who_withdrew_with_all_he_has_keeps_it():
    armies = (Host("a", "Ours", "k", (foot(100), guns(10))), Host("b", "Theirs", "l", (foot(100),)))
    battle = fought(("a:contact", 0, "withdrawn"), ("a:shooting", 0, "withdrawn"), winner=1, armies=armies)
    saved = {name: replace(body, saved=body.army == "a") for name, body in battle.bodies.items()}
    sequel = after(battle.changed(bodies=saved))
    assert unit_of(sequel, "a", 1)["pieces"] == 10
    assert not [note for note in sequel.notes if note.rule == "B-49"]


def test_b49_a_piece_serves_while_it_has_its_share_of_crew():
    armies = (Host("a", "Ours", "k", (foot(100), guns(10))), Host("b", "Theirs", "l", (foot(100),)))
    half = guns(10).strength // 2 * guns(10).a_head
    sequel = after(fought(("a:shooting", half, "fighting"), winner=None, armies=armies))
    assert unit_of(sequel, "a", 1)["pieces"] == 5


@pytest.mark.parametrize(
    ("ours", "theirs", "won", "lost"), [(10, 30, 25, 2), (10, 15, 22, 7), (10, 14, 18, 7), (0, 5, 25, 2)]
)
def test_b50_the_losers_share_against_the_victors(ours, theirs, won, lost):
    a_head = foot(100).a_head
    sequel = after(fought(("a:contact", ours * a_head, "fighting"), ("b:contact", theirs * a_head, "withdrawn")))
    assert unit_of(sequel, "a")["experience"] == won
    assert unit_of(sequel, "b")["experience"] == lost


def test_b50_a_draw_is_worth_twelve_and_the_gm_moves_the_points():
    sequel = after(fought(winner=None))
    assert unit_of(sequel, "a")["experience"] == 12
    moved = after(fought(winner=None), {"experience-0": "15"})
    assert (unit_of(moved, "a")["experience"], unit_of(moved, "b")["experience"]) == (15, 12)


@pytest.mark.parametrize(("winner", "status"), [(None, "withdrawn"), (1, "withdrawn"), (1, "fighting")])
def test_bp6_of_a_battle_nobody_fought_nobody_learns(winner, status):
    """B-24. The GM may say otherwise; and who was put to rout before the first round has learnt something."""
    battle = fought(("a:contact", 0, status), winner=winner).changed(phases=(Phase("command"),))
    assert [change for change in after(battle).changes if "'experience'" in str(change.after)] == []
    assert unit_of(after(battle, {"experience-0": "5"}), "a")["experience"] == 5
    routed = fought(("a:contact", 0, "fled"), winner=1).changed(phases=(Phase("command"),))
    assert unit_of(after(routed), "b")["experience"] == 25


def test_an_answer_nobody_asked_for_and_one_that_is_none_are_refused():
    with pytest.raises(InvalidInput) as refusal:
        after(fought(), {"experience-0": "lots"})
    assert refusal.value.field == "/choices/experience-0"
    with pytest.raises(InvalidInput):
        after(fought(), {"ransom": "yes"})


def test_before_the_end_there_is_no_aftermath():
    with pytest.raises(IllegalCommand):
        after(fought().changed(result=None))


def test_b51_a_character_takes_a_die_for_each_full_tenth_less_his_armour_once():
    hero = Character("hero", "Hero", "a", 0, armour=2)
    battle = fought(("a:contact", 25 * foot(1).a_head, "fighting"), characters=(hero,))
    sequel = after(battle, dice=Typed([TypedDie("hero", "wounds", (3, 2))]))
    note = next(note for note in sequel.notes if note.rule == "B-51")
    assert note.moment
    assert "3 points" in str(note.text)
    assert len(note.rolls) == 2


@pytest.mark.parametrize(
    ("armour", "told"),
    [(2, "damage to Hero, reduced once by 2 for armor"), (0, "damage to Hero")],
)
def test_b51_a_die_of_wounds_says_whose_they_are_and_what_spares_him(armour, told):
    hero = Character("hero", "Hero", "a", 0, armour=armour)
    battle = fought(("a:contact", 25 * foot(1).a_head, "fighting"), characters=(hero,))
    with pytest.raises(DiceNeeded) as needed:
        after(battle, dice=Typed([TypedDie("hero", "wounds", (3,))], ask=True))
    assert [(ask.name, ask.die, str(ask.need)) for ask in needed.value.asks] == [("wounds", 3, told)]


def test_b51_what_a_siege_had_cost_before_wounds_no_character_again():
    hero = Character("hero", "Hero", "a", 0)
    body = fought().bodies["a:contact"]
    brought = replace(body, formation=body.formation._replace(losses=40 * foot(1).a_head), losses=45 * foot(1).a_head)
    battle = fought(characters=(hero,))
    sequel = after(battle.changed(bodies={**battle.bodies, "a:contact": brought}))
    assert not [note for note in sequel.notes if note.rule == "B-51"]


def test_b51_a_character_of_a_body_that_surrendered_is_captured():
    hero = Character("hero", "Hero", "a", 0)
    sequel = after(fought(("a:contact", 0, "surrendered"), winner=1, characters=(hero,)))
    assert any("captured" in str(note.text) for note in sequel.notes if note.rule == "B-51")


def test_b66_b68_machines_are_lost_whole_and_crews_in_those_that_are_left():
    fleet = replace(foot(10), machine=HULL, toughness=80, armour=20, group="shooting")
    armies = (Host("a", "Ours", "k", (fleet,)), Host("b", "Theirs", "l", (fleet,)))
    battle = fought(("a:0", 550, "withdrawn"), winner=1, armies=armies, kind=FLEET)
    sequel = after(battle)
    assert unit_of(sequel, "a")["strength"] == 5
    assert "wounded" not in unit_of(sequel, "a")
    assert any("25%" in str(note.text) for note in sequel.notes if note.rule == "B-66")


# what the victor takes


GUNNED = (Host("a", "Ours", "k", (foot(100),)), Host("b", "Theirs", "l", (foot(100), guns(10))))


def routed_with_guns():
    return fought(("b:contact", 0, "fled"), ("b:shooting", 0, "fled"), armies=GUNNED)


def test_b49_the_victor_takes_the_guns_and_the_baggage_and_the_gm_says_which_army():
    sequel = after(routed_with_guns())
    assert found(sequel, "a", "sheet")["spoils"] == [spoils.guns("Theirs", "Guns", 8), spoils.baggage("Theirs", 50)]
    assert unit_of(sequel, "b", 1)["pieces"] == 2
    question = next(q for q in sequel.questions if q.key == "spoils")
    assert ([slug for slug, _label in question.options], question.chosen) == (["a", "none"], "a")
    lost = after(routed_with_guns(), {"spoils": "none"})
    assert found(lost, "a", "sheet") is None or "spoils" not in found(lost, "a", "sheet")
    assert not any("to the victor" in str(note.text) for note in lost.notes), "what nobody takes falls to nobody"
    assert any("to the victor" in str(note.text) for note in sequel.notes)
    assert unit_of(lost, "b", 1)["pieces"] == 2
    with pytest.raises(InvalidInput) as refused:
        after(routed_with_guns(), {"spoils": "b"})
    assert refused.value.field == "/choices/spoils"


def test_b49_an_army_that_holds_the_field_is_proposed_before_one_that_fled():
    armies = (*GUNNED, Host("c", "Beside", "k", (foot(100),)))
    sides = (Side("One", ("a", "c")), Side("Two", ("b",)))
    battle = battle_of(checked(Opening(sides, armies)), House())
    fates = {"a:contact": "fled", "b:contact": "fled", "b:shooting": "fled"}
    bodies = {name: replace(body, status=fates.get(name, body.status)) for name, body in battle.bodies.items()}
    ended = battle.changed(bodies=bodies, result=Result(0, "over"), phases=(Phase(ROUND, 1),))
    question = next(q for q in after(ended).questions if q.key == "spoils")
    assert ([slug for slug, _label in question.options], question.chosen) == (["c", "a", "none"], "c")


def test_an_army_of_which_nobody_is_left_is_not_said_to_lose_its_units():
    sequel = after(fought(("b:contact", 10**4, "annihilated")))
    assert found(sequel, "b", "status") == "defeated"
    assert not any("removed" in str(note.text) for note in sequel.notes)


def test_b49_of_all_that_is_annihilated_or_surrenders_nothing_is_left_to_it():
    sequel = after(fought(("b:contact", 10**4, "annihilated"), ("b:shooting", 0, "surrendered"), armies=GUNNED))
    assert found(sequel, "a", "sheet")["spoils"] == [spoils.guns("Theirs", "Guns", 10), spoils.baggage("Theirs")]


def test_nothing_is_asked_where_nothing_is_taken_or_nobody_has_won():
    draw = fought(("b:shooting", 0, "fled"), armies=GUNNED, winner=None)
    for battle in (draw, fought(("b:contact", 5, "fighting"), armies=GUNNED)):
        assert "spoils" not in [question.key for question in after(battle).questions]


def test_b55_an_army_of_a_siege_learns_and_loses_guns_and_its_heads_stay_with_the_siege():
    gone = ("b:contact", 300, "fled"), ("b:shooting", 0, "fled")
    sequel = after(fought(("a:contact", 250, "fighting"), *gone, armies=GUNNED), besieged=frozenset("ab"))
    assert {(change.subject_id, change.field) for change in sequel.changes} == {("a", "sheet"), ("b", "sheet")}
    units = found(sequel, "b", "sheet")["units"]
    assert [(unit["strength"], unit["experience"]) for unit in units] == [(100, 7), (40, 7)]
    assert unit_of(sequel, "b", 1)["pieces"] == 2
    assert found(sequel, "a", "sheet")["spoils"][0]["count"] == 8
    assert not any("dead" in str(note.text) for note in sequel.notes)


def test_b49_whatever_is_served_by_a_crew_serves_while_it_has_its_share_of_it():
    """Machine guns of infantry as well as siege guns: in the field as in a siege."""
    crew = replace(guns(10), weapons=(replace(guns(10).weapons[0], siege=False),), type=foot(1).type)
    armies = (Host("a", "Ours", "k", (foot(100), crew)), Host("b", "Theirs", "l", (foot(100),)))
    battle = fought(("a:shooting", 20 * crew.a_head, "fighting"), winner=None, armies=armies)
    assert (unit_of(after(battle), "a", 1)["strength"], unit_of(after(battle), "a", 1)["pieces"]) == (20, 5)


# sharing (B-78)

PAIR = (Host("a", "Ours", "k", (foot(100), foot(50))), Host("b", "Theirs", "l", (foot(100),)))
LAW = Fights(House())


def shared(battle, *, army="a", body="a:contact", viewer=OMNISCIENT, **units):
    """`u0=…, u1=…`: points by the number of the unit."""
    command = ShareLosses(army, body, {int(name[1:]): points for name, points in units.items()})
    over = battle if battle.phase.kind == "aftermath" else battle.changed(phase=Phase("aftermath"))
    events = LAW.decide(over, command, Typed([]), viewer)
    return LAW.fold(over, events)


def test_b78_the_victors_half_is_reckoned_before_points_are_shared_out():
    """46 of 91 points stay, shared by force."""
    battle = fought(("a:contact", 91, "fighting"), ("b:contact", 500, "fled"), armies=PAIR)
    assert [toll.points for toll in tolls_of(battle, battle.bodies["a:contact"])] == [31, 15]


def test_b78_the_victors_surrendered_bodies_come_back():
    armies = (Host("a", "Ours", "k", (foot(100), archers(50))), PAIR[1])
    sequel = after(fought(("a:shooting", 0, "surrendered"), ("b:contact", 500, "fled"), armies=armies))
    assert found(sequel, "a", "status") is None
    assert [unit["strength"] for unit in found(sequel, "a", "sheet")["units"]] == [100, 50]


def test_b78_who_runs_the_army_may_share_a_bodys_points_otherwise():
    a_head = foot(100).a_head
    battle = fought(("a:contact", 30 * a_head, "withdrawn"), winner=1, armies=PAIR)
    sequel = after(shared(battle, u0=0, u1=30 * a_head))
    assert (unit_of(sequel, "a")["strength"], unit_of(sequel, "a", 1)["strength"]) == (100, 20)
    assert unit_of(sequel, "a", 1)["wounded"] == 15  # at least half are dead


def test_b78_the_dead_are_at_least_half_of_each_units():
    a_head = foot(100).a_head
    battle = fought(("a:contact", 30 * a_head, "withdrawn"), winner=1, armies=PAIR)
    for toll in tolls_of(battle := shared(battle, u0=7 * a_head, u1=23 * a_head), battle.bodies["a:contact"]):
        assert 2 * toll.dead >= toll.dead + toll.wounded


def test_b78_who_is_not_named_bears_what_he_did_and_it_can_be_said_again():
    battle = fought(("a:contact", 300, "withdrawn"), winner=1, armies=PAIR)
    once = shared(battle, u0=150, u1=150)
    again = shared(once, u0=250, u1=50)
    assert [share.points for share in shares_of(again, again.bodies["a:contact"])] == [250, 50]
    frozen = LAW.thaw(again.opening, LAW.freeze(again))
    assert frozen == again


@pytest.mark.parametrize(
    ("given", "field"),
    [({"u0": 100, "u1": 100}, "/units"), ({"u0": 49, "u1": 251}, "/units/1"), ({"u0": -1, "u1": 301}, "/units/0"),
     ({"u2": 300}, "/units/2"), ({"army": "c"}, "/army"), ({"body": "b:contact"}, "/body"),
     ({"body": "nowhere"}, "/body")],
)  # fmt: skip
def test_b78_none_beyond_its_own_and_no_point_is_lost(given, field):
    battle = fought(("a:contact", 300, "withdrawn"), winner=1, armies=PAIR)
    with pytest.raises(InvalidInput) as refused:
        shared(battle, **({"u0": 200, "u1": 100} | given if "body" in given or "army" in given else given))
    assert refused.value.field == field


def test_b78_only_who_runs_the_army_and_only_between_battle_and_aftermath():
    battle = fought(("a:contact", 300, "withdrawn"), winner=1, armies=PAIR)
    with pytest.raises(IllegalCommand, match="You don’t command"):
        shared(battle, viewer=Viewer(user="b", armies=frozenset({"b"})), u0=0, u1=250)
    with pytest.raises(IllegalCommand, match="You can only redistribute losses after the battle"):
        LAW.decide(battle.changed(phase=Phase(ROUND)), ShareLosses("a", "a:contact", {0: 0}), Typed([]), OMNISCIENT)


def test_b78_where_one_unit_bears_all_or_all_have_lost_all_nothing_is_shared():
    lone = fought(("b:contact", 300, "withdrawn"), armies=PAIR)
    with pytest.raises(IllegalCommand, match="no losses to redistribute"):
        shared(lone, army="b", body="b:contact", u0=300)
    gone = fought(("a:contact", 1500, "annihilated"), winner=1, armies=PAIR)
    with pytest.raises(IllegalCommand, match="no losses to redistribute"):
        shared(gone, u0=500, u1=250)


def test_b78_of_a_siege_what_the_battle_has_added_is_shared():
    battle = fought(("a:contact", 300, "fighting"), ("b:contact", 900, "fled"), armies=PAIR)
    formation = battle.bodies["a:contact"].formation._replace(losses=100)
    kept = battle.changed(
        opening=replace(battle.opening, besieged=("a",)),
        bodies={**battle.bodies, "a:contact": replace(battle.bodies["a:contact"], formation=formation)},
    )
    assert sum(share.points for share in shares_of(kept, kept.bodies["a:contact"])) == 200
    done = shared(kept, u0=0, u1=200)
    assert [share.points for share in shares_of(done, done.bodies["a:contact"])] == [0, 200]


def test_b78_how_an_army_shares_its_losses_is_nobody_elses_to_know():
    battle = shared(fought(("a:contact", 300, "withdrawn"), winner=1, armies=PAIR), u0=250, u1=50)
    event = LossesShared("a", "a:contact", {0: 250, 1: 50})
    enemy = Viewer(user="b", armies=frozenset({"b"}), reads=frozenset({"b"}))
    assert LAW.witnessed(battle, event, enemy) is None
    assert not LAW.seen(battle, enemy).bodies["a:contact"].shares
    assert "{units}" in LAW.describe(battle, event).text.template

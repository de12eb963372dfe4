"""PF-6 and PF-2.8: what a battle does to the world."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.aftermath import Aftermath
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.spec import BoonChoice
from tests.scenario import Scenario, boss, hold, order, scenario, use

LOYALTY = {"A loyalty-tactic": 1, "A loyalty-boon": 1}


def won(size: str = "medium", **loser: Any) -> Scenario:
    """A destroys B; A is led."""
    s = scenario().army("A", commander=boss(level=6)).army("B", hp=3, size=size, **loser)
    return s.melee(A=order(), dice={"A attack": 14})


def routed(**loser: Any) -> Scenario:
    s = scenario().army("A").army("B", hp=12, **loser)
    return s.melee(A=order(), dice={"A attack": 15, "B rout": 1, "A parting": 2})


def after(proposal: Aftermath, subject: str, field: str) -> object:
    """The last value proposed for this figure, or "unchanged"."""
    found = [ch.after for ch in proposal.changes if (ch.subject_id, ch.field) == (subject, field)]
    return found[-1] if found else "unchanged"


@pytest.mark.parametrize("face", [1, 20, 21, 70, 71, 100])
def test_a_fate_is_a_moment_told_of_its_commander_on_its_scale(face: int) -> None:
    """PF-2.8: the sentence is what the scale says of the face."""
    proposal = won(commander=boss()).aftermath({**LOYALTY, "B commander-fate": face})
    (fate,) = [note for note in proposal.notes if note.moment]
    assert (fate.about, fate.rolls[0].value) == ("boss of B", face)
    lies = next(band for band in fate.scale if face <= band.most)
    assert str(lies.name) in str(fate.text)
    assert fate.scale[-1].most == fate.rolls[0].die


def test_a_fate_that_a_person_decides_is_a_moment_without_a_die() -> None:
    """PF-2.8: asked beside the commander it is about."""
    proposal = won(commander=boss(player_character=True)).aftermath(LOYALTY)
    (fate,) = [note for note in proposal.notes if note.moment]
    assert (fate.about, fate.rolls, fate.scale) == ("boss of B", (), ())
    assert [question.about for question in proposal.questions] == ["boss of B"]


def test_checks_and_choices_are_told_of_whom_they_are_about() -> None:
    """PF-6.3: the tactic is the army's, the boon its commander's, or the army's where nobody leads."""
    proposal = won().aftermath({"A loyalty-tactic": 20, "A loyalty-boon": 20})
    assert [(note.about, note.rolls[0].name) for note in proposal.notes if note.rolls] == [
        ("A", "loyalty-tactic"),
        ("boss of A", "loyalty-boon"),
    ]
    assert {question.about for question in proposal.questions} == {"A", "boss of A"}
    leaderless = routed().aftermath(LOYALTY)
    assert {note.about for note in leaderless.notes if note.rolls} == {"A"}


def test_nothing_before_the_end() -> None:
    """PF-6: the refusal."""
    with pytest.raises(IllegalCommand, match="isn’t over"):
        scenario().army("A").army("B").until("melee").aftermath()


@pytest.mark.parametrize("size, losses", [("medium", (18, 18, 18)), ("colossal", (16, 17, 17)), ("tiny", (19, 19, 20))])
def test_a_defeat_costs_the_kingdom_by_the_size(size: str, losses: tuple[int, ...]) -> None:
    """PF-6.1: Economy, Loyalty, Stability of 20 each; the army is no longer usable."""
    proposal = won(size).aftermath(LOYALTY)
    found = tuple(after(proposal, "B", name) for name in ("economy", "loyalty", "stability"))
    assert tuple(20 if value == "unchanged" else value for value in found) == losses
    assert (after(proposal, "B", "status"), after(proposal, "B", "hp")) == ("defeated", 0)
    assert after(proposal, "A", "economy") == "unchanged"


@pytest.mark.parametrize("acr, hp", [("1/2", 1), (2, 2)])
def test_a_regenerating_victor_at_nothing_rises_to_one_at_least(acr: object, hp: int) -> None:
    """R-2, PF-6.3: an ACR below 1 raises by 1 like any other ACR-based healing."""
    s = scenario().army("A", acr=acr, hp=hp, abilities=["regeneration 1"]).army("B", acr=acr, hp=hp)
    s.melee(A=order(), B=order(), dice={"A attack": 20, "B attack": 20})
    assert (s.status("A"), s.hp("A"), s.status("B")) == ("fighting", 0, "defeated")
    proposal = s.aftermath(LOYALTY, now={"A": {"hp": 0}})
    assert after(proposal, "A", "hp") == hp


def test_an_army_the_gm_calls_routed_rallies_to_one_at_least() -> None:
    """R-2, PF-6.2."""
    s = scenario().army("A").army("B", acr="1/2").until("melee")
    s.override("B", "hp", 0).override("B", "status", "routed").play(c.End("dusk"))
    assert after(s.aftermath(), "B", "hp") == 1


def test_two_defeats_of_a_kingdom_add_up() -> None:
    """PF-6.1."""
    s = scenario().army("A").army("A2").army("B", hp=3).army("B2", hp=3)
    s.melee(A=order("B"), A2=order("B2"), dice={"A attack": 14, "A2 attack": 14})
    proposal = s.aftermath({**LOYALTY, "A2 loyalty-tactic": 1, "A2 loyalty-boon": 1})
    assert after(proposal, "B", "economy") == 16


@pytest.mark.parametrize(
    "natural, status", [(1, "killed"), (20, "killed"), (21, "captured"), (70, "captured"), (71, "unchanged"),
                        (100, "unchanged")],
)  # fmt: skip
def test_the_fate_of_a_beaten_commander(natural: int, status: str) -> None:
    """PF-2.8: 1–20 killed, 21–70 captured, 71–100 escapes."""
    proposal = won(commander=boss()).aftermath({**LOYALTY, "B commander-fate": natural})
    assert after(proposal, "boss of B", "status") == status


def test_a_mindless_victor_kills_captives() -> None:
    """PF-2.8."""
    s = scenario().army("A", abilities=["mindless"]).army("B", hp=3, commander=boss())
    s.melee(A=order(), dice={"A attack": 14})
    assert after(s.aftermath({**LOYALTY, "B commander-fate": 70}), "boss of B", "status") == "killed"


def test_the_gm_decides_for_a_player_character() -> None:
    """PF-2.8: captured unless they say so; no die; an unknown answer is refused."""
    s = won(commander=boss(player_character=True))
    assert after(s.aftermath(LOYALTY), "boss of B", "status") == "captured"
    assert after(s.aftermath(LOYALTY, {"fate:B": "escapes"}), "boss of B", "status") == "unchanged"
    with pytest.raises(InvalidInput) as refused:
        s.aftermath(LOYALTY, {"fate:B": "eaten"})
    assert refused.value.field == "/choices/fate:B"


def test_notorious_is_proposed_at_the_second_capture() -> None:
    """PF-2.8: and may be declined."""
    s, dice = won(commander=boss()), {**LOYALTY, "B commander-fate": 50}
    assert after(s.aftermath(dice), "boss of B", "notorious") == "unchanged"
    second = {"boss of B": {"captures": 1}}
    assert after(s.aftermath(dice, now=second), "boss of B", "notorious") is True
    declined = s.aftermath(dice, {"notorious:boss of B": "no"}, now=second)
    assert after(declined, "boss of B", "notorious") == "unchanged"


def test_a_captives_ransom_is_what_his_army_consumed() -> None:
    """PF-2.8: kept with them, for the army is gone; nobody else has one."""
    s, army = won(commander=boss()), {"B": {"consumption": 5}}
    assert after(s.aftermath({**LOYALTY, "B commander-fate": 50}, now=army), "boss of B", "ransom") == 5
    assert after(s.aftermath({**LOYALTY, "B commander-fate": 20}, now=army), "boss of B", "ransom") == "unchanged"
    assert after(s.aftermath({**LOYALTY, "B commander-fate": 99}, now=army), "boss of B", "ransom") == "unchanged"


def test_a_commander_who_was_not_there_is_not_lost() -> None:
    """PF-2.5, PF-2.8."""
    proposal = won(commander=boss(active=False)).aftermath(LOYALTY)
    assert after(proposal, "boss of B", "status") == "unchanged"


def test_a_routed_army_rallies_to_its_rating_and_loses_heart() -> None:
    """PF-6.2: Morale −1, hp raised to ACR, status routed."""
    proposal = routed().aftermath(LOYALTY)
    assert [after(proposal, "B", name) for name in ("hp", "morale", "status")] == [9, -1, "routed"]
    assert after(proposal, "B", "economy") == "unchanged"


def test_a_routed_army_does_not_start_a_battle_but_may_be_attacked() -> None:
    """PF-6.2."""
    with pytest.raises(InvalidInput) as refused:
        _ = scenario().army("A", status="routed").army("B").state
    assert refused.value.field == "/sides/0/armies/0"
    s = scenario().army("A").army("B", status="routed").melee(B=order(), dice={"B attack": 14})
    assert s.hp("A") == 36


@pytest.mark.parametrize("morale, status, stored", [(-3, "routed", -4), (-4, "disbanded", -4)])
def test_morale_of_minus_five_disbands(morale: int, status: str, stored: int) -> None:
    """PF-1.9: tested before clamping."""
    proposal = routed(morale=morale).aftermath(LOYALTY)
    assert after(proposal, "B", "status") == status
    assert after(proposal, "B", "morale") in (stored, "unchanged")


@pytest.mark.parametrize("morale, status", [(-1, "routed"), (-2, "disbanded")])
def test_arrears_weigh_on_the_morale_of_the_routed(morale: int, status: str) -> None:
    """PF-7.2, PF-1.9: −2 while anything is owed, as in the week."""
    proposal = routed(morale=morale).aftermath(LOYALTY, now={"B": {"arrears": True}})
    assert after(proposal, "B", "status") == status


def test_what_a_week_did_to_morale_during_the_battle_stays() -> None:
    """PF-6.2, PF-6.3, PF-2.7: each is one more or one less than Morale is by now, not than it was at the opening."""
    dice = {"A loyalty-tactic": 20, "A loyalty-boon": 1}
    proposal = routed().aftermath(dice, now={"A": {"morale": -1}, "B": {"morale": -1}})
    assert (after(proposal, "A", "morale"), after(proposal, "B", "morale")) == (0, -2)
    proposal = routed().aftermath(dice, now={"B": {"morale": -4}})
    assert after(proposal, "B", "status") == "disbanded"


def test_morale_the_gm_set_in_the_battle_is_what_the_rout_lowers() -> None:
    """PF-3.12, PF-6.2."""
    s = scenario().army("A").army("B", hp=12).play(c.Override("B", "morale", 3, "A speech"))
    s.melee(A=order(), dice={"A attack": 15, "B rout": 1, "A parting": 2})
    assert after(s.aftermath(LOYALTY, now={"B": {"morale": -1}}), "B", "morale") == 2


@pytest.mark.parametrize("beaten", [won, routed])
def test_an_army_that_disbanded_during_its_battle_does_not_stand_again(beaten: Any) -> None:
    """PF-1.9: nor does its kingdom pay for it; who won without it is told so, and rolls nothing."""
    proposal = beaten().aftermath(LOYALTY, now={"B": {"status": "disbanded", "morale": -4}})
    assert [ch for ch in proposal.changes if ch.subject_id == "B" or ch.subject_kind == "kingdom"] == []
    assert "B disbanded since then" in " ".join(str(note.text) for note in proposal.notes)
    proposal = beaten().aftermath({}, now={"A": {"status": "disbanded"}})
    assert [ch for ch in proposal.changes if ch.subject_id == "A"] == []


def test_a_victorious_army_rallies_to_its_rating() -> None:
    """PF-6.3: hp raised to ACR if lower, whatever the checks."""
    s = scenario().army("A", hp=6).army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    assert after(s.aftermath(LOYALTY), "A", "hp") == 9
    (told,) = (ch for ch in s.aftermath(LOYALTY).changes if (ch.subject_id, ch.field) == ("A", "hp"))
    assert (str(told.label), told.rule) == ("victorious: 6 left after the battle, raised to its ACR", "PF-6.3")
    (told,) = (ch for ch in won().aftermath(LOYALTY).changes if (ch.subject_id, ch.field) == ("B", "hp"))
    assert str(told.label) == "defeated"


@pytest.mark.parametrize("natural, morale", [(10, 1), (9, "unchanged")])
def test_a_loyalty_check_for_morale_and_a_tactic(natural: int, morale: object) -> None:
    """PF-6.3: d20 + 20 against the control DC 30; the owner chooses the tactic."""
    dice = {"A loyalty-tactic": natural, "A loyalty-boon": 1}
    choices = {"tactic:A": "taunt"} if natural == 10 else {}
    proposal = won().aftermath(dice, choices)
    assert after(proposal, "A", "morale") == morale
    learned = [{"tactic": "taunt", "granted": False}] if natural == 10 else "unchanged"
    assert after(proposal, "A", "tactics") == learned


def test_morale_rises_even_without_room_and_never_above_four() -> None:
    """PF-6.3, R-56."""
    s = scenario().army("A", acr=1, morale=4).army("A2", acr=1).army("B", acr=1, hp=1)
    s.melee(A=order(), dice={"A attack": 14})
    dice = {"A loyalty-tactic": 20, "A loyalty-boon": 1, "A2 loyalty-tactic": 20, "A2 loyalty-boon": 1}
    proposal = s.aftermath(dice)
    assert (after(proposal, "A", "morale"), after(proposal, "A2", "morale")) == ("unchanged", 1)
    assert [q.key for q in proposal.questions] == []


def test_a_second_check_teaches_the_commander() -> None:
    """PF-6.3: independent of the first; the owner chooses; room and leadership are needed."""
    dice = {"A loyalty-tactic": 1, "A loyalty-boon": 10}
    proposal = won().aftermath(dice, {"boon:boss of A": "loyalty"})
    assert after(proposal, "boss of A", "boons") == [{"boon": "loyalty", "tactic": None}]
    with pytest.raises(InvalidInput):
        won().aftermath(dice, {"boon:boss of A": "no-such"})
    untaught = won()
    assert after(untaught.aftermath(dice), "boss of A", "boons") == "unchanged"


def test_a_boon_he_has_by_office_is_not_taught_by_a_victory() -> None:
    """PF-6.3, PF-2.4: it is extra already; learned as well it would take the room of another."""
    heir = boss(level=6, office="heir", office_boon="loyalty")
    s = scenario().army("A", commander=heir).army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    (asked,) = s.aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20}, loyalty=100).questions
    offered = [slug for slug, _label in asked.options]
    assert "loyalty" not in offered
    assert "triage" in offered


def test_without_room_the_second_check_is_rolled_and_teaches_nothing() -> None:
    """R-56."""
    s = scenario().army("A", commander=boss("merciless")).army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    proposal = s.aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20})
    assert [q.key for q in proposal.questions] == []
    assert any("no room" in str(note.text) for note in proposal.notes)


def test_a_boon_needs_an_active_commander() -> None:
    """R-56."""
    s = scenario().army("A", commander=boss(active=False)).army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    proposal = s.aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20})
    assert proposal.questions == ()
    assert any("no commander to learn a boon" in str(note.text) for note in proposal.notes), "a success says why not"


def test_natural_one_and_twenty_decide_a_loyalty_check() -> None:
    """PF-3.1."""
    proposal = won().aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20}, loyalty=100, control_dc=30)
    assert (after(proposal, "A", "morale"), len(proposal.questions)) == ("unchanged", 1)


def test_in_anarchy_no_roll_helps() -> None:
    """PF-8.4: with Unrest 20 every check counts as 0."""
    proposal = won().aftermath({"A loyalty-tactic": 20, "A loyalty-boon": 20}, loyalty=100, unrest=20)
    assert (after(proposal, "A", "morale"), proposal.questions) == ("unchanged", ())


def test_each_victorious_army_rolls_its_own() -> None:
    """R-56: two armies, four checks."""
    s = scenario().army("A").army("A2").army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    rolls = s.aftermath({**LOYALTY, "A2 loyalty-tactic": 2, "A2 loyalty-boon": 3}).rolls
    assert [(roll.army, roll.value) for roll in rolls] == [("A", 1), ("A", 1), ("A2", 2), ("A2", 3)]


@pytest.mark.parametrize("first, second", [("A", "A2"), ("A2", "A")])
def test_a_dear_victory_is_judged_with_what_the_fallen_cost(first: str, second: str) -> None:
    """PF-6.1, PF-6.3: the kingdom's lost Loyalty counts in the victors' checks, whatever the order of its armies."""
    s = scenario().army(first).army(second).army("B", hp=3).override("A2", "hp", 3)
    s.melee(A=order(), B=order("A2"), dice={"A attack": 14, "B attack": 14})
    proposal = s.aftermath({"A loyalty-tactic": 11, "A loyalty-boon": 1})  # 11 + 20 − 2 against 30
    assert (after(proposal, "A", "loyalty"), after(proposal, "A", "morale")) == (18, "unchanged")


def test_experience_of_each_beaten_army() -> None:
    """PF-6.4, R-56: defeated, routed and captured; ACR 9 is worth 6 400."""
    s = scenario().army("A").army("A2").army("A3").army("B", hp=3).army("B2", hp=12).army("B3", hp=12)
    s.declared("cannot_leave", "B3")
    dice = {"A attack": 14, "A2 attack": 15, "A3 attack": 15, "B2 rout": 1, "B3 rout": 1}
    partings = {f"{army} parting": 2 for army in ("A", "A2", "A3")}
    s.melee(A=order("B"), A2=order("B2"), A3=order("B3"), dice={**dice, **partings})
    checks = {f"{army} loyalty-{what}": 1 for army in ("A", "A2", "A3") for what in ("tactic", "boon")}
    notes = [str(note.text) for note in s.aftermath(checks).notes if note.rule == "PF-6.4"]
    assert notes == [f"A earns 6400 XP for defeating {army}." for army in ("B", "B2", "B3")]


def test_no_experience_for_the_withdrawn_or_for_ones_own() -> None:
    """PF-6.4, R-56."""
    s = scenario().army("A").army("A2", hp=3).army("B", hp=3).army("B2")
    s.melee(A=order("B"), B=order("A2"), B2=hold(tactic="withdraw"), dice={"A attack": 14, "B attack": 14})
    notes = [str(note.text) for note in s.aftermath(LOYALTY).notes if note.rule == "PF-6.4"]
    assert notes == ["A earns 6400 XP for defeating B."]


def test_hit_points_engines_disease_and_drain_outlive_the_battle() -> None:
    """PF-6.5, R-15, R-44: the rest ends with it."""
    s = scenario().army("A", abilities=["disease", "energy-drain", "paralysis"], tactics=["siegebreaker"])
    s.army("B", resources={"siege-engines": 2}).tactics(A="siegebreaker")
    s.melee(A=order(), dice={"A attack": 14, "A siegebreaker": 20}).melee(
        A=order(), dice={"A attack": 14, "A siegebreaker": 1}
    )
    s.play(c.End("dusk"))
    proposal = s.aftermath()
    assert [after(proposal, "B", name) for name in ("drain", "ill", "resources")] == [2, True, {"siege-engines": 1}]
    assert after(proposal, "B", "hp") == 40 - 4 - 6  # drained and paralysed, DV 17 the second time
    assert {ch.field for ch in proposal.changes if ch.subject_id == "B"} == {"hp", "drain", "ill", "resources"}


def test_potions_drunk_are_paid_for_even_after_an_interruption() -> None:
    """R-22: +3 × size factor for each use, at least 1."""
    potion = use("healing-potions", kind="resource")
    s = scenario().army("A", size="large", resources=["healing-potions"]).army("B").melee(A=hold(potion))
    s.play(c.Interrupt("night")).melee(A=hold(potion)).melee(A=hold(potion)).play(c.End("dusk"))
    assert after(s.aftermath(), "A", "surcharge") == 3 * 6


def test_a_captured_army_keeps_what_it_has_and_its_commander_goes_with_it() -> None:
    """R-55: no PF-6.1 loss, no die."""
    s = scenario().army("A").army("B", hp=12, commander=boss()).declared("cannot_leave", "B")
    s.melee(A=order(), dice={"A attack": 15, "B rout": 1})
    proposal = s.aftermath(LOYALTY)
    assert [after(proposal, "B", name) for name in ("status", "hp", "morale", "economy")] == [
        "captured", 7, "unchanged", "unchanged"
    ]  # fmt: skip
    assert after(proposal, "boss of B", "status") == "captured"


def test_in_a_draw_nobody_is_victorious() -> None:
    """R-56: no check, no experience."""
    s = scenario().army("A", hp=3).army("B", hp=3)
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14})
    proposal = s.aftermath()
    assert (proposal.rolls, [n for n in proposal.notes if n.rule == "PF-6.4"]) == ((), [])


def test_withdrawn_armies_gain_and_suffer_nothing() -> None:
    """R-56: but the hit points they lost."""
    s = scenario().army("A").army("B", hp=20).melee(A=order(), dice={"A attack": 14})
    s.melee(B=hold(tactic="withdraw"))
    proposal = s.aftermath(LOYALTY)
    assert [(ch.field, ch.after) for ch in proposal.changes if ch.subject_id == "B"] == [("hp", 16)]


def test_a_choice_nothing_asks_for_is_refused() -> None:
    """PF-6: as are dice nobody needs."""
    with pytest.raises(InvalidInput) as refused:
        won().aftermath(LOYALTY, {"tactic:A": "taunt"})
    assert refused.value.field == "/choices"


def test_a_taught_tactic_boon_names_its_tactic() -> None:
    """PF-2.9, PF-6.3: bonus tactic."""
    proposal = won().aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20}, {"boon:boss of A": "bonus-tactic:taunt"})
    assert after(proposal, "boss of A", "boons") == [{"boon": "bonus-tactic", "tactic": "taunt"}]
    assert BoonChoice("bonus-tactic", "taunt") not in boss(level=6).boons


def test_one_great_army_is_worth_three_smaller_ones() -> None:
    """PF-6.6: ACR 9 against ACR 9 is even: the same figures on both sides."""
    s = scenario().army("A").army("B")
    assert (s.om("A"), s.dv("A"), s.hp("A")) == (s.om("B"), s.dv("B"), s.hp("B"))

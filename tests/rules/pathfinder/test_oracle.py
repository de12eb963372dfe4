"""The engine against a second, independent reading of the law: the same dice, the same orders, the same story.

A failure names the seed of its battle; `play(seed)` from `tests.rules.pathfinder.oracle.play` fights it again.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.ruleset import ULTIMATE_CAMPAIGN
from tests.rules.pathfinder.oracle import battle as oracle
from tests.rules.pathfinder.oracle.dice import KeyedDice
from tests.rules.pathfinder.oracle.play import play
from tests.scenario import boss, has, hold, order, scenario, use

HERE = Path(oracle.__file__).parent
TABLE = ("alike", "compare", "dice", "grounds", "meddling", "peace", "play", "plots", "scenarios", "wishes")
AT_THE_TABLE = {f"{name}.py" for name in TABLE}  # these bring the two together
CHOSEN = (
    62, 68, 85, 126, 168, 170, 173, 185, 194, 249, 250, 251, 274, 331, 466, 559, 591, 647, 673, 677, 683, 721, 745,
    773, 775, 777, 788, 877, 904, 926, 934, 951, 957, 966, 984, 991, 992, 993, 1000, 1019, 1023, 1041, 1046, 1047,
    1070, 1074, 1075, 1084, 1086, 1093,
)  # fmt: skip
"""Of the first 1100 battles few and short ones that come to every place thrice, if so many do. When the law or what is
drawn changes, others are chosen likewise: one by one, whichever comes to most that is wanting.
"""
FIRST, THOROUGH = 300, 6_000
OFTEN = {  # what the first battles come to, at least so often
    "a digger may not shoot at another": 5,
    "a last stand withdraws": 5,
    "a victor checks Loyalty after losses of its own kingdom": 20,
    "a withdrawer whose attacker keeps its distance already": 3,
    "earth glide passes a moat": 5,
    "leaves late": 5,
    "light hurts twice": 20,
    "mobility of no use here against mobility": 20,
    "one that may not leave withdraws": 50,
    "regeneration keeps an army on its feet at 0 hp": 3,
    "siege wear goes on to the next fortification": 8,
    "siege wear": 30,
    "the first enemy is burrowing": 10,
    "the first enemy is hovering": 5,
    "the target it had is out of reach": 10,
    "two energies heal in one phase": 10,
}
SELDOM = (
    "an army rises",
    "nothing can rise: nothing is smaller",
    "a last stand begins as the army was to leave late",
    "a last stand begins in step 1",
    "a last stand ends in captivity",
    "a routed army is burrowing",
    "a routed army is hovering",
    "an army of ACR below 1 rallies from 0 hp",
    "an unnatural aura before mounts that are no animals",
    "one doomed by fear withdraws",
    "one that keeps its distance fights a third hand to hand",
    "one that was to leave late is doomed by fear",
    "regeneration fails one that was to leave late",
)


THIRD = (
    "an army surrenders",
    "a last stand begins as the army surrenders",
    "all stay at range",
    "some stay at range in vain",
    "one strikes the invincible",
    "an army that rose chooses a strategy freely",
    "a storm that an army raised ends with the stretch",
    "no second check after the first has failed",
    "ethereal-travel strikes",
    "ethereal-travel is struck",
)
SETTLED = (3, 244, 603, 671, 722, 942, 954, 1039, 1074, 1078)
"""Of the first 1100 battles with more in them those that come to each of these places thrice."""


def told_alike(seeds: Iterable[int], *, more: bool = False) -> tuple[int, Counter[str]]:
    """The phases of these battles and the situations they came to."""
    battles = [play(seed, more=more) for seed in seeds]
    return sum(phases for phases, _met in battles), sum((met for _phases, met in battles), Counter[str]())


def everything() -> list[str]:
    """PF-3.7, PF-3.11, PF-4, PF-5, PF-9: each ability strikes and is struck, each tactic is kept when blows fall."""
    both = [f"{slug} {what}" for slug in LAW.abilities for what in ("strikes", "is struck")]
    rest = [f"tactic {slug}" for slug in LAW.tactics] + [f"strategy {slug}" for slug in LAW.strategies]
    rest += [f"{slug} strikes" for slug in LAW.resources] + [f"a blow in {slug}" for slug in LAW.conditions]
    return [what for what in both + rest if "ethereal-travel" not in what]  # of the battles with more in them


def test_both_readings_of_the_law_tell_chosen_battles_alike() -> None:
    """They come to the places where the law was misread, or the comparison says nothing of them: R-16, R-26, R-45,
    R-52, R-60 to R-66, PF-3.5, PF-5; and everything the law knows is in them.
    """
    phases, met = told_alike(CHOSEN)
    assert phases > len(CHOSEN)
    assert [what for what in (*OFTEN, *SELDOM, *everything()) if not met[what]] == []


def test_both_readings_tell_alike_what_the_third_comparison_settled() -> None:
    """R-84 to R-93: chosen battles with more of it in them come to each place."""
    phases, met = told_alike(SETTLED, more=True)
    assert phases > len(SETTLED)
    assert [what for what in THIRD if not met[what]] == []


@pytest.mark.slow
def test_both_readings_tell_the_first_battles_alike_and_they_come_to_the_places_where_the_law_was_misread() -> None:
    """They are fought with everything the law knows."""
    phases, met = told_alike(range(FIRST))
    assert phases > FIRST
    assert {what: met[what] for what, least in OFTEN.items() if met[what] < least} == {}
    assert {what: met[what] for what in everything() if met[what] < 5} == {}


@pytest.mark.slow
def test_both_readings_tell_many_battles_alike_with_more_in_them() -> None:
    """R-84 to R-93."""
    _phases, met = told_alike(range(1100), more=True)
    assert [what for what in THIRD if met[what] < 3] == []


@pytest.mark.slow
def test_both_readings_tell_many_battles_alike_and_they_come_to_every_such_place() -> None:
    phases, met = told_alike(range(FIRST, FIRST + THOROUGH))
    assert phases > THOROUGH
    assert {what: met[what] for what in (*OFTEN, *SELDOM) if met[what] < 5} == {}


def test_the_second_reading_shares_no_code_with_the_first() -> None:
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names.append(node.module or "")
            assert not [name for name in names if name.split(".")[0] == "rules"], path.name
            beside = node.module if isinstance(node, ast.ImportFrom) and node.level == 1 else None
            assert beside not in TABLE, path.name


def test_a_die_falls_the_same_whoever_asks_first() -> None:
    one, other = KeyedDice(7, 3), KeyedDice(7, 3)
    first = [one.face("A", "attack", 20), one.face("A", "attack", 20), one.face("B", "attack", 20)]
    swapped = [other.face("B", "attack", 20), other.face("A", "attack", 20), other.face("A", "attack", 20)]
    assert first == [swapped[1], swapped[2], swapped[0]]
    assert one.asked() == other.asked() == {("A", "attack"): 2, ("B", "attack"): 1}
    assert {KeyedDice(seed, 1).face("A", "bleed", 6) for seed in range(200)} == set(range(1, 7))


# What the comparison found, each held by a battle of its own


@pytest.mark.parametrize("attacker, dv", [("B", 18), ("B2", 18)])
def test_immunity_does_not_spare_the_enemy_what_his_own_ability_costs_him(attacker: str, dv: int) -> None:
    """PF-9: "gives it no benefit"; B2 is immune to rage, yet the raging army is as easy to hit."""
    s = scenario().army("A", abilities=["rage"]).army("B").army("B2", abilities=[immune_to("rage")])
    s.melee(A=hold(use("rage")))
    assert s.dv("A", attacker) == dv
    assert (s.om("A", "B"), s.om("A", "B2")) == (11, 9)


def test_senses_an_army_is_immune_to_do_not_help_against_it() -> None:
    """PF-9: darkvision gives no benefit against an army immune to it."""
    s = scenario().army("A", abilities=["darkvision"]).army("B").army("B2", abilities=[immune_to("darkvision")])
    s.condition("darkness")
    assert (s.om("A", "B"), s.om("A", "B2")) == (9, 7)


def test_a_hovering_army_is_within_reach_of_those_its_flight_does_not_impress() -> None:
    """PF-9, R-26."""
    s = scenario().army("A", abilities=["flight"]).army("B").army("B2", abilities=[immune_to("flight")])
    s.melee(A=hold(), B=order("A"), B2=order("A"), dice={"B2 attack": 2})
    assert [lost.army for lost in s.all(e.AttackLost)] == ["B"]


def test_an_army_that_cannot_leave_keeps_its_distance_instead() -> None:
    """PF-3.10: it beats all its opponents, and stays."""
    s = scenario().army("A", ranged=True).army("B").declared("cannot_leave", "A")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": 20, "B withdraw": 1})
    assert (s.last(e.WithdrawalDecided).outcome, s.status("A")) == ("range", "fighting")


def test_the_fallen_leave_before_the_shaken_check_their_morale() -> None:
    """PF-3.5 step 9, R-25: the bards have fallen, so nobody is inspired against rout."""
    s = scenario().army("A", hp=12).army("A2", abilities=["inspire-courage"], hp=1).army("B").army("B2")
    s.melee(A=hold(), A2=hold(use("inspire-courage", target="A")), B=order("A"), B2=order("A2"),
            dice={"B attack": 14, "B2 attack": 14, "A rout": 14, "B parting": 1, "B2 parting": 1})  # fmt: skip
    assert (s.status("A2"), s.last(e.RoutChecked, "A").check, s.status("A")) == ("defeated", 14, "routed")


def test_a_late_shot_counts_for_hit_and_run_of_the_variant() -> None:
    """PF-VAR, R-34: a ranged phase, even one added after it has fought in melee."""
    s = scenario(ULTIMATE_CAMPAIGN).army("A", ranged=True, commander=boss("hit-and-run", level=5)).army("B")
    s.melee(A=hold(), B=hold()).melee(A=order(), dice={"A attack": 2})
    assert s.morale("A", "withdraw") == 0
    s.ranged(A=order(), dice={"A attack": 2})
    assert s.morale("A", "withdraw") == 2


def test_a_boon_that_asks_for_no_leadership_is_never_dormant() -> None:
    """PF-2.9: leadership −1 is enough for Merciless."""
    s = scenario().army("A").army("B", commander=boss("merciless", level=1, charisma=-2))
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": 1, "B withdraw": 20, "B attack": 2})
    assert s.last(e.Attacked).check == 2 + 10


def test_an_army_of_undead_creatures_heals_by_negative_energy() -> None:
    """PF-9: by its creature type as well as by the ability."""
    s = scenario().army("A", abilities=["channel-negative-energy"], creature_type="undead", hp=20).army("B")
    s.melee(A=hold(use("channel-negative-energy")))
    assert s.hp("A") == 29


def test_mobility_of_its_own_serves_those_whose_body_impresses_nobody() -> None:
    """R-16, R-4: B is immune to incorporeal, not to mobility, and has none in force itself."""
    s = scenario().army("A", abilities=["incorporeal", "mobility"])
    s.army("B", abilities=["mobility", immune_to("incorporeal")]).condition("suits-mobility", "A")
    assert (s.om("A", "B"), s.om("B", "A")) == (10, 9)


@pytest.mark.parametrize("ability", ["incorporeal", "mobility"])
def test_those_immune_to_mobility_count_the_enemy_without_it(ability: str) -> None:
    """R-16, PF-9: "gives it no benefit against this army"."""
    s = scenario().army("A", abilities=[ability, immune_to(ability)]).army("B", abilities=[ability])
    s.condition("suits-mobility")
    assert (s.om("A", "B"), s.om("B", "A")) == (10, 9)


def test_a_digging_army_does_not_shoot_at_one_that_keeps_its_distance() -> None:
    """R-60, R-61: both burrow, and A shook the digger off in a melee phase."""
    s = scenario().army("A", abilities=["burrow"], ranged=True).army("B", abilities=["burrow"], ranged=True)
    s.condition("fortification", "A", value=4)
    s.melee(A=hold(tactic="withdraw", withdraw="range"), B=order("A", use("burrow", target="A"), let_go=True))
    assert (s.last(e.WithdrawalDecided).outcome, s.all(e.Attacked)) == ("range", [])


def immune_to(*abilities: str) -> object:
    return has("immunity", to=list(abilities))

"""The doors of the forecast: orders taken as given, tables of choices, what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.odds import AboutOdds, Odds, Retreat
from rules.law import Viewer
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import BattleState, Mark, Order, Part, SetCondition, changed
from rules.pathfinder.catalogue.tactics import STRATEGIES
from rules.pathfinder.forecast.exact.forecast import exactly, many
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, BoonChoice, CommanderSpec, TacticKnown
from tests.rules.pathfinder.forecast.test_exact import army, battle, ordered

GM = Viewer(gm=True)
FORECAST = Prospects()
BLOODY = CommanderSpec("boss", "Boss", level=9, charisma_modifier=3, boons=(BoonChoice("bloodied-but-unbroken"),))


def odds_of(state: BattleState, *orders: Order, **about: object) -> Odds:
    found = FORECAST.odds(state, AboutOdds(tuple(map(GiveOrder, orders)), **about), GM)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_law_has_a_forecast() -> None:
    assert isinstance(LAW.battle.forecast, Prospects)
    assert LAW.battle.forecast.known


def test_an_order_taken_as_given_is_the_order_given() -> None:
    state = battle(army("A", cr="4"), army("B", cr="4"))
    order = Order("A", strategy="reckless")
    given = exactly(ordered(state, order), AboutOdds())
    assert given is not None
    assert replace(odds_of(state, order), assumed=()) == given


def test_an_order_that_could_not_be_given_is_refused() -> None:
    state = battle(army("A"), army("B"))
    refused = (
        (Order("C"), InvalidInput), (Order("A", strategy="fierce"), InvalidInput),
        (Order("A", tactic="taunt"), IllegalCommand), (Order("A", target="A"), IllegalCommand),
    )  # fmt: skip
    for order, kind in refused:
        with pytest.raises(kind):
            odds_of(state, order)
    with pytest.raises(InvalidInput):
        FORECAST.odds(state, AboutOdds((Resolve(),)), GM)


@pytest.mark.parametrize("phase", ["tactics", "ranged"])
def test_a_strategy_named_before_the_melee_is_the_one_of_its_first_phase(phase: str) -> None:
    """PF-3.7: it is free there, and there is none before."""
    state = battle(army("A", "breath-weapon", cr="4"), army("B", cr="4"), phase)
    chosen = changed(state, armies={**state.armies, "A": changed(state.armies["A"], strategy="reckless")})
    early = odds_of(state, Order("A", strategy="reckless"))
    assert early.sides == odds_of(chosen).sides
    assert early.sides != odds_of(state).sides
    with pytest.raises(InvalidInput):
        odds_of(state, Order("A", strategy="fierce"))
    with pytest.raises(IllegalCommand):
        odds_of(battle(army("A", "mindless"), army("B"), phase), Order("A", strategy="reckless"))


def test_a_target_named_in_the_tactics_phase_is_the_one_it_turns_on() -> None:
    state = battle(army("A", cr="4"), army("B", cr="4"), "tactics")
    assert odds_of(state, Order("A", target="B")).sides == odds_of(state).sides
    with pytest.raises(IllegalCommand):
        odds_of(state, Order("A", target="A"))


def test_nothing_is_foretold_before_and_after_a_battle() -> None:
    state = battle(army("A"), army("B"))
    for kind in ("setup", "aftermath", "closed"):
        assert FORECAST.odds(changed(state, phase=state.phase._replace(kind=kind)), AboutOdds(), GM) is None
        assert FORECAST.table_kinds(changed(state, phase=state.phase._replace(kind=kind)), "A", "B") == ()


def test_what_is_taken_for_granted_is_said() -> None:
    state = battle(army("A", commander=replace(BLOODY, boons=(BoonChoice("hold-the-line"),))), army("B"))
    assert len(odds_of(state).assumed) == 1
    assert len(odds_of(state, Order("A", hold_the_line=True)).assumed) == 2


def test_a_table_of_strategies_has_every_cell_as_if_it_were_ordered() -> None:
    state = battle(army("A", cr="3"), army("B", cr="3"))
    state = changed(state, phase=state.phase._replace(number=2),
                    armies={name: changed(held, melees=1) for name, held in state.armies.items()})  # fmt: skip
    table = FORECAST.table(state, "strategy", "A", "B", AboutOdds(), GM)
    assert table is not None
    assert [choice.slug for choice in table.rows] == list(STRATEGIES)
    assert [choice.check for choice in table.rows] == [0.05, 1.0, 1.0, 1.0, 0.05]  # DC 20 beyond a step
    for r, row in enumerate(table.rows):
        for c, column in enumerate(table.columns):
            cell = odds_of(state, Order("A", strategy=row.slug), Order("B", strategy=column.slug))
            assert table.win[r][c] == pytest.approx(cell.sides[0].win, abs=1e-12)
    for c, best in enumerate(table.best):
        assert best is not None
        assert table.win[best][c] == max(table.win[r][c] for r in range(5))  # type: ignore[type-var]
    assert sum(table.row_mix) == pytest.approx(1)
    assert sum(table.column_mix) == pytest.approx(1)
    assert table.method == "exact"


def test_a_table_of_tactics_bars_what_cannot_be_ordered() -> None:
    state = battle(army("A", tactics=(TacticKnown("full-defense", True), TacticKnown("cavalry-experts", True))),
                   army("B"), "tactics")  # fmt: skip
    assert [kind.slug for kind in FORECAST.table_kinds(state, "A", "B")] == ["strategy", "tactic"]
    table = FORECAST.table(state, "tactic", "A", "B", AboutOdds(), GM)
    assert table is not None
    assert {choice.slug for choice in table.rows if choice.barred} == {"cavalry-experts"}
    assert table.method == "simulated"  # among them is withdrawing


def test_the_mindless_choose_nothing() -> None:
    table = FORECAST.table(battle(army("A", "mindless"), army("B")), "strategy", "A", "B", AboutOdds(), GM)
    assert table is not None
    assert [bool(choice.barred) for choice in table.rows] == [slug != "standard" for slug in STRATEGIES]
    assert [row[0] is None for row in table.win] == [slug != "standard" for slug in STRATEGIES]


def test_there_is_no_table_of_friends_or_strangers() -> None:
    state = battle(army("A"), army("B"))
    assert FORECAST.table_kinds(state, "A", "A") == ()
    assert FORECAST.table_kinds(state, "A", "C") == ()
    assert FORECAST.table(state, "wager", "A", "B", AboutOdds(), GM) is None


@pytest.mark.parametrize("ability", [
    "fear", "energy-drain", "paralysis", "ferocity", "create-spawn", "flight", AbilityChoice("regeneration", 3),
], ids=str)  # fmt: skip
def test_what_couples_the_two_chains_is_refused(ability: str | AbilityChoice) -> None:
    other = (AbilityChoice("regeneration", 3),) if isinstance(ability, AbilityChoice) else ()
    assert exactly(battle(army("A", ability), army("B", *other)), AboutOdds()) is None
    assert exactly(battle(army("A", *other), army("B", ability)), AboutOdds()) is None


def test_an_immune_enemy_uncouples_them() -> None:
    for ability in ("fear", "paralysis"):
        assert exactly(battle(army("A", ability), army("B", "undead")), AboutOdds()) is not None


def test_an_army_that_fights_better_bloodied_is_refused() -> None:
    assert exactly(battle(army("A", commander=BLOODY), army("B")), AboutOdds()) is None


@pytest.mark.parametrize("mark", ["last-stand", "doomed", "leaving"])
def test_marks_that_end_a_fight_are_refused(mark: str) -> None:
    state = battle(army("A"), army("B"))
    marked = changed(state.armies["A"], marks=(Mark(mark, other="9", at=state.phase.tick),))
    assert exactly(changed(state, armies={**state.armies, "A": marked}), AboutOdds()) is None


def test_dice_before_blows_that_come_again_are_refused() -> None:
    """Taunts, withdrawals and siege engines at work."""
    taunting = battle(army("A", tactics=(TacticKnown("taunt", True),)), army("B"))
    assert exactly(ordered(taunting, Order("A", tactic="taunt")), AboutOdds()) is None
    assert exactly(ordered(taunting, Order("B", tactic="withdraw")), AboutOdds()) is None
    walls = SetCondition("fortification", None, ("B",), (), (Part("wall", "stone", 6),))
    besieging = battle(army("A", resources={"siege-engines": 1}), army("B"), conditions=(walls,))
    assert exactly(besieging, AboutOdds()) is None


def test_questions_it_does_not_hold_are_refused() -> None:
    state = battle(army("A"), army("B"))
    assert exactly(state, AboutOdds(retreats={"A": Retreat(after=2)})) is None
    assert exactly(state, AboutOdds(until={"C": 2})) is None


def test_many_at_once_are_answered_as_one_by_one() -> None:
    mending = AbilityChoice("fast-healing", 2)
    pairs = (("3", "4", ()), ("9", "2", ("bleed",)), ("3", "3", ("fear",)), ("5", "6", (mending,)), ("12", "13", ()))
    states = [battle(army("A", cr=cr), army("B", *abilities, cr=other)) for cr, other, abilities in pairs]
    for one, together in zip((exactly(state, AboutOdds()) for state in states), many(states, AboutOdds()), strict=True):
        if one is None or together is None:
            assert one is together
            continue
        assert [side.win for side in together.sides] == pytest.approx([side.win for side in one.sides], abs=1e-12)
        assert together.phases.mean == pytest.approx(one.phases.mean, abs=1e-9)


def test_what_is_ordered_is_marked_in_the_table_not_what_is_in_force() -> None:
    state = battle(army("A", cr="3"), army("B", cr="3"))
    typed = AboutOdds((GiveOrder(Order("A", strategy="reckless")),))
    for kind, order, wanted in (("strategy", typed, "reckless"), ("strategy", AboutOdds(), "standard")):
        table = FORECAST.table(state, kind, "A", "B", order, GM)
        assert table is not None
        assert [choice.slug for choice in table.rows if choice.current] == [wanted]
        assert [choice.slug for choice in table.columns if choice.current] == ["standard"]

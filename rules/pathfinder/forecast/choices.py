"""Tables of choices: every strategy or tactic of one army against every one of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from rules.core.odds import EXACT, SIMULATED, AboutOdds, Choosable, Odds, OddsTable, TableKind, Winning
from rules.core.text import _
from rules.odds.zero_sum_games import solve
from rules.pathfinder.battle.orders.options import (
    STRATEGY_DC,
    TACTIC_DC,
    cannot_act,
    strategy_is_free,
    tactic_is_free,
    tactic_refusal,
)
from rules.pathfinder.battle.state.battle_state import MELEE, PHASES, TACTICS, ArmyInBattle, BattleState, Order, changed
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.run import chance_to_pass
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose, Situation
from rules.pathfinder.figures import morale_lines, total
from rules.pathfinder.forecast.exact.forecast import winners
from rules.pathfinder.forecast.standing import strategy_later_refusal
from rules.pathfinder.sheet import tactics_of

STRATEGY = TableKind("strategy", _("Strategy"))
TACTIC = TableKind("tactic", _("Tactic"))
KINDS = {kind.slug: kind for kind in (STRATEGY, TACTIC)}

type Simulate = Callable[[Sequence[BattleState], AboutOdds], Sequence[Odds]]
"""The odds of each of these, of the same armies in the same phase."""


def kinds(battle: BattleState, row: str, column: str) -> Sequence[TableKind]:
    """The tables that can be asked for, of two enemies on the field."""
    if battle.phase.kind not in (TACTICS, *PHASES) or not {row, column} <= battle.armies.keys():
        return ()
    armies = [battle.armies[army] for army in (row, column)]
    if armies[0].side == armies[1].side or any(cannot_act(battle, army) is not None for army in armies):
        return ()
    early = battle.phase.kind != MELEE and any(army.melees for army in armies)
    return (TACTIC,) if early else (STRATEGY, TACTIC)


def choosables(battle: BattleState, army: ArmyInBattle, kind: str) -> tuple[Choosable, ...]:
    """What it may be ordered, what is barred and why, and how likely the check succeeds."""
    return _strategies(battle, army) if kind == STRATEGY.slug else _tactics(battle, army)


def _strategies(battle: BattleState, army: ArmyInBattle) -> tuple[Choosable, ...]:
    return tuple(
        Choosable(
            slug, strategy.name, strategy_later_refusal(battle, army, slug) or "",
            _strategy_check(battle, army, slug), slug == _meant(battle, army, "strategy"),
        )
        for slug, strategy in battle.law.strategies.items()
    )  # fmt: skip


def _meant(battle: BattleState, army: ArmyInBattle, what: Literal["strategy", "tactic"]) -> str:
    """What it is ordered; what is in force where it is not."""
    order = battle.orders.get(army.id)
    wanted: str | None = getattr(order, what) if order else None
    return wanted or str(getattr(army, what))


def _strategy_check(battle: BattleState, army: ArmyInBattle, slug: str) -> float:
    free = battle.phase.kind != MELEE or strategy_is_free(battle, army, slug)
    return 1.0 if free else _chance(battle, army, "strategy", STRATEGY_DC)


def _tactics(battle: BattleState, army: ArmyInBattle) -> tuple[Choosable, ...]:
    return tuple(
        Choosable(
            slug, battle.law.tactics[slug].name, tactic_refusal(battle, army, slug) or "",
            _tactic_check(battle, army, slug), slug == _meant(battle, army, "tactic"),
        )
        for slug in tactics_of(battle.law, army.spec)
    )  # fmt: skip


def _tactic_check(battle: BattleState, army: ArmyInBattle, slug: str) -> float:
    free = slug == army.tactic or tactic_is_free(battle, army, slug)
    return 1.0 if free else _chance(battle, army, "tactic", TACTIC_DC)


def _chance(battle: BattleState, army: ArmyInBattle, purpose: Purpose, dc: int) -> float:
    if t.MINDLESS in army.profile.traits:
        return 1.0
    return chance_to_pass(total(morale_lines(Situation(ArmyView(battle, army), purpose=purpose))), dc)


def table_of(
    battle: BattleState, kind: str, row: str, column: str, about: AboutOdds, simulate: Simulate
) -> OddsTable | None:
    """The chance that the row's side wins in each cell, with orders as they are but for what is chosen."""
    if kind not in [open_kind.slug for open_kind in kinds(battle, row, column)]:
        return None
    rows, columns = (choosables(battle, battle.armies[army], kind) for army in (row, column))
    places = [
        (r, c) for r, one in enumerate(rows) for c, two in enumerate(columns) if not one.barred and not two.barred
    ]
    states = [chosen(battle, kind, {row: rows[r].slug, column: columns[c].slug}) for r, c in places]
    found = answers(states, replace(about, commands=()), simulate)
    side = battle.armies[row].side
    cells: list[list[float | None]] = [[None] * len(columns) for _row in rows]
    for (r, c), winning in zip(places, found, strict=True):
        cells[r][c] = winning.wins[side]
    game = solve(cells)
    exact = all(winning.method == EXACT for winning in found)
    return OddsTable(
        kind, KINDS[kind].name, row, column, rows, columns, tuple(map(tuple, cells)), _best(cells),
        game.rows, game.columns, game.value, EXACT if exact else SIMULATED, max(winning.error for winning in found),
    )  # fmt: skip


def _open(line: Sequence[Choosable]) -> list[int]:
    return [index for index, choice in enumerate(line) if not choice.barred]


def chosen(battle: BattleState, kind: str, choices: Mapping[str, str]) -> BattleState:
    """The battle where these armies have been ordered this."""
    for army, slug in choices.items():
        order = battle.orders.get(army, Order(army))
        if kind == TACTIC.slug:
            battle = changed(battle, orders={**battle.orders, army: replace(order, tactic=slug)})
        elif battle.phase.kind == MELEE:
            battle = changed(battle, orders={**battle.orders, army: replace(order, strategy=slug)})
        else:
            fights_so = changed(battle.armies[army], strategy=slug)
            battle = changed(battle, armies={**battle.armies, army: fights_so})
    return battle


def answers(states: Sequence[BattleState], about: AboutOdds, simulate: Simulate) -> list[Winning]:
    """Exactly where that can be, else by battles thrown together."""
    found = winners(states, about)
    left = [state for state, winning in zip(states, found, strict=True) if winning is None]
    thrown = iter(simulate(left, about) if left else ())
    return [next(thrown).winning if winning is None else winning for winning in found]


def _best(cells: Sequence[Sequence[float | None]]) -> tuple[int | None, ...]:
    """Of each column the row that wins most often."""
    return tuple(_highest([row[column] for row in cells]) for column in range(len(cells[0])))


def _highest(chances: Sequence[float | None]) -> int | None:
    open_to = [(chance, -row) for row, chance in enumerate(chances) if chance is not None]
    return -max(open_to)[1] if open_to else None

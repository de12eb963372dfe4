"""Tables of choices (every strategy or tactic of one army against another's), and the orders of the computer player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from rules.core.odds import (
    EXACT,
    RECKLESS,
    SIMULATED,
    AboutOdds,
    ArmyOdds,
    Choosable,
    Leaning,
    Odds,
    OddsLaw,
    OddsTable,
    Proposal,
    TableKind,
    Winning,
    percent,
)
from rules.core.text import Said, _, say
from rules.law import Viewer
from rules.odds.opponents import Chosen, choose, solve
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.orders.options import (
    STRATEGY_DC,
    TACTIC_DC,
    cannot_act,
    strategy_is_free,
    tactic_is_free,
    tactic_refusal,
    tactics_now,
    target_refusal,
)
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import MELEE, PHASES, TACTICS, ArmyInBattle, BattleState, Order, changed
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.run import chance_to_pass
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose, Situation
from rules.pathfinder.figures import morale_lines, total
from rules.pathfinder.forecast.exact.forecast import winners
from rules.pathfinder.forecast.standing import strategy_later_refusal, with_orders

STRATEGY = TableKind("strategy", _("Strategy"))
TACTIC = TableKind("tactic", _("Tactic"))
KINDS = {kind.slug: kind for kind in (STRATEGY, TACTIC)}

type Simulate = Callable[[Sequence[BattleState], AboutOdds], Sequence[Odds]]
"""Function that returns the odds of several battles of the same armies in the same phase."""


def kinds(battle: BattleState, row: str, column: str) -> Sequence[TableKind]:
    """Return the tables available for two enemies on the field."""
    if battle.phase.kind not in (TACTICS, *PHASES) or not {row, column} <= battle.armies.keys():
        return ()
    armies = [battle.armies[army] for army in (row, column)]
    if armies[0].side == armies[1].side or any(cannot_act(battle, army) is not None for army in armies):
        return ()
    early = battle.phase.kind != MELEE and any(army.melees for army in armies)
    return (TACTIC,) if early else (STRATEGY, TACTIC)


def choosables(battle: BattleState, army: ArmyInBattle, kind: str) -> tuple[Choosable, ...]:
    """Return the choices of an army, with what is barred and why, and the chance of the check."""
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
    """Return what it is ordered to use, or what it uses now."""
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
        for slug in tactics_now(battle, army)
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
    """Return the chance that the row's side wins for each pair of choices. All other orders stay."""
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
    """Return the battle with these orders added, by army."""
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
    """Return the winning chances of these battles: exact where possible, the others simulated together."""
    found = winners(states, about)
    left = [state for state, winning in zip(states, found, strict=True) if winning is None]
    thrown = iter(simulate(left, about) if left else ())
    return [next(thrown).winning if winning is None else winning for winning in found]


def _best(cells: Sequence[Sequence[float | None]]) -> tuple[int | None, ...]:
    """Return for each column the index of the row that wins most often, or None."""
    return tuple(_highest([row[column] for row in cells]) for column in range(len(cells[0])))


def _highest(chances: Sequence[float | None]) -> int | None:
    open_to = [(chance, -row) for row, chance in enumerate(chances) if chance is not None]
    return -max(open_to)[1] if open_to else None


# Computer opponents: whom each army of a side attacks and how (PF-3.5).


FOES_MOST = 4
"""Enemies in reach that are considered: the current target first, then in their order."""
BATTLES = 300

ALONE = _("it holds: no enemy is in reach")
WHOM = _("targets {foe} (side’s chance to win: {chance})")
WHOM_FIERCELY = _("targets {foe}, where the enemy loses most next phase")
ONLY = _("targets {foe}, the only enemy in reach")
BOTH = _("{first}; {second}")


class Commanding:
    """Computer player of one side, which gives orders army by army. Each order takes the earlier ones into account."""

    def __init__(self, law: OddsLaw, side: int, leaning: Leaning, viewer: Viewer, seed: str):
        self.law, self.side, self.leaning, self.viewer, self.seed = law, side, leaning, viewer, seed

    def all(self, battle: BattleState) -> Iterator[Proposal]:
        for army, _what in awaiting(battle):
            if battle.armies[army].side == self.side:
                found = self._order(battle, battle.armies[army])
                battle = with_orders(battle, (found.command,))
                yield found

    def _order(self, battle: BattleState, army: ArmyInBattle) -> Proposal:
        foes = self._foes(battle, army)
        order = Order(army.id)
        if not foes:
            return Proposal(army.id, GiveOrder(order), ALONE)
        foe, why = self._target(battle, army, foes)
        if battle.phase.kind != TACTICS and foe != army.target:
            order = replace(order, target=foe)
        if (chosen := self._manner(with_orders(battle, (GiveOrder(order),)), army.id, foe)) is not None:
            order = _with(order, TACTIC.slug if battle.phase.kind == TACTICS else STRATEGY.slug, chosen.slug)
            why = chosen.why if why is None else say(BOTH, first=why, second=chosen.why)
        return Proposal(army.id, GiveOrder(order), why or say(ONLY, foe=battle.armies[foe].name))

    def _foes(self, battle: BattleState, army: ArmyInBattle) -> Sequence[str]:
        foes = [foe.id for foe in battle.enemies(army)]
        if battle.phase.kind != TACTICS:
            foes = [foe for foe in foes if target_refusal(battle, army, foe) is None]
        return sorted(foes, key=lambda foe: foe != army.target)[:FOES_MOST]

    def _target(self, battle: BattleState, army: ArmyInBattle, foes: Sequence[str]) -> tuple[str, Said | None]:
        """Return the army's target, and the reason if it had a choice."""
        if len(foes) == 1 or battle.phase.kind == TACTICS:
            return foes[0], None
        worth = {foe: self._worth(battle, Order(army.id, target=foe)) for foe in foes}
        best = max(foes, key=lambda foe: round(worth[foe], 9))
        name = battle.armies[best].name
        if self.leaning == RECKLESS:
            return best, say(WHOM_FIERCELY, foe=name)
        return best, say(WHOM, foe=name, chance=percent(worth[best]))

    def _worth(self, battle: BattleState, order: Order) -> float:
        """Return the worth of an order: the chance to win, or for the reckless minus the health the enemy has left
        after this phase.
        """
        if self.leaning == RECKLESS:
            return -self._left(battle, order)
        odds = self._odds(battle, order)
        return odds.sides[self.side].win if odds else 0.0

    def _manner(self, battle: BattleState, army: str, foe: str) -> Chosen | None:
        """Return its tactic before the battle or its strategy in melee; None in a ranged phase."""
        kind = {TACTICS: TACTIC.slug, MELEE: STRATEGY.slug}.get(battle.phase.kind, "")
        if kind not in [known.slug for known in self.law.table_kinds(battle, army, foe)]:
            return None
        table = self.law.table(battle, kind, army, foe, AboutOdds(), self.viewer)
        if table is None:
            return None
        return choose(table, self.leaning, self.seed, self._left_by(battle, army, kind))

    def _left_by(self, battle: BattleState, army: str, kind: str) -> Callable[[str], float]:
        given = battle.orders.get(army, Order(army))
        return lambda slug: self._left(battle, _with(given, kind, slug))

    def _left(self, battle: BattleState, order: Order) -> float:
        """Return the mean health its enemies have left after this phase. A tactic takes effect in
        the phase after it.
        """
        odds = self._odds(battle, order, phases=2 if battle.phase.kind == TACTICS else 1)
        foes = (odds.armies[foe.id] for foe in battle.enemies(battle.armies[order.army])) if odds else ()
        return sum(map(_mean_health, foes))

    def _odds(self, battle: BattleState, order: Order, phases: int | None = None) -> Odds | None:
        return self.law.odds(
            battle, AboutOdds(commands=(GiveOrder(order),), phases=phases, battles=BATTLES), self.viewer
        )


def _with(order: Order, kind: str, slug: str) -> Order:
    return replace(order, tactic=slug) if kind == TACTIC.slug else replace(order, strategy=slug)


def _mean_health(army: ArmyOdds) -> float:
    return sum(health * chance for health, chance in army.health)


def carried_out(battle: BattleState, events: Iterable[e.Event], viewer: Viewer) -> Iterator[GiveOrder]:
    """Yield the orders of others' armies, as their choices became visible when the phase was resolved.

    For an army whose sheet the viewer may not read, only its previous tactic is assumed.
    """
    others = [army for army in battle.on_field() if not viewer.commands(army.id) and cannot_act(battle, army) is None]
    events = tuple(events)
    at_range = any(isinstance(event, e.DistanceKept) for event in events)  # all who can shoot were ordered so
    orders = {army.id: Order(army.id, stay_at_range=at_range) for army in others}
    for event in events:
        army = getattr(event, "army", "")
        if army not in orders:
            continue
        order = orders[army]
        match event:
            case e.StrategyChosen(strategy=strategy, automatic=False):
                orders[army] = replace(order, strategy=strategy)
            case e.TargetChosen(target=target):
                orders[army] = replace(order, target=target)
            case e.TacticChosen(tactic=tactic, automatic=False) if army in viewer.reads:
                orders[army] = replace(order, tactic=tactic)
            case e.Marked(mark=mark) if mark.kind == "surrendering":
                orders[army] = replace(order, surrender=True)
    yield from map(GiveOrder, orders.values())

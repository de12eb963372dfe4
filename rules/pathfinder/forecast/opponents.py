"""Opponents: what the engine orders a side of mass combat, whom each army attacks and how (PF-3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rules.core.odds import RECKLESS, AboutOdds, ArmyOdds, Leaning, Odds, OddsLaw, Proposal
from rules.core.text import Said, _, say
from rules.law import Viewer
from rules.odds.opponents import Chosen, choose
from rules.odds.percentages import percent
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.orders.options import cannot_act, target_refusal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import MELEE, TACTICS, ArmyInBattle, BattleState, Order
from rules.pathfinder.forecast.choices import STRATEGY, TACTIC
from rules.pathfinder.forecast.standing import with_orders

FOES_MOST = 4
"""Of more enemies within reach only so many are weighed: the one it is on, then as they stand."""
BATTLES = 300

ALONE = _("it holds: there is nobody it could turn on")
WHOM = _("on {foe}: with it as its target its side wins {chance}")
WHOM_FIERCELY = _("on {foe}: it loses most there in the coming phase")
ONLY = _("on {foe}, the only enemy within its reach")
BOTH = _("{first}; {second}")


class Commanding:
    """One side's orders, army by army; each knows of those before it."""

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
        """Whom it turns on, and why where it had a choice."""
        if len(foes) == 1 or battle.phase.kind == TACTICS:
            return foes[0], None
        worth = {foe: self._worth(battle, Order(army.id, target=foe)) for foe in foes}
        best = max(foes, key=lambda foe: round(worth[foe], 9))
        name = battle.armies[best].name
        if self.leaning == RECKLESS:
            return best, say(WHOM_FIERCELY, foe=name)
        return best, say(WHOM, foe=name, chance=percent(worth[best]))

    def _worth(self, battle: BattleState, order: Order) -> float:
        """Of an order: the chance to win, or for the reckless what the enemy has not left after this phase."""
        if self.leaning == RECKLESS:
            return -self._left(battle, order)
        odds = self._odds(battle, order)
        return odds.sides[self.side].win if odds else 0.0

    def _manner(self, battle: BattleState, army: str, foe: str) -> Chosen | None:
        """Its tactic before the battle, its strategy in melee; arrows know neither."""
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
        """What its enemies have left after this phase; a tactic shows in the phase after its own."""
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
    """What others were ordered, as their choices showed when the phase was resolved; where nothing showed, nothing.

    Of an army whose sheet they do not read they cannot believe another tactic than the one it bore before.
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

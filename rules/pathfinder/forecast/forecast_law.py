"""Forecast of mass combat battles: exact where possible, otherwise simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.core.dice import Typed
from rules.core.odds import AboutOdds, Guess, Leaning, Odds, OddsLaw, OddsTable, Proposal, TableKind, Winning
from rules.core.text import Said, _, by_number, say
from rules.law import OMNISCIENT, Viewer
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import Command, GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import PHASES, SETUP, TACTICS, BattleState
from rules.pathfinder.battle.state.events import Event
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.forecast import choices, knowledge
from rules.pathfinder.forecast.choices import kinds, table_of
from rules.pathfinder.forecast.exact.forecast import exactly
from rules.pathfinder.forecast.exact.forecast import winners as exact_ones
from rules.pathfinder.forecast.simulate import simulated, simulated_each
from rules.pathfinder.forecast.standing import surrenders, with_orders


class Prospects(OddsLaw):
    """`rules.core.odds.OddsLaw` of mass combat."""

    known = True
    commands = True

    def guesses(self, state: BattleState, viewer: Viewer) -> Sequence[Guess]:
        return knowledge.guesses(state, viewer)

    def begun(self, state: BattleState) -> BattleState:
        events = decide(state, Next(), Typed((), by="", ask=True), OMNISCIENT) if state.phase.kind == SETUP else ()
        return fold(state, events)

    def odds(self, state: BattleState, about: AboutOdds, viewer: Viewer) -> Odds | None:
        if state.phase.kind not in (TACTICS, *PHASES):
            return None
        left_out = not about.carried_out and (surrenders(state) or _surrendering(about))
        state = _begun(state, about)
        odds = knowledge.foretold(state, about, viewer) or exactly(state, about) or simulated(state, about)
        fights_on = (FIGHTS_ON,) if left_out else ()
        return replace(odds, assumed=(*odds.assumed, *_assumed(state, about), *fights_on, *_believed(state, viewer)))

    def winners(self, states: Sequence[BattleState], about: AboutOdds, viewer: Viewer) -> Sequence[Winning]:
        """Return who wins each battle: exact ones computed together, the others simulated one by one."""
        begun = [_begun(state, about) for state in states]
        found = zip(begun, exact_ones(begun, about), strict=True)
        return [winning or simulated(state, about).winning for state, winning in found]

    def table_kinds(self, state: BattleState, row: str, column: str) -> Sequence[TableKind]:
        return kinds(state, row, column)

    def table(
        self, state: BattleState, kind: str, row: str, column: str, about: AboutOdds, viewer: Viewer
    ) -> OddsTable | None:
        return table_of(_begun(state, about), kind, row, column, about, simulated_each)

    def carried_out(self, state: BattleState, events: Sequence[Event], viewer: Viewer) -> Sequence[GiveOrder]:
        return tuple(choices.carried_out(state, events, viewer))

    def proposals(
        self, state: BattleState, side: int, leaning: Leaning, viewer: Viewer, seed: str
    ) -> Sequence[Proposal]:
        return tuple(choices.Commanding(self, side, leaning, viewer, seed).all(state))

    def carries_out(self, command: Command) -> bool:
        return isinstance(command, Resolve)


WITHDRAWS = by_number("{army}: withdrawal after {phases} phase.", "{army}: withdrawal after {phases} phases.", "phases")
FIGHTS_ON = _("Nobody surrenders: armies ordered to surrender are assumed to fight on.")


def _begun(state: BattleState, about: AboutOdds) -> BattleState:
    return with_orders(state, about.commands, carried_out=about.carried_out)


def _surrendering(about: AboutOdds) -> bool:
    return any(isinstance(command, GiveOrder) and command.order.surrender for command in about.commands)


def _assumed(state: BattleState, about: AboutOdds) -> Iterator[Said]:
    yield _("After this phase there are no new orders: each army keeps its tactic, strategy and target.")
    if any(order.hold_the_line for order in state.orders.values()):
        yield _("Armies ordered to hold the line keep doing so.")
    if any(order.stay_at_range for order in state.orders.values()):
        yield _("Armies ordered to stay at range do so in this phase only.")
    for army, retreat in about.retreats.items():
        name = state.armies[army].name if army in state.armies else army
        if retreat.after is not None:
            yield say(WITHDRAWS, army=name, phases=retreat.after)
        if retreat.health is not None:
            yield say(_("{army}: withdrawal at {hp} hp or less."), army=name, hp=retreat.health)


def _believed(state: BattleState, viewer: Viewer) -> Iterator[Said]:
    """Say which hidden sheets this guess, and all others, replace by plain ones."""
    hidden = knowledge.hidden_from(state, viewer)
    if names := [army.name for army in state.on_field() if army.id in hidden]:
        most = max(level.figures for level in knowledge.LEVELS)
        yield say(BELIEVED, armies=", ".join(names), most=most)


BELIEVED = _(
    "You can’t read the sheet of {armies}. It is treated as an army of its ACR, with up to {most} more on figures "
    "and morale checks, which may or may not be able to shoot."
)

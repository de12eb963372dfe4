"""Forecast of battles of breaking points: exact where possible, otherwise simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rules.breaking_point.battle.decide import decide
from rules.breaking_point.battle.orders.commands import Command, GiveOrder, Next, Resolve
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import COMMAND, ROUND, SETUP, BattleNow, BodyOrder, Order
from rules.breaking_point.battle.state.fold import fold
from rules.breaking_point.forecast import choices, knowledge
from rules.breaking_point.forecast.choices import kinds, table_of
from rules.breaking_point.forecast.exact import exactly
from rules.breaking_point.forecast.knowledge import as_fought, as_seen
from rules.breaking_point.forecast.simulate import compared, simulated
from rules.breaking_point.forecast.standing import with_orders
from rules.core.dice import Typed
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.odds import AboutOdds, Guess, Leaning, Odds, OddsLaw, OddsTable, Proposal, TableKind, Winning
from rules.core.text import Said, _, say
from rules.law import OMNISCIENT, Viewer

LASTING = _(
    "After this round there are no new orders. Each group repeats its order, against the next enemy in reach if "
    "its target is gone. A group without an order attacks the first enemy in reach."
)
SHOT, CLOSE, CONTACT = "shot", "close", "contact"
DEEDS = {SHOT: "shoot", CLOSE: "shoot", CONTACT: "attack"}


class Prospects(OddsLaw):
    """`rules.core.odds.OddsLaw` of breaking points."""

    known = True
    commands = True

    def guesses(self, state: BattleNow, viewer: Viewer) -> Sequence[Guess]:
        return knowledge.guesses(state, viewer)

    def begun(self, state: BattleNow) -> BattleNow:
        events = decide(state, Next(), Typed((), by="", ask=True), OMNISCIENT) if state.phase.kind == SETUP else ()
        return fold(state, events)

    def odds(self, state: BattleNow, about: AboutOdds, viewer: Viewer) -> Odds | None:
        if state.phase.kind not in (COMMAND, ROUND):
            return None
        battle = given(state, about)
        about = as_fought(battle, about, viewer)
        odds = knowledge.foretold(battle, about, viewer, answered) or answered(battle, about)
        told = (*odds.assumed, *_assumed(battle, about), *_believed(battle, viewer))
        return as_seen(battle, replace(odds, assumed=told), viewer)

    def winners(self, states: Sequence[BattleNow], about: AboutOdds, viewer: Viewer) -> Sequence[Winning | None]:
        return compared([given(state, about) for state in states], about)

    def table_kinds(self, state: BattleNow, row: str, column: str) -> Sequence[TableKind]:
        return kinds(state, row, column)

    def table(
        self, state: BattleNow, kind: str, row: str, column: str, about: AboutOdds, viewer: Viewer
    ) -> OddsTable | None:
        battle = given(state, about)
        return table_of(battle, kind, row, column, as_fought(battle, about, viewer), answered)

    def carried_out(self, state: BattleNow, events: Sequence[Any], viewer: Viewer) -> Sequence[GiveOrder]:
        """Return others' orders, as shown by the targets they attacked. Bodies without an attack
        are assumed to hold.
        """
        struck: dict[str, dict[str, BodyOrder]] = {army: {} for army in state.owners() if not viewer.commands(army)}
        for event in events:
            if isinstance(event, e.Attacked) and event.mode in DEEDS and event.body in state.bodies:
                body = state.bodies[event.body]
                if body.army in struck:
                    struck[body.army][body.key] = BodyOrder(DEEDS[event.mode], event.target)
        return tuple(GiveOrder(Order(army, bodies)) for army, bodies in struck.items())

    def proposals(self, state: BattleNow, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Sequence[Proposal]:
        return tuple(choices.proposals(state, side, leaning, seed, answered))

    def carries_out(self, command: Command) -> bool:
        return isinstance(command, Resolve)


def given(state: BattleNow, about: AboutOdds) -> BattleNow:
    """Return the battle with the orders of the question. Raises `InvalidInput` for an impossible one."""
    try:
        return with_orders(state, about.commands)
    except IllegalCommand as refusal:
        raise InvalidInput(refusal.message, refusal.field, refusal.errors) from None


def answered(battle: BattleNow, about: AboutOdds, share: int = 1) -> Odds:
    """Return the odds. `share` divides the work of one question."""
    return exactly(battle, about) or simulated(battle, about, share=share)


def _assumed(battle: BattleNow, about: AboutOdds) -> Iterator[Said]:
    yield LASTING
    for army, retreat in about.retreats.items():
        name = battle.armies[army].name if army in battle.armies else army
        if retreat.after is not None:
            yield say(_("{army} withdraws after {rounds} rounds."), army=name, rounds=retreat.after)
        if retreat.health is not None:
            yield say(_("{army} withdraws with {force} of its force left, or less."), army=name, force=retreat.health)


def _believed(battle: BattleNow, viewer: Viewer) -> Iterator[Said]:
    hidden = knowledge.hidden_from(battle, viewer)
    if names := [battle.armies[army].name for army in hidden]:
        yield say(knowledge.BELIEVED, armies=", ".join(names))

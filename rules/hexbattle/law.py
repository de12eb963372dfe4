"""Base of the battles of a hex law: setup, map, sight and the common events. A law inherits it once.

A law says what its units are, what a command does (`resolved`), what its own events change (`after`) and tell
(`told`), who is unseen (`unseen`) and where a unit may stand (`may_stand`). Its state is a frozen dataclass with a
member `field` (`hexbattle.field.Field`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rules.battles import BattleLaw, Closed, LogEntry, Outcome, Selection, Settling, ThrownAnew, Viewer
from rules.core.dice import Dice
from rules.core.errors import require
from rules.core.text import Said, _
from rules.hexbattle import common, ending, seeing, setup
from rules.hexbattle.board import BoardLegal
from rules.hexbattle.field import Ended, Field
from rules.hexbattle.tokens import Token

COMMANDS = setup.Command | ending.End
"""Commands every hex law has, for its `Shapes`, with its own and `Settling`."""
EVENTS = common.Event
"""Events every hex law has, for its `Shapes`, with its own and `SettlingEvent`."""


class HexState(Protocol):
    """A law's state: a frozen dataclass with the field of the battle."""

    @property
    def field(self) -> Field: ...


class HexBattles(BattleLaw):
    """What the battles of hex laws have in common."""

    zone_rows = 3
    """How deep a side's zone is where the map doesn't say (H-2)."""
    zone_margin = 0
    """How many rows lie between a zone and its edge on generated maps."""
    sees_hidden_within = 2
    """How near an enemy has to be to see a unit that lies hidden."""

    end_reasons: Mapping[str, Said] = ending.REASONS
    """Why a battle ended, by the slugs of `Ended.reason`."""

    # What a law says

    @abstractmethod
    def side_names(self, state: Any) -> tuple[str, ...]: ...

    @abstractmethod
    def resolved(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> Iterable[Any]:
        """The events of a command of play. Setup and the GM's end are decided already."""

    @abstractmethod
    def legal_in_play(self, state: Any, viewer: Viewer, selection: Selection) -> BoardLegal:
        """What a viewer may do once the battle has begun. `state` is the one they see."""

    def begun(self, state: Any) -> Iterable[Any]:
        """Events that follow `Started`: whose turn it is, for one."""
        return ()

    def may_stand(self, field: Field, token: Token, at: str) -> bool:
        """Whether a unit may stand on a hex (HX-6.1): ground on foot, no enemy, one troop. A law amends it."""
        return field.ground.terrain(at).on_foot and has_room(field, token, at)

    def unseen(self, field: Field, side: int) -> frozenset[str]:
        """The enemy units this side doesn't see now. A law amends it."""
        return seeing.unseen(field, side, within=self.sees_hidden_within)

    def brush(self, state: Any) -> bool:
        """Whether players may paint during setup."""
        return False

    # What follows from it

    def decide(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        events = self._decided(state, command, dice, viewer)
        dice.finish()
        return events

    def _decided(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        if isinstance(command, Settling):
            return self.settled(command)
        require(state.field.ended is None, _("The battle is over."))
        if isinstance(command, ending.End):
            return ending.declared(state.field, command)
        found = setup.decided(state.field, command, self.may_stand, zone_rows=self.zone_rows, margin=self.zone_margin)
        if found is None:
            require(state.field.started, _("The battle hasn't begun yet."))
            return tuple(self.resolved(state, command, dice, viewer))
        if found and isinstance(command, setup.Start):
            return (*found, *self._first_sights(state.field), *self.begun(self.fold(state, found)))
        return found

    def _first_sights(self, field: Field) -> tuple[Any, ...]:
        """Hidden units that the enemy sees as the battle begins."""

        def hidden(now: Field, side: int) -> frozenset[str]:
            return frozenset(token.id for token in now.enemies(side) if token.hidden)

        return seeing.come_into_sight(field, field, self.unseen, before_unseen=hidden)

    def fold(self, state: Any, events: Iterable[Any]) -> Any:
        for event in events:
            state = self.after(state, event)
        return state

    def after(self, state: Any, event: Any) -> Any:
        """The state after one event. A law folds its own events and hands the rest on to this."""
        field = common.after(state.field, event)
        return state if field is state.field else replace(state, field=field)

    def seen(self, state: Any, viewer: Viewer) -> Any:
        """Without what this viewer's side doesn't see. A law with secrets of its own cuts them besides."""
        field = seeing.seen_by(state.field, viewer, lambda side: self.unseen(state.field, side))
        return state if field is state.field else replace(state, field=field)

    def witnessed(self, state: Any, event: Any, viewer: Viewer) -> Any | None:
        return seeing.witnessed(state.field, event, viewer)

    def describe(self, state: Any, event: Any) -> LogEntry:
        if isinstance(event, Closed | ThrownAnew):
            return super().describe(state, event)
        if isinstance(event, Ended):
            return common.told_end(event, self.side_names(state), self.end_reasons)
        found = common.told(state.field, event, self.side_names(state))
        return self.told(state, event) if found is None else found

    @abstractmethod
    def told(self, state: Any, event: Any) -> LogEntry:
        """An event of the law's own in words, or the beginning or end of an effect or phase.

        `common.name_of(state.field, unit)` names units.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """How the battle ended, for the summary; None while it is fought."""
        ended = state.field.ended
        return None if ended is None else common.outcome(ended, self.side_names(state), self.end_reasons)

    def legal(self, state: Any, viewer: Viewer, selection: Selection = ()) -> BoardLegal:
        if state.field.ended:
            return BoardLegal(("aftermath",) if viewer.gm and not state.field.closed else ())
        if state.field.started:
            return self.legal_in_play(state, viewer, selection)
        return setup.legal(state.field, viewer, selection, self.may_stand, zone_rows=self.zone_rows)

    def allows(self, state: Any, command: Any, viewer: Viewer) -> bool:
        """A law says of its own commands who may give them (`allows_in_play`)."""
        if isinstance(command, Settling):
            return viewer.gm
        found = setup.allowed(state.field, command, viewer, brush=self.brush(state))
        if found is None:
            found = ending.allowed(command, viewer)
        return self.allows_in_play(state, command, viewer) if found is None else found

    @abstractmethod
    def allows_in_play(self, state: Any, command: Any, viewer: Viewer) -> bool: ...

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Setup can be taken back by who did it. A law adds what of play can be."""
        return isinstance(command, setup.Place | setup.ChangeMap)

    def doubts(self, state: Any) -> tuple[Said, ...]:
        """What of the map players may not want (HX-7.3)."""
        return setup.doubts(state.field, zone_rows=self.zone_rows, sides=self.side_names(state))


def has_room(field: Field, token: Token, at: str) -> bool:
    """Whether a hex has room for a unit: no enemy stands there, and no other troop where it is one."""
    others = [other for other in field.at(at) if other.id != token.id]
    if any(other.side != token.side for other in others):
        return False
    return token.character or all(other.character for other in others)

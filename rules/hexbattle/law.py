"""Base of the battles of a hex law: setup, map, sight and the common events. A law inherits it once.

A law says what its units are, what a command does (`resolved`), what its own events change (`after`) and tell
(`told`), who is unseen (`unseen`) and where a unit may stand (`may_stand`). Its state is a frozen dataclass with a
member `field` (`hexbattle.field.Field`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rules.battle_law import (
    AFTERMATH,
    ANYBODY,
    SETUP,
    Awaited,
    BattleLaw,
    Closed,
    Combatant,
    Halt,
    LogEntry,
    Outcome,
    Selection,
    Settling,
    Stage,
    Summary,
    ThrownAnew,
    Viewer,
)
from rules.core.dice import Dice, DiceNeeded, Typed
from rules.core.errors import Refusal, require
from rules.core.text import Said, _, say
from rules.halts import LEADER
from rules.hexbattle import common, ending, seeing, setup
from rules.hexbattle.board import BoardLegal
from rules.hexbattle.field import Ended, Field, freeze, thaw
from rules.hexbattle.moving import Gait, Mover
from rules.hexbattle.tokens import Token
from rules.verdicts import Verdict

COMMANDS = setup.Command | ending.End
"""Commands every hex law has, for its `Shapes`, with its own and `Settling`."""
CALLED: Mapping[type, str] = {setup.SetReady: "ready"}
"""Commands that are not sent by their class's name, for its `Shapes`."""
EVENTS = common.Event
"""Events every hex law has, for its `Shapes`, with its own and `SettlingEvent`."""


class HexState(Protocol):
    """A law's state: a frozen dataclass with its opening and the field of the battle."""

    @property
    def opening(self) -> Any: ...
    @property
    def field(self) -> Field: ...


class HexBattles(BattleLaw):
    """What the battles of hex laws have in common."""

    zone_rows = 3
    """How deep a side's zone is where the map doesn't say (H-2)."""
    zone_margin = 0
    """How many rows lie between a zone and its edge on generated maps."""
    generated_rows = 14
    """How many rows a generated map has unless another number is chosen."""
    sees_hidden_within = 2
    """How near an enemy has to be to see a unit that lies hidden."""

    end_reasons: Mapping[str, Said] = ending.REASONS
    """Why a battle ended, by the slugs of `Ended.reason`."""

    # What a law says

    def side_names(self, state: Any) -> tuple[str, ...]:
        return tuple(state.opening.sides)

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

    def stands(self, state: Any) -> setup.MayStand:
        """`may_stand` of this state. A law whose units stand by more than the field says brings its own."""
        return self.may_stand

    def unseen(self, field: Field, side: int) -> frozenset[str]:
        """The enemy units this side doesn't see now. A law amends it."""
        return seeing.unseen(field, side, within=self.sees_hidden_within)

    def brush(self, state: Any) -> bool:
        """Whether players may paint during setup."""
        return False

    # What follows from it

    def mover_of(self, field: Field, token: Token, gait: Gait, points: int, *, halts: bool = True) -> Mover:
        """A unit that goes by what its side knows: enemies close their hexes and, if `halts`, stop it beside them; its
        friends' hexes it passes.
        """
        enemies = field.hexes(field.enemies(token.side, unseen=self.unseen(field, token.side)))
        friends = field.hexes(one for one in field.of_side(token.side) if one.standing and one.id != token.id)
        return Mover(gait, points, enemies, friends, field.ground.beside(enemies) if halts else frozenset())

    def freeze(self, state: Any) -> Any:
        """Its field as it differs from the opening's, and whatever else the law's frozen shape names."""
        shape = self.shapes.frozen
        others = {name: getattr(state, name) for name in shape._fields if name != "field"}
        return shape(field=freeze(self.open(state.opening).field, state.field), **others)

    def thaw(self, opening: Any, frozen: Any) -> Any:
        new, others = self.open(opening), frozen._asdict()
        return replace(new, field=thaw(new.field, others.pop("field")), **others)

    def decide(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        seeing.check_named(state.field, command, viewer, lambda: self.seen(state, viewer).field)
        events = self._decided(state, command, dice, viewer)
        dice.finish()
        return tuple(self._evened(state, events))

    def _evened(self, state: Any, events: Iterable[Any]) -> Iterator[Any]:
        """With silences after what not everybody sees: events are numbered, and no gap tells how much that was."""
        unseen = 0
        for event in events:
            told = self.witnessed(state, event, ANYBODY) is not None
            if told and unseen:
                yield from silences(unseen)
            unseen = 0 if told else unseen + 1
            yield event
        yield from silences(unseen)

    def _decided(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        if isinstance(command, Settling):
            return self.settled(command)
        require(state.field.ended is None, _("The battle is over."))
        if isinstance(command, ending.End):
            return ending.declared(state.field, command)
        found = setup.decided(
            state.field, command, self.stands(state), zone_rows=self.zone_rows, margin=self.zone_margin
        )
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
        if isinstance(event, common.Silence):
            return None
        return seeing.witnessed(state.field, event, viewer)

    def describe(self, state: Any, event: Any) -> LogEntry:
        if isinstance(event, Closed | ThrownAnew):
            return super().describe(state, event)
        if isinstance(event, Ended):
            return common.told_end(event, self.side_names(state), self.end_reasons)
        found = common.told(state.field, event, self.side_names(state))
        return self.told(state, event) if found is None else found

    def decisive(self, state: Any, events: Sequence[Any]) -> bool:
        """What all sides saw: that something else happened is no news for the whole table."""
        return super().decisive(state, [one for one in events if self.witnessed(state, one, ANYBODY) is not None])

    def verdict(self, before: Any, events: Sequence[Any], after: Any) -> Verdict:
        """What is told of the command is its news; armies are named where they lost something."""
        found = super().verdict(before, events, after)
        fates = tuple(fate for fate in found.fates if fate.lost or fate.gone)
        return found._replace(fates=fates, news=self.headline(after, events), undo=self.undo_words(events))

    def halts(self, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> Sequence[Halt]:
        """Characters who leave the battle, too."""
        known = before.field.tokens
        lost = (one for one in after.field.tokens.values() if one.character and one.gone and one.id in known)
        left = (one for one in lost if not known[one.id].gone)
        told = (Halt(LEADER, say(_("{name} has left the battle."), name=one.name), one.army) for one in left)
        return (*super().halts(before, events, after, viewer), *told)

    def headline(self, state: Any, events: Sequence[Any]) -> Said | None:
        """What a command comes to, in one sentence: what weighs most, of equals the last. A law chooses otherwise."""
        entries = [self.describe(state, event) for event in events]
        told = [entry.text for entry in sorted(entries, key=lambda entry: entry.weight) if not entry.quiet]
        return told[-1] if told else None

    def undo_words(self, events: Sequence[Any]) -> Said:
        """What taking a command back is called, of its events. A law says more."""
        return _("Undo")

    @abstractmethod
    def told(self, state: Any, event: Any) -> LogEntry:
        """An event of the law's own in words, or the beginning or end of an effect or phase.

        `common.name_of(state.field, unit)` names units.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """How the battle ended, for the summary; None while it is fought."""
        ended = state.field.ended
        return None if ended is None else common.outcome(ended, self.side_names(state), self.end_reasons)

    def summary_of(
        self,
        state: Any,
        now: Stage,
        combatant: Callable[[Any, str, int], Combatant],
        waiting: Sequence[Awaited],
    ) -> Summary:
        """The summary of a state. `combatant`: the law's, of an army and its side; `waiting`: whom play waits for.

        Setup is over, and the aftermath to come: `stage` knows the kinds "setup" and "aftermath".
        """
        field, names = state.field, self.side_names(state)
        gone = ((self.stage(SETUP, 1), "done"),) if field.started else ()
        later = () if field.ended else ((self.stage(AFTERMATH, 1), "to come"),)
        return Summary(
            field.status,
            now,
            (*gone, (now, "current"), *later),
            common.teams(field, names),
            {army: combatant(state, army, side) for army, side in field.armies.items()},
            waiting_for=() if field.ended else tuple(waiting) if field.started else setup.awaited(field),
            outcome=self.outcome(state),
            names={unit: common.name_of(field, unit) for unit in field.tokens},
        )

    def legal(self, state: Any, viewer: Viewer, selection: Selection = ()) -> BoardLegal:
        if state.field.ended:
            return BoardLegal(("aftermath",) if viewer.gm and not state.field.closed else ())
        if state.field.started:
            return self.legal_in_play(state, viewer, selection)
        return setup.legal(state.field, viewer, selection, self.stands(state), zone_rows=self.zone_rows)

    def meant(self, state: Any, selection: Selection) -> Any:
        """The command a selection means, whether it is legal or not, so that its refusal can be told; None for none."""
        return None

    def why_not(self, state: Any, viewer: Viewer, selection: Selection) -> Said | None:
        """Why what is picked can't be done, in the words of the refusal; None where nothing speaks against it or
        nothing is meant. `state` is the one the viewer sees.
        """
        playing = state.field.started and not state.field.ended
        command = self.meant(state, selection) if playing and any(selection) else None
        if command is None or not self.allows(state, command, viewer):
            return None
        try:
            self.decide(state, command, Typed((), ask=True), viewer)
        except DiceNeeded:
            return None
        except Refusal as refusal:
            return refusal.message
        return None

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


def silences(unseen: int) -> Iterator[common.Silence]:
    """As many as fill up so many events that not everybody sees."""
    yield from (common.Silence() for _more in range(-unseen % common.UNSEEN_RUN))


def has_room(field: Field, token: Token, at: str, unseen: Collection[str] = ()) -> bool:
    """Whether a hex has room for a unit: no enemy stands there, and no other troop where it is one. `unseen`: those
    its side doesn't see are left out.
    """
    others = [other for other in field.at(at) if other.id != token.id and other.id not in unseen]
    if any(other.side != token.side for other in others):
        return False
    return token.character or all(other.character for other in others)

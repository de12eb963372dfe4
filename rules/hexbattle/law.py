"""Base class of the battle laws played on hexes: setup, map, sight and the common events.

A law says what its units are, what a command does (`resolved`), what its own events change (`after`) and how they are
logged (`told`), who is unseen (`unseen`) and where a unit may stand (`may_stand`). Its state is a frozen dataclass with
a member `field` (`hexbattle.field.Field`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rules.aftermath import Verdict
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
from rules.hexbattle import common, ending, seeing, setup, telling
from rules.hexbattle.board import BoardLegal
from rules.hexbattle.field import Ended, Field, Token, freeze, thaw
from rules.hexbattle.moving import Gait, Mover
from rules.pending import LEADER

COMMANDS = setup.Command | ending.End
"""Commands common to all hex laws. A law lists them in its `Shapes` with its own and `Settling`."""
CALLED: Mapping[type, str] = {setup.SetReady: "ready"}
"""Commands with a wire name different from their class's, for `Shapes`."""
EVENTS = common.Event
"""Events common to all hex laws. A law lists them in its `Shapes` with its own and `SettlingEvent`."""


class HexState(Protocol):
    """State of a hex law: a frozen dataclass with its opening and the field of the battle."""

    @property
    def opening(self) -> Any: ...
    @property
    def field(self) -> Field: ...


class HexBattles(BattleLaw):
    """Base class of the battle laws played on hexes."""

    zone_rows = 3
    """The depth of a side's setup zone, in rows, if the map doesn't define one (H-2)."""
    zone_margin = 0
    """The number of rows between a zone and its map edge, on generated maps."""
    generated_rows = 14
    """The default number of rows of a generated map."""
    sees_hidden_within = 2
    """The distance, in hexes, at which an enemy sees a hidden unit."""

    end_reasons: Mapping[str, Said] = ending.REASONS
    """The texts of the reasons in `Ended.reason`, by slug."""

    # For a law to define

    def side_names(self, state: Any) -> tuple[str, ...]:
        return tuple(state.opening.sides)

    @abstractmethod
    def resolved(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> Iterable[Any]:
        """The events of a command of play. Setup commands and the GM's end are handled elsewhere."""

    @abstractmethod
    def legal_in_play(self, state: Any, viewer: Viewer, selection: Selection) -> BoardLegal:
        """Legal commands of a viewer once the battle has begun. `state` is limited to what they see."""

    def begun(self, state: Any) -> Iterable[Any]:
        """Events that follow `Started`, such as whose turn it is."""
        return ()

    def may_stand(self, field: Field, token: Token, at: str) -> bool:
        """Whether a unit may stand on a hex (HX-6.1): passable ground, no enemy, one troop. A law may override it."""
        return field.ground.terrain(at).on_foot and has_room(field, token, at)

    def stands(self, state: Any) -> setup.MayStand:
        """The `may_stand` function to use in this state. A law that needs more than the field overrides it."""
        return self.may_stand

    def unseen(self, field: Field, side: int) -> frozenset[str]:
        """The ids of the enemy units this side doesn't see now. A law may override it."""
        return seeing.unseen(field, side, within=self.sees_hidden_within)

    def brush(self, state: Any) -> bool:
        """Whether players may paint the map during setup."""
        return False

    # Built on these

    def mover_of(self, field: Field, token: Token, gait: Gait, points: int, *, halts: bool = True) -> Mover:
        """The mover of a unit, from what its side knows.

        Enemies close their hexes and, with `halts`, end a move beside them. Friends' hexes may be passed but not ended
        on.
        """
        enemies = field.hexes(field.enemies(token.side, unseen=self.unseen(field, token.side)))
        friends = field.hexes(one for one in field.of_side(token.side) if one.standing and one.id != token.id)
        return Mover(gait, points, enemies, friends, field.ground.beside(enemies) if halts else frozenset())

    def freeze(self, state: Any) -> Any:
        """The stored form of a state: its field's difference from the opening's, and the other frozen members."""
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
        """The events with silences inserted, so that gaps in their numbering don't reveal unseen events."""
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
            require(state.field.started, _("The battle hasn’t begun yet."))
            return tuple(self.resolved(state, command, dice, viewer))
        if found and isinstance(command, setup.Start):
            return (*found, *self._first_sights(state.field), *self.begun(self.fold(state, found)))
        return found

    def _first_sights(self, field: Field) -> tuple[Any, ...]:
        """Hidden units that the enemy sees when the battle begins."""

        def hidden(now: Field, side: int) -> frozenset[str]:
            return frozenset(token.id for token in now.enemies(side) if token.hidden)

        return seeing.come_into_sight(field, field, self.unseen, before_unseen=hidden)

    def fold(self, state: Any, events: Iterable[Any]) -> Any:
        for event in events:
            state = self.after(state, event)
        return state

    def after(self, state: Any, event: Any) -> Any:
        """The state after one event. A law handles its own events and passes the others on to this."""
        field = common.after(state.field, event)
        return state if field is state.field else replace(state, field=field)

    def seen(self, state: Any, viewer: Viewer) -> Any:
        """The state without what the viewer's side doesn't see. A law with other secrets removes them too."""
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
            return telling.told_end(event, self.side_names(state), self.end_reasons)
        found = telling.told(state.field, event, self.side_names(state))
        return self.told(state, event) if found is None else found

    def decisive(self, state: Any, events: Sequence[Any]) -> bool:
        """Whether the events are decisive, judged only by those that everybody saw."""
        return super().decisive(state, [one for one in events if self.witnessed(state, one, ANYBODY) is not None])

    def verdict(self, before: Any, events: Sequence[Any], after: Any) -> Verdict:
        """The verdict, with the headline as its news and only armies that lost something."""
        found = super().verdict(before, events, after)
        fates = tuple(fate for fate in found.fates if fate.lost or fate.gone)
        return found._replace(fates=fates, news=self.headline(after, events), undo=self.undo_words(events))

    def halts(self, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> Sequence[Halt]:
        """The halts of the base law, and characters who leave the battle."""
        known = before.field.tokens
        lost = (one for one in after.field.tokens.values() if one.character and one.gone and one.id in known)
        left = (one for one in lost if not known[one.id].gone)
        told = (Halt(LEADER, say(_("{name} left the battle."), name=one.name), one.army) for one in left)
        return (*super().halts(before, events, after, viewer), *told)

    def headline(self, state: Any, events: Sequence[Any]) -> Said | None:
        """One sentence for a command's events: the entry of greatest weight, the last of equals; None if all are
        quiet.
        """
        entries = [self.describe(state, event) for event in events]
        told = [entry.text for entry in sorted(entries, key=lambda entry: entry.weight) if not entry.quiet]
        return told[-1] if told else None

    def undo_words(self, events: Sequence[Any]) -> Said:
        """The text of the button that undoes these events. A law may say more."""
        return _("Undo")

    @abstractmethod
    def told(self, state: Any, event: Any) -> LogEntry:
        """The log entry of a law's own event, or of the beginning or end of an effect or phase.

        Use `common.name_of(state.field, unit)` to name units.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """How the battle ended, for the summary; None while it goes on."""
        ended = state.field.ended
        return None if ended is None else telling.outcome(ended, self.side_names(state), self.end_reasons)

    def summary_of(
        self,
        state: Any,
        now: Stage,
        combatant: Callable[[Any, str, int], Combatant],
        waiting: Sequence[Awaited],
    ) -> Summary:
        """The summary of a state.

        `combatant`: the law's function for an army and its side. `waiting`: whom play waits for, used after setup.
        Setup is shown as done and the aftermath as to come, so `stage` must accept "setup" and "aftermath".
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
        """The command a selection stands for, legal or not, so that `why_not` can explain a refusal; None for none."""
        return None

    def why_not(self, state: Any, viewer: Viewer, selection: Selection) -> Said | None:
        """Why the selected command would be refused; None if it wouldn't be, or if nothing is selected.

        `state` is limited to what the viewer sees.
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
        """Whether a viewer may give a command. A law answers for its own commands in `allows_in_play`."""
        if isinstance(command, Settling):
            return viewer.gm
        found = setup.allowed(state.field, command, viewer, brush=self.brush(state))
        if found is None:
            found = ending.allowed(command, viewer)
        return self.allows_in_play(state, command, viewer) if found is None else found

    @abstractmethod
    def allows_in_play(self, state: Any, command: Any, viewer: Viewer) -> bool: ...

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Whether the player who gave a command may undo it: only setup commands here. A law adds its own."""
        return isinstance(command, setup.Place | setup.ChangeMap)

    def doubts(self, state: Any) -> tuple[Said, ...]:
        """Warnings about the map (HX-7.3)."""
        return setup.doubts(state.field, zone_rows=self.zone_rows, sides=self.side_names(state))


def silences(unseen: int) -> Iterator[common.Silence]:
    """The silences that pad `unseen` unseen events to a multiple of `UNSEEN_RUN`."""
    yield from (common.Silence() for _more in range(-unseen % common.UNSEEN_RUN))


def has_room(field: Field, token: Token, at: str, unseen: Collection[str] = ()) -> bool:
    """Whether a hex has room for a unit: no enemy, and for a troop no other troop.

    `unseen`: ids of units to ignore because the unit's side doesn't see them.
    """
    others = [other for other in field.at(at) if other.id != token.id and other.id not in unseen]
    if any(other.side != token.side for other in others):
        return False
    return token.character or all(other.character for other in others)

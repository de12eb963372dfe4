"""Protocol and value types of battles under any law (`BattleLaw`).

A battle is the fold of its events: `open`, `decide` and `fold` are pure. Apps read the state only through this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol

from rules.aftermath import BattleTolls, Muster, Sequel, Verdict, by_health
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, DieSide, Roll
from rules.core.errors import refuse, require
from rules.core.odds import NO_ODDS, OddsLaw
from rules.core.shapes import ArmyId, Text
from rules.core.text import Message, Said, Term, _, say
from rules.core.viewers import ANYBODY as ANYBODY
from rules.core.viewers import OMNISCIENT as OMNISCIENT
from rules.core.viewers import OPEN as OPEN
from rules.core.viewers import WHOLE, band_of
from rules.core.viewers import Veil as Veil
from rules.core.viewers import Viewer as Viewer
from rules.core.weights import Fall, Weight
from rules.pending import AnswerCommand as AnswerCommand
from rules.pending import Awaited as Awaited
from rules.pending import Halt as Halt
from rules.pending import Legal as Legal
from rules.pending import OnwardLaw, check_answer
from rules.pending import Pending as Pending
from rules.pending import PlainLegal as PlainLegal
from rules.pending import is_turn as is_turn

# Statuses of every battle, whatever its law calls its phases.
SETUP, RUNNING, AFTERMATH, CLOSED = "setup", "running", "aftermath", "closed"
FIGHTING = "fighting"  # the status of an army that has not left the field, under every law


class Stage(NamedTuple):
    """Phase of a battle: the law's own slug and number, and its name for people."""

    kind: str
    number: int
    label: Said


class Combatant(NamedTuple):
    """Army in a battle, as lists show it. `side` is an index, `status` a slug of the law, `health` in the law's own
    units. `kingdom` and `leader` are ids, or "". `risen_from` is the army out of which this one arose during the
    battle, or "" for an army of the campaign. `fighting`: it is still on the field. `share`: health is in hundredths,
    because the maximum is unknown. `words`: health is told in words, and the numbers are only where these words stand
    on a bar. `besides`: what stands on the field for it beyond its health, in words.
    """

    id: str
    name: str
    side: int
    status: str
    status_word: Said
    health: int
    health_max: int
    kingdom: str = ""
    leader: str = ""
    leader_name: str = ""
    risen_from: str = ""
    fighting: bool = True
    share: bool = False
    words: Said | None = None
    besides: Said | None = None

    @property
    def in_the_end(self) -> Said:
        """Its status after the battle: "holding" if it was still on the field, neither broken nor the like."""
        return _("holding") if self.status == FIGHTING else self.status_word


class Team(NamedTuple):
    """Side of a battle: its name and its army ids in order."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()


class Outcome(NamedTuple):
    """How a battle ended. `winner` is the index of the winning side, or None. `text` is one sentence, `reason` a remark
    by the GM or the law, or "".
    """

    winner: int | None
    reason: Said | str
    text: Said


@dataclass(frozen=True, slots=True)
class Summary:
    """State of a battle as pages, lists and messages need it, whatever the law.

    `status` is `SETUP`, `RUNNING`, `AFTERMATH` or `CLOSED`. `stages` are the past, current and foreseen phases, each
    with "done", "current" or "to come". `names` holds names of things other than armies that dice are rolled for
    (units, steps). `ordered` are the armies whose orders for this phase are given.
    """

    status: str
    stage: Stage
    stages: tuple[tuple[Stage, str], ...]
    sides: tuple[Team, ...]
    armies: Mapping[str, Combatant]
    waiting_for: tuple[Awaited, ...] = ()
    outcome: Outcome | None = None
    names: Mapping[str, Said | str] = field(default_factory=dict)
    ordered: frozenset[str] = frozenset()

    def ready(self, army: str) -> str:
        """Return "thinking" if the army's orders are awaited, "in" if they are given, "" if none are asked of it."""
        awaited = any(awaited.army == army for awaited in self.waiting_for)
        return "thinking" if awaited else "in" if army in self.ordered else ""

    def fate_of(self, army: Combatant) -> Said:
        """Return an army's status after the battle: "beaten", not "holding", if only its side's defeat ended it."""
        beaten = self.outcome is not None and self.outcome.winner not in (None, army.side)
        return _("beaten") if beaten and army.status == FIGHTING else army.in_the_end


def in_words(summary: Summary, viewer: Viewer) -> Summary:
    """Return the summary with health in words for the armies whose health figures this viewer may not know."""
    if all(map(viewer.measures, summary.armies)):
        return summary
    armies = {key: army if viewer.measures(key) else worded(army) for key, army in summary.armies.items()}
    return replace(summary, armies=armies)


def worded(army: Combatant) -> Combatant:
    band = band_of(army.health, army.health_max)
    return army._replace(health=band.shown, health_max=WHOLE, share=True, words=band.word)


class Sum(NamedTuple):
    """Breakdown behind an event. Only viewers who may read the figures of `army` are told it."""

    title: Said
    breakdown: Breakdown
    army: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Log entry of one event.

    `secret`: shown only to those who command the army. `quiet`: kept out of the log, because the page shows it
    elsewhere. `begins`: heading that starts here; `heading`: the entry is nothing but that heading. `ends`: heading
    that ends here, for readers of a reversed log. `weight`: turning points are emphasized. `numbers`: figures by the
    law's slugs; the page draws `check` and `against` behind the dice. `own`: range of `rolls` that belong to that
    check, or None; `bonus`: `check` minus these dice. `harmed`: the side that the event hurts. `fall`: who of
    it no longer fights.
    """

    type: str
    army: str
    target: str
    text: Message
    rolls: tuple[Roll, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    rule: str = ""
    sums: tuple[Sum, ...] = ()
    secret: bool = False
    side: int | None = None
    quiet: bool = False
    begins: Said | None = None
    heading: bool = False
    ends: Said | None = None
    weight: Weight = Weight.USUAL
    own: tuple[int, int] | None = None
    bonus: int = 0
    harmed: int | None = None
    fall: Fall = Fall.NOBODY


@dataclass(frozen=True, eq=False)
class Shapes:
    """Types in which a battle is stored, for one codec. Unions are closed and tagged by class name. `untold`: fields
    left out at their default. `called`: names of commands that differ from the class's.
    """

    opening: Any
    command: Any
    event: Any
    frozen: Any
    untold: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[type, str] = field(default_factory=dict)


class CloseBattle(NamedTuple):
    """Command of every law: confirm the aftermath."""


class ThrowAnew(NamedTuple):
    """Command of every law: roll the dice of the aftermath again. `dice` are the rolls as they lay."""

    dice: tuple[Roll, ...]


class Closed(NamedTuple):
    pass


class ThrownAnew(NamedTuple):
    dice: tuple[Roll, ...]


Settling = CloseBattle | ThrowAnew  # used in a law's `Shapes`; a law may define its own instead
SettlingEvent = Closed | ThrownAnew


type Selection = tuple[str, ...]
"""What a viewer has picked so far on the way to a command, in order: a unit, its destination, its target."""

type Figures = Mapping[str, Mapping[str, Breakdown]]
"""Figures shown on a page, by army and by the law's slug."""


class BattleLaw(OnwardLaw, Protocol):
    """Protocol of battles under a law. Openings, states, commands and events are the law's own types; apps do not read
    them.

    Refusals are `IllegalCommand` (not legal now) and `InvalidInput` (malformed). They speak to the player and reveal no
    secrets. `DiceNeeded` asks for dice that a person types first. Methods with a body are defaults to inherit.
    """

    @property
    @abstractmethod
    def shapes(self) -> Shapes: ...

    def check(self, opening: Any) -> Any:
        """Validate the opening and return it in its stored form, with every figure that must not change later. Raises
        `InvalidInput` with every problem.
        """
        return opening

    @abstractmethod
    def open(self, opening: Any) -> Any:
        """Return the state before the first event. Never refuses an opening that `check` has accepted."""

    @abstractmethod
    def decide(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        """Return the events of this command. The state changes only when they are folded."""

    @abstractmethod
    def fold(self, state: Any, events: Iterable[Any]) -> Any:
        """Return the state after these events. Never judges or refuses."""

    def freeze(self, state: Any) -> Any:
        """Return a snapshot of the state to store, so that a long battle need not be folded from its start."""
        return state

    def thaw(self, opening: Any, frozen: Any) -> Any:
        """Restore the state from a snapshot made by `freeze`."""
        return frozen

    def figures(self, state: Any) -> Figures:
        """Return every army's current figures. The record of the battle stores them."""
        return {}

    def seen(self, state: Any, viewer: Viewer) -> Any:
        """Return the state reduced to the information this viewer may have. Pages, the API and lists draw it."""
        return state

    def witnessed(self, state: Any, event: Any, viewer: Viewer) -> Any | None:
        """Return the event as this viewer may know it, or None if they learn nothing. `state`: as for `describe`."""
        return event

    @abstractmethod
    def legal(self, state: Any, viewer: Viewer, selection: Selection = ()) -> Legal:
        """Return the legal commands of this viewer, given their picks so far. `state` comes from `seen`."""

    def pending(self, state: Any, viewer: Viewer) -> Sequence[Pending]:
        """Return the questions this viewer has to answer before anything else. `state` comes from `seen`."""
        return ()

    def answered(self, state: Any, answer: AnswerCommand, viewer: Viewer) -> AnswerCommand:
        """Check an answer to a pending question and return it with every field filled in, for `decide`.

        Raises `IllegalCommand`, listing what is possible, if nobody asks this; `InvalidInput` for a wrong value.
        """
        seen = self.seen(state, viewer)
        return check_answer(answer, self.pending(seen, viewer), lambda: self.legal(seen, viewer).commands)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Whether a player may undo this command, their own last one: it rolled and revealed nothing."""
        return False

    @property
    def die_sides(self) -> Mapping[str, tuple[DieSide, ...]]:
        """Return the sides of dice without numbers, by kind of roll. Face 1 is the first side."""
        return {}

    @abstractmethod
    def allows(self, state: Any, command: Any, viewer: Viewer) -> bool:
        """Whether this viewer may give a command of this kind at all."""

    def bears(self, command: Any, since: Sequence[Any]) -> bool:
        """Whether the command means the same after the commands `since`, which its sender had not seen."""
        return False

    @abstractmethod
    def describe(self, state: Any, event: Any) -> LogEntry:
        """Return the log entry of an event (here: `SettlingEvent`). `state` is any state of the battle that knows its
        armies.
        """
        if isinstance(event, ThrownAnew):
            return LogEntry("rolled-anew", "", "", say(_("The dice of the aftermath are rolled again.")), event.dice)
        return LogEntry("closed", "", "", say(_("The aftermath is confirmed.")))

    @abstractmethod
    def summary(self, state: Any) -> Summary: ...

    @abstractmethod
    def stage(self, kind: str, number: int) -> Stage:
        """Return the phase of this slug and number, as lists store it."""

    @property
    @abstractmethod
    def status_words(self) -> Mapping[str, Term]:
        """Return the words for an army's status, by the law's slugs, `FIGHTING` among them."""

    def decisive(self, state: Any, events: Sequence[Any]) -> bool:
        """Whether these events of one command are news for the whole table: a phase was resolved or a blow fell.

        Default: the log shows one of them to everybody, the aftermath aside. `state`: as for `describe`.
        """
        fought = (event for event in events if not isinstance(event, Closed | ThrownAnew))
        return any(not (entry.secret or entry.quiet) for entry in (self.describe(state, event) for event in fought))

    def verdict(self, before: Any, events: Sequence[Any], after: Any) -> Verdict:
        """Return the effects of one command's events on each army. States and events are as seen by the reader."""
        return by_health(self.summary(before), self.summary(after))

    def luck(self, state: Any, events: Iterable[Any]) -> Mapping[int, float]:
        """Return by side how far its dice fell above or below average in sum. Empty where the law
        does not measure it.
        """
        return {}

    def reinforcement(self, army: Any, side: int) -> Any:
        """Return the command by which an army, given by its document, joins a side. Raises `IllegalCommand`."""
        refuse(_("No army can join this battle."))

    def closing(self) -> Any:
        """Return the command that closes a battle once its aftermath is confirmed."""
        return CloseBattle()

    def throwing_anew(self, dice: Sequence[Roll]) -> Any:
        """Return the command that rolls the dice of an aftermath again. `dice` are the rolls as they lay."""
        return ThrowAnew(tuple(dice))

    def settles(self, command: Any) -> bool:
        """Whether only the aftermath may give this command: closing or reopening the battle, rolling again."""
        return isinstance(command, Settling)

    def settled(self, command: Any) -> tuple[Any, ...]:
        """Return the events of a `Settling` command in a battle that is over, for `decide`."""
        if isinstance(command, ThrowAnew):
            require(command.dice, _("This aftermath needs no dice."))
            return (ThrownAnew(command.dice),)
        return (Closed(),)

    @property
    def forecast(self) -> OddsLaw:
        """The law's odds; `NO_ODDS` where it computes none."""
        return NO_ODDS

    @abstractmethod
    def aftermath(self, state: Any, world: Any, choices: Mapping[str, str], dice: Dice) -> Sequel:
        """Return the proposal of the battle's effects on the campaign: changes, remarks, questions and dice. Raises
        `IllegalCommand` before it is over, `InvalidInput` for an unknown choice.
        """

    takes_others: ClassVar[bool] = False
    """Whether armies of other laws may fight under this one. It then implements `army_from` and `tolls`."""

    def army_from(self, muster: Muster) -> Any:
        """Convert an army of another law into this law's document. Raises `InvalidInput` if that is impossible."""
        refuse(_("Only armies of this ruleset can fight in this battle."))

    def tolls(self, state: Any) -> BattleTolls:
        """Return the losses of armies that belong to other laws. Raises `IllegalCommand` before it is over."""
        refuse(_("Only armies of this ruleset can fight in this battle."))

    def settle(
        self, tolls: BattleTolls, armies: Mapping[str, Any], world: Any, choices: Mapping[str, str], dice: Dice
    ) -> Sequel:
        """Return the proposal of the effects of a battle under another law on this law's armies (documents by id), in
        the format of `aftermath`. Raises `InvalidInput` for an unknown choice.
        """
        refuse(_("Armies of this ruleset can only fight battles of the same ruleset."))

"""Protocol and values of battles under any law: who looks, what is told and asked, and how it is fought (`BattleLaw`).

A battle is the fold of its events: `open`, `decide`, `fold` are pure, and the state is only ever read through what
stands here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, DieSide, Roll
from rules.core.errors import refuse, require
from rules.core.health import WHOLE, band_of
from rules.core.odds import NO_ODDS, OddsLaw
from rules.core.shapes import ArmyId, Text
from rules.core.text import Message, Namer, Said, Term, _, say
from rules.core.viewers import ANYBODY as ANYBODY
from rules.core.viewers import OMNISCIENT as OMNISCIENT
from rules.core.viewers import OPEN as OPEN
from rules.core.viewers import Veil as Veil
from rules.core.viewers import Viewer as Viewer
from rules.halts import Halt as Halt
from rules.halts import OnwardLaw
from rules.muster import BattleTolls, Muster
from rules.pending import AnswerCommand as AnswerCommand
from rules.pending import Awaited as Awaited
from rules.pending import Legal as Legal
from rules.pending import Pending as Pending
from rules.pending import PlainLegal as PlainLegal
from rules.pending import check_answer
from rules.pending import is_turn as is_turn
from rules.sequels import Sequel
from rules.verdicts import Verdict, by_health

# What every battle goes through, whatever its law calls its phases.
SETUP, RUNNING, AFTERMATH, CLOSED = "setup", "running", "aftermath", "closed"
FIGHTING = "fighting"  # the status of an army that has not left the field, under every law


class Stage(NamedTuple):
    """A phase of a battle: the law's own slug and number, and its name for people."""

    kind: str
    number: int
    label: Said


class Combatant(NamedTuple):
    """An army in a battle, at a glance. `side` is an index; `status` is the law's slug, `health` its own measure.

    `kingdom` and `leader` are ids, empty where there is none. `risen_from`: the army out of which it rose in the
    battle itself, "" for one that stands in the campaign. `fighting`: it is still on the field. `share`: its health is
    told in hundredths, for it is not known how much the whole is. `words`: it is told in words, and the figures are
    those for which these words stand.
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

    @property
    def in_the_end(self) -> Said:
        """What became of it, once the battle is over and nobody fights any more."""
        return _("holding") if self.fighting else self.status_word


class Team(NamedTuple):
    """A side: its name and its armies in order."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()


class Outcome(NamedTuple):
    """How a battle ended. `winner`: index of the victorious side, or None. `text`: in one sentence. `reason`: what is
    to be said beyond it, by the GM or by the law, or "".
    """

    winner: int | None
    reason: Said | str
    text: Said


@dataclass(frozen=True, slots=True)
class Summary:
    """A battle's state as every page, list and message of the frame needs it.

    `status` is one of `SETUP`, `RUNNING`, `AFTERMATH`, `CLOSED`; `stages` are those gone through, this one and those
    foreseen, each "done", "current" or "to come". `names`: of what dice fall for besides armies (a unit, a step), in
    the law's words or as people have named it. `ordered`: the armies whose orders for this phase are in.
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
        """Whether an army's orders are awaited ("thinking") or in ("in"); "" where none are asked of it."""
        awaited = any(awaited.army == army for awaited in self.waiting_for)
        return "thinking" if awaited else "in" if army in self.ordered else ""


def in_words(summary: Summary, viewer: Viewer) -> Summary:
    """With the health of those in words of which this viewer is told no figures."""
    if all(map(viewer.measures, summary.armies)):
        return summary
    armies = {key: army if viewer.measures(key) else worded(army) for key, army in summary.armies.items()}
    return replace(summary, armies=armies)


def worded(army: Combatant) -> Combatant:
    band = band_of(army.health, army.health_max)
    return army._replace(health=band.shown, health_max=WHOLE, share=True, words=band.word)


class Sum(NamedTuple):
    """A sum behind an event, and whose figures it shows: who may not read that army's figures is not told it."""

    title: Said
    breakdown: Breakdown
    army: str


class Weight(IntEnum):
    """How much of a battle hangs on an event: as any other, worth a second look, or its course turns here."""

    USUAL = 0
    TELLING = 1
    TURNING = 2


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event in words.

    `secret`: only for those who command the army. `quiet`: the page says it elsewhere, it is no line of the log.
    `begins`: from here on the log is told under this heading; `heading`: and the event is nothing else. `ends`: up to
    here it was told under this one, for who reads it from its end. `weight`: what turns a battle is told first.
    `numbers`: the law's, by slug; `check` and `against` are drawn behind the dice. `own`: from and to where in `rolls`
    the dice of that check lie, None where there is none; `bonus` is what they lack of it.
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


@dataclass(frozen=True, eq=False)
class Shapes:
    """The types a battle is written down in, for one codec. Unions are closed, tagged by class name. `untold`: fields
    not recorded while they keep their default. `called`: commands that are not sent by their class's name."""

    opening: Any
    command: Any
    event: Any
    frozen: Any
    untold: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[type, str] = field(default_factory=dict)


class CloseBattle(NamedTuple):
    """Command of every law: the aftermath is confirmed."""


class ThrowAnew(NamedTuple):
    """Command of every law: the dice of the aftermath, that lay like this, are thrown again."""

    dice: tuple[Roll, ...]


class Closed(NamedTuple):
    pass


class ThrownAnew(NamedTuple):
    dice: tuple[Roll, ...]


Settling = CloseBattle | ThrowAnew  # for a law's `Shapes`, with the events below; a law may have its own instead
SettlingEvent = Closed | ThrownAnew


type Selection = tuple[str, ...]
"""What somebody has picked so far on their way to a command, in order: a unit, then where it goes, then its target."""

type Figures = Mapping[str, Mapping[str, Breakdown]]
"""By army, the figures a page shows of it, by the law's slugs."""


class BattleLaw(OnwardLaw, Protocol):
    """How battles are fought. Openings, states, commands and events are the law's own types, opaque to the frame.

    Refusals are `IllegalCommand` (not now) and `InvalidInput` (not so), in the player's words, and tell nobody what
    they may not know; dice that a person has to type first raise `DiceNeeded`. What has a body here is what a law does
    that does not care: inherit it.
    """

    @property
    @abstractmethod
    def shapes(self) -> Shapes: ...

    def check(self, opening: Any) -> Any:
        """The opening as it is to be written down, with every figure a later day must not read anew.

        Raises `InvalidInput` with every problem of it.
        """
        return opening

    @abstractmethod
    def open(self, opening: Any) -> Any:
        """The state before the first event. Never refuses what was checked once."""

    @abstractmethod
    def decide(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        """The events of this command. Nothing changes until they are folded."""

    @abstractmethod
    def fold(self, state: Any, events: Iterable[Any]) -> Any:
        """The state after these events. Never judges, never refuses."""

    def freeze(self, state: Any) -> Any:
        """The state as it is written down from time to time: nobody has to fold a long battle from its start."""
        return state

    def thaw(self, opening: Any, frozen: Any) -> Any:
        """The state that was frozen."""
        return frozen

    def figures(self, state: Any) -> Figures:
        """Every army's figures as they are reckoned now. A record keeps them, for whoever reads it later."""
        return {}

    def seen(self, state: Any, viewer: Viewer) -> Any:
        """The state as this viewer may know it: pages, API and lists draw it. What is hidden from them is not in it."""
        return state

    def witnessed(self, state: Any, event: Any, viewer: Viewer) -> Any | None:
        """The event as this viewer may know it, or None where they know of nothing. `state`: as for `describe`."""
        return event

    @abstractmethod
    def legal(self, state: Any, viewer: Viewer, selection: Selection = ()) -> Legal:
        """What this viewer may do, of what they have picked so far. `state` is the one they see."""

    def pending(self, state: Any, viewer: Viewer) -> Sequence[Pending]:
        """What is this viewer's to answer before anything else is done. `state` is the one they see."""
        return ()

    def answered(self, state: Any, answer: AnswerCommand, viewer: Viewer) -> AnswerCommand:
        """The answer to what is pending, for `decide`: every field there, each as the law takes it.

        Raises `IllegalCommand` for what nobody asks, and says what would do; `InvalidInput` for what does not fit.
        """
        seen = self.seen(state, viewer)
        return check_answer(answer, self.pending(seen, viewer), lambda: self.legal(seen, viewer).commands)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Whether a player may take back their own last command: nothing was rolled or revealed by it."""
        return False

    @property
    def die_sides(self) -> Mapping[str, tuple[DieSide, ...]]:
        """Of each kind of roll whose die bears no numbers, its sides in order: face 1 is the first."""
        return {}

    @abstractmethod
    def allows(self, state: Any, command: Any, viewer: Viewer) -> bool:
        """Whether a command of this kind is this viewer's to give at all."""

    def bears(self, command: Any, since: Sequence[Any]) -> bool:
        """Whether the command still means the same after these, which its sender had not seen."""
        return False

    @abstractmethod
    def describe(self, state: Any, event: Any) -> LogEntry:
        """The event in words. `state` is any state of that battle which knows its armies. (Here: `SettlingEvent`.)"""
        if isinstance(event, ThrownAnew):
            return LogEntry("rolled-anew", "", "", say(_("The dice of the aftermath are rolled again.")), event.dice)
        return LogEntry("closed", "", "", say(_("The aftermath is confirmed.")))

    @abstractmethod
    def summary(self, state: Any) -> Summary: ...

    @abstractmethod
    def stage(self, kind: str, number: int) -> Stage:
        """A phase by what lists remember of it."""

    @property
    @abstractmethod
    def status_words(self) -> Mapping[str, Term]:
        """What becomes of an army in a battle, by the law's slugs; `FIGHTING` is one of them."""

    def decisive(self, state: Any, events: Sequence[Any]) -> bool:
        """Whether these, of one command, are news for the whole table: a phase was resolved, a blow fell.

        (Here: whatever the log tells everybody, but for what follows a battle.) `state`: as for `describe`.
        """
        fought = (event for event in events if not isinstance(event, Closed | ThrownAnew))
        return any(not (entry.secret or entry.quiet) for entry in (self.describe(state, event) for event in fought))

    def verdict(self, before: Any, events: Sequence[Any], after: Any) -> Verdict:
        """What these events of one command did to each army. States and events are those its reader may know of."""
        return by_health(self.summary(before), self.summary(after))

    def luck(self, state: Any, events: Iterable[Any]) -> Mapping[int, float]:
        """By side, how far its dice fell above or below their average in all. Empty where that means nothing."""
        return {}

    def reinforcement(self, army: Any, side: int) -> Any:
        """The command by which this army (the law's document of it) joins a side. Refused where nobody may."""
        refuse(_("No army can join this battle."))

    def closing(self) -> Any:
        """The command that closes a battle once its aftermath is confirmed."""
        return CloseBattle()

    def throwing_anew(self, dice: Sequence[Roll]) -> Any:
        """The command by which the dice of an aftermath, that lay like this, are thrown again."""
        return ThrowAnew(tuple(dice))

    def settles(self, command: Any) -> bool:
        """Whether only the aftermath may give this command: to close a battle, to open it again, to throw anew."""
        return isinstance(command, Settling)

    def settled(self, command: Any) -> tuple[Any, ...]:
        """What the commands of `Settling` make happen once the battle is over, for `decide`."""
        if isinstance(command, ThrowAnew):
            require(command.dice, _("This aftermath needs no dice."))
            return (ThrownAnew(command.dice),)
        return (Closed(),)

    @property
    def forecast(self) -> OddsLaw:
        """What this law says of a battle's future; `NO_ODDS` where it says nothing."""
        return NO_ODDS

    @abstractmethod
    def aftermath(self, state: Any, world: Any, choices: Mapping[str, str], dice: Dice) -> Sequel:
        """Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice."""

    takes_others: ClassVar[bool] = False
    """Whether armies of other laws may fight by this one: it answers `army_from` and `tolls`."""

    def army_from(self, muster: Muster, named: Namer = str) -> Any:
        """The law's document of an army of another law; `named` calls who has no name.

        Raises `InvalidInput` where it can make none of it.
        """
        refuse(_("Only armies of this ruleset can fight in this battle."))

    def tolls(self, state: Any) -> BattleTolls:
        """What the battle cost the armies of other laws in it. Raises `IllegalCommand` before it is over."""
        refuse(_("Only armies of this ruleset can fight in this battle."))

    def settle(
        self, tolls: BattleTolls, armies: Mapping[str, Any], world: Any, choices: Mapping[str, str], dice: Dice
    ) -> Sequel:
        """What a battle by another law does to armies of this one (their documents by id), as `aftermath` says it.

        Raises `InvalidInput` for an unknown choice.
        """
        refuse(_("Armies of this ruleset can only fight battles of the same ruleset."))

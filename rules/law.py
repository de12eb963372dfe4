"""What the apps know of a law of war: these protocols and values, and no word of one law.

A law is a package below `rules/`; `rules.registry` lists them by slug. A battle under any law is the fold of its
events: `open`, `decide`, `evolve` are pure, and the state is only ever read through what stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from rules.breakdown import Breakdown
from rules.content import Item
from rules.dice import Dice, Roll
from rules.house import HouseInForce, HouseRules
from rules.realm import RealmLaw
from rules.text import Message, Said, Term

# What every battle goes through, whatever its law calls its phases.
SETUP, RUNNING, AFTERMATH, CLOSED = "setup", "running", "aftermath", "closed"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks or commands: the GM, or somebody who commands these armies."""

    gm: bool = False
    armies: frozenset[str] = field(default_factory=frozenset)

    def commands(self, army: str) -> bool:
        return self.gm or army in self.armies


class Stage(NamedTuple):
    """A phase of a battle: the law's own slug and number, and its name for people."""

    kind: str
    number: int
    label: Said


class Combatant(NamedTuple):
    """An army in a battle, at a glance. `side` is an index; `status` is the law's slug, `health` its own measure.

    `kingdom` and `leader` are ids, empty where there is none. `mustered`: it stands in the campaign, and did not rise
    in the battle itself. `fighting`: it is still on the field.
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
    mustered: bool = True
    fighting: bool = True


class Team(NamedTuple):
    """A side: its name and its armies in order."""

    name: str
    armies: tuple[str, ...]


class Awaited(NamedTuple):
    """Who is waited for, and what he may say."""

    army: str
    what: tuple[str, ...]


class Outcome(NamedTuple):
    """How a battle ended. `winner`: index of the victorious side, or None. `text`: in one sentence."""

    winner: int | None
    reason: str
    text: Said


@dataclass(frozen=True, slots=True)
class Summary:
    """A battle's state as every page, list and message of the frame needs it.

    `status` is one of `SETUP`, `RUNNING`, `AFTERMATH`, `CLOSED`; `stages` are those gone through, this one and those
    foreseen, each "done", "current" or "to come".
    """

    status: str
    stage: Stage
    stages: tuple[tuple[Stage, str], ...]
    sides: tuple[Team, ...]
    armies: Mapping[str, Combatant]
    waiting_for: tuple[Awaited, ...] = ()
    outcome: Outcome | None = None


class Sum(NamedTuple):
    """A sum behind an event, and whose figures it shows: who may not read that army's figures is not told it."""

    title: Said
    breakdown: Breakdown
    army: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event in words.

    `secret`: only for those who command the army. `quiet`: the page says it elsewhere, it is no line of the log.
    `begins`: from here on the log is told under this heading; `heading`: and the event is nothing else.
    `numbers`: the law's, by slug; `check` and `against` are drawn behind the dice.
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


class Legal(Protocol):
    """What a viewer may do now. `commands` are slugs of the API; what stands in them is the law's own."""

    @property
    def commands(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, eq=False)
class Shapes:
    """The types a battle is written down in, for one codec. Unions are closed and tagged by class name.

    `untold`: fields left out of the record while they keep their default.
    """

    opening: Any
    command: Any
    event: Any
    frozen: Any
    untold: Mapping[type, tuple[str, ...]] = field(default_factory=dict)


class Sequel(Protocol):
    """What a battle would do to the world: changes, notes, questions left to a person, and the dice behind it."""

    @property
    def changes(self) -> Sequence[Any]: ...
    @property
    def notes(self) -> Sequence[Any]: ...
    @property
    def questions(self) -> Sequence[Any]: ...
    @property
    def rolls(self) -> Sequence[Roll]: ...


type Figures = Mapping[str, Mapping[str, Breakdown]]
"""By army, the figures a page shows of it, by the law's slugs."""


class BattleLaw(Protocol):
    """How battles are fought. Openings, states, commands and events are the law's own types, opaque to the frame.

    Refusals are `IllegalCommand` (not now) and `InvalidInput` (not so), in the player's words; dice that a person has
    to type first raise `DiceNeeded`.
    """

    @property
    def shapes(self) -> Shapes: ...

    def check(self, opening: Any) -> Any:
        """The opening as it is to be written down, with every figure a later day must not read anew.

        Raises `InvalidInput` with every problem of it.
        """

    def open(self, opening: Any) -> Any:
        """The state before the first event. Never refuses what was checked once."""

    def decide(self, state: Any, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        """The events of this command. Nothing changes until they are folded."""

    def fold(self, state: Any, events: Iterable[Any]) -> Any:
        """The state after these events. Never judges, never refuses."""

    def freeze(self, state: Any) -> Any:
        """The state as it is written down from time to time: nobody has to fold a long battle from its start."""

    def thaw(self, opening: Any, frozen: Any) -> Any:
        """The state that was frozen."""

    def figures(self, state: Any) -> Figures:
        """Every army's figures as they are reckoned now. A record keeps them, for whoever reads it later."""

    def legal(self, state: Any, viewer: Viewer) -> Legal: ...

    def allows(self, state: Any, command: Any, viewer: Viewer) -> bool:
        """Whether a command of this kind is this viewer's to give at all."""

    def bears(self, command: Any, since: Sequence[Any]) -> bool:
        """Whether the command still means the same after these, which its sender had not seen."""

    def describe(self, state: Any, event: Any) -> LogEntry:
        """The event in words. `state` is any state of that battle which knows its armies."""

    def summary(self, state: Any) -> Summary: ...

    def stage(self, kind: str, number: int) -> Stage:
        """A phase by what lists remember of it."""

    @property
    def status_words(self) -> Mapping[str, Term]:
        """What becomes of an army in a battle, by the law's slugs."""

    def luck(self, state: Any, events: Iterable[Any]) -> Mapping[int, float]:
        """By side, how far its dice fell above or below their average in all."""

    def reinforcement(self, army: Any, side: int) -> Any:
        """The command by which this army (the law's document of it) joins a side."""

    def closing(self) -> Any:
        """The command that closes a battle once its aftermath is confirmed."""

    def throwing_anew(self, dice: Sequence[Roll]) -> Any:
        """The command by which the dice of an aftermath, that lay like this, are thrown again."""

    def settles(self, command: Any) -> bool:
        """Whether only the aftermath may give this command: to close a battle, to open it again, to throw anew."""

    def aftermath(self, state: Any, world: Any, choices: Mapping[str, str], dice: Dice) -> Sequel:
        """Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice."""


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Items of one kind, as the codex and the API list them.

    `facts`: an item's figures in words. `figures`: names of the attributes the API answers, where an item has them;
    `members`: what else it answers of one.
    """

    label: Term
    items: Mapping[str, Item]
    facts: Callable[[Any], Iterable[Said]]
    figures: tuple[str, ...] = ()
    members: Callable[[Any], Mapping[str, Any]] = lambda item: {}


class Law(Protocol):
    """A law of war with the house rules of one campaign. `family`: whose faces show it (a variant has none itself).

    `rules.registry` finds it by its slug, once the settings name it (`LAWS`).
    """

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> Term: ...
    @property
    def version(self) -> str: ...
    @property
    def family(self) -> str: ...

    def with_house(self, stored: Mapping[str, Any]) -> Law:
        """This law with the house rules of a campaign, as they are kept. What it does not know is left aside."""

    def changes_since(self, version: str) -> Sequence[Said]:
        """What has become different since that version of the law, for a battle that was opened under it."""

    @property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Everything a reader can look up, by kind, in the order of the codex."""

    @property
    def house_rules(self) -> HouseRules:
        """What a campaign may set: pages, API and chronicle are drawn from it."""

    @property
    def house(self) -> HouseInForce:
        """What this campaign has set."""

    @property
    def realm(self) -> RealmLaw:
        """What it says of kingdoms; `NO_REALM` where it says nothing."""

    @property
    def battle(self) -> BattleLaw: ...

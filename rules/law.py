"""Protocols and values through which apps use a law of war, without naming a particular one.

A law is a package below `rules/`; `rules.registry` finds it by slug. The types of `rules.battle_law` can also be
imported from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rules.adjustments import NOTHING_ADJUSTABLE, Adjustable
from rules.aftermath import Band, Fate, PlainSequel, Question, Remark, Sequel, Verdict
from rules.army_law import PLAIN_SHEETS, Measure, SheetLaw
from rules.battle_law import (
    AFTERMATH,
    ANYBODY,
    CLOSED,
    FIGHTING,
    OMNISCIENT,
    OPEN,
    RUNNING,
    SETUP,
    AnswerCommand,
    Awaited,
    BattleLaw,
    CloseBattle,
    Closed,
    Combatant,
    Figures,
    Halt,
    Legal,
    LogEntry,
    Outcome,
    Pending,
    PlainLegal,
    Selection,
    Settling,
    SettlingEvent,
    Shapes,
    Stage,
    Sum,
    Summary,
    Team,
    ThrowAnew,
    ThrownAnew,
    Veil,
    Viewer,
    in_words,
    is_turn,
)
from rules.core.content import Item
from rules.core.dice import DieSide
from rules.core.text import NO_WORDS, Said, Term
from rules.core.viewers import Veiled, whole
from rules.core.weights import Weight
from rules.core.workshop import NO_WORKSHOP, WorkshopLaw
from rules.house import NO_HOUSE_RULES, HouseInForce, HouseRules, NothingSet
from rules.pending import AskedField, ask_choice, ask_die, ask_hex, ask_number
from rules.realm import NO_REALM, RealmLaw
from rules.travel import PLAIN_TRAVEL, TravelLaw

# Terms of a law that newcomers are told: a name, and one sentence that says what it is.


class ExplainedTerm(NamedTuple):
    """`name`: as pages label it."""

    name: Term
    text: Term


__all__ = [
    "AFTERMATH",
    "ANYBODY",
    "CLOSED",
    "FIGHTING",
    "OMNISCIENT",
    "OPEN",
    "RUNNING",
    "SETUP",
    "AnswerCommand",
    "AskedField",
    "Awaited",
    "Band",
    "BattleLaw",
    "Catalogue",
    "CloseBattle",
    "Closed",
    "Combatant",
    "DieSide",
    "Fate",
    "Figures",
    "Halt",
    "Law",
    "Legal",
    "LogEntry",
    "Measure",
    "Outcome",
    "Pending",
    "PlainLegal",
    "PlainSequel",
    "Question",
    "Remark",
    "Selection",
    "Sequel",
    "Settling",
    "SettlingEvent",
    "Shapes",
    "SheetLaw",
    "Stage",
    "Sum",
    "Summary",
    "Team",
    "ThrowAnew",
    "ThrownAnew",
    "TravelLaw",
    "Veil",
    "Veiled",
    "Verdict",
    "Viewer",
    "Weight",
    "WorkshopLaw",
    "ask_choice",
    "ask_die",
    "ask_hex",
    "ask_number",
    "in_words",
    "is_turn",
    "whole",
]


def _no_members(_item: Any) -> Mapping[str, Any]:
    """Return no members. A named function, because a law is pickled with its catalogues."""
    return {}


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Items of one kind, as the codex and the API list them.

    `facts` describes an item's figures. `figures` names attributes the API answers where an item has them. `members`
    adds further members of an item to the answer.
    """

    label: Term
    items: Mapping[str, Item]
    facts: Callable[[Any], Iterable[Said]]
    figures: tuple[str, ...] = ()
    members: Callable[[Any], Mapping[str, Any]] = _no_members


type LawHistory = Sequence[tuple[str, Said]]
"""Changes in each version of a law, oldest first. The last version is the current one."""


def since(history: LawHistory, version: str) -> tuple[Said, ...]:
    """Return what has changed after that version."""
    return tuple(said for number, said in history if int(number) > int(version))


class Law(Protocol):
    """Law of war with the house rules of one campaign.

    `family` names the law whose pages show it; a variant has none of its own. `rules.registry` finds it by slug if the
    settings list it (`LAWS`). Members with a body are defaults to inherit.
    """

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> Term: ...
    @property
    def version(self) -> str: ...
    @property
    def family(self) -> str: ...

    @property
    def about(self) -> Said:
        """One sentence that describes the law, shown where a ruleset is chosen."""
        return NO_WORDS

    @property
    def terms(self) -> Mapping[str, ExplainedTerm]:
        """Terms that newcomers are told, by slug: pages open them where they are first met, Help lists them."""
        return {}

    def with_house(self, stored: Mapping[str, Any]) -> Law:
        """Return this law with a campaign's stored house rules. Unknown ones are ignored."""
        return self

    def changes_since(self, version: str) -> Sequence[Said]:
        """Return what has changed since that version of the law, for a battle opened under it."""
        return ()

    @property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Catalogues of everything a reader can look up, by kind, in the order of the codex."""
        return {}

    @property
    def house_rules(self) -> HouseRules:
        """House rules that a campaign may set. Pages, the API and the chronicle are derived from them."""
        return NO_HOUSE_RULES

    @property
    def house(self) -> HouseInForce:
        """House rules that this campaign has set."""
        return NothingSet()

    @property
    def realm(self) -> RealmLaw:
        """The law of kingdoms; `NO_REALM` where there is none."""
        return NO_REALM

    @property
    def armies(self) -> SheetLaw:
        """The law of army documents. Default: an army has only its strength."""
        return PLAIN_SHEETS

    @property
    def adjustable(self) -> Adjustable:
        """Figures of armies that the GM may adjust. Default: none."""
        return NOTHING_ADJUSTABLE

    @property
    def travel(self) -> TravelLaw:
        """The law of marches over the campaign's map. Default: all armies are equally fast."""
        return PLAIN_TRAVEL

    @property
    def workshop(self) -> WorkshopLaw:
        """The law of hypothetical battles; `NO_WORKSHOP` where there is none."""
        return NO_WORKSHOP

    @property
    def battle(self) -> BattleLaw: ...

"""Protocols and values by which the apps know a law of war, and no word of one law.

A law is a package below `rules/`; `rules.registry` finds it by its slug. What concerns battles is in `rules.battle_law`
and can be had from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

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
    Weight,
    in_words,
    is_turn,
)
from rules.core.content import Item
from rules.core.dice import DieSide
from rules.core.text import NO_WORDS, Said, Term
from rules.core.viewers import Veiled, whole
from rules.core.workshop import NO_WORKSHOP, WorkshopLaw
from rules.house import NO_HOUSE_RULES, HouseInForce, HouseRules, NothingSet
from rules.pending import AskedField, ask_choice, ask_die, ask_hex, ask_number
from rules.realm import NO_REALM, RealmLaw
from rules.sequels import Band, PlainSequel, Question, Remark, Sequel
from rules.terms import ExplainedTerm
from rules.travel import PLAIN_TRAVEL, TravelLaw
from rules.verdicts import Fate, Verdict

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
    """A function by name: a law can be pickled with its catalogues."""
    return {}


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
    members: Callable[[Any], Mapping[str, Any]] = _no_members


type LawHistory = Sequence[tuple[str, Said]]
"""What each version of a law changed, oldest first; the last one is today's."""


def since(history: LawHistory, version: str) -> tuple[Said, ...]:
    """What has become different since that version."""
    return tuple(said for number, said in history if int(number) > int(version))


class Law(Protocol):
    """A law of war with the house rules of one campaign. `family`: whose faces show it (a variant has none itself).

    `rules.registry` finds it by its slug, once the settings name it (`LAWS`). What has a body here is what a law says
    that has nothing to say: inherit it.
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
        """One sentence that says what it is, for whoever chooses a ruleset."""
        return NO_WORDS

    @property
    def terms(self) -> Mapping[str, ExplainedTerm]:
        """Terms that newcomers are told, by slug: pages open them where they are first met, Help lists them."""
        return {}

    def with_house(self, stored: Mapping[str, Any]) -> Law:
        """This law with the house rules of a campaign, as they are kept. What it does not know is left aside."""
        return self

    def changes_since(self, version: str) -> Sequence[Said]:
        """What has become different since that version of the law, for a battle that was opened under it."""
        return ()

    @property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Everything a reader can look up, by kind, in the order of the codex."""
        return {}

    @property
    def house_rules(self) -> HouseRules:
        """What a campaign may set: pages, API and chronicle are drawn from it."""
        return NO_HOUSE_RULES

    @property
    def house(self) -> HouseInForce:
        """What this campaign has set."""
        return NothingSet()

    @property
    def realm(self) -> RealmLaw:
        """What it says of kingdoms; `NO_REALM` where it says nothing."""
        return NO_REALM

    @property
    def armies(self) -> SheetLaw:
        """What an army is by this law; a law that does not say knows their strength alone."""
        return PLAIN_SHEETS

    @property
    def travel(self) -> TravelLaw:
        """How armies get over the map of a campaign; a law that does not say has them all go as fast."""
        return PLAIN_TRAVEL

    @property
    def workshop(self) -> WorkshopLaw:
        """What can be asked of battles that nobody fights; `NO_WORKSHOP` where it says nothing."""
        return NO_WORKSHOP

    @property
    def battle(self) -> BattleLaw: ...

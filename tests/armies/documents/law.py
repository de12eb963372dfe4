"""Warbands: a law of two lists, whose armies are nothing but their declared shape."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from rules.army_law import DocumentSheets, FromAfar, Measure
from rules.core.shapes import CARRIED, Each, Label, OneOf, Text, WholeNumber, Wrong
from rules.core.text import Term, _, say
from tests.rulesets.turns.law import TurnsLaw

KINDS = {"spears": Term("Spears"), "riders": Term("Riders")}
SPELLS = {"fire": Term("Fire"), "fog": Term("Fog")}


class Squad(NamedTuple):
    type: Annotated[str, OneOf("kinds"), Label(Term("Kind"))]
    men: Annotated[int, WholeNumber(1, 100), Label(Term("Men"))]
    name: Annotated[str, Text(40), Label(Term("Name"))] = ""
    brave: Annotated[bool, Label(Term("Brave"))] = False


class Wizard(NamedTuple):
    name: Annotated[str, Text(40), Label(Term("Name"))]
    cards: Annotated[
        tuple[Annotated[str, OneOf("spells")], ...], Each(3), Label(Term("Cards"), one=Term("Card"))
    ] = ()  # fmt: skip


class Warband(NamedTuple):
    squads: Annotated[
        tuple[Squad, ...], Each(4, 1, Term("At least one squad.")), Label(Term("Squads"), one=Term("Squad"))
    ]
    wizards: Annotated[tuple[Wizard, ...], Each(2), Label(Term("Wizards"), one=Term("Wizard"))] = ()
    order: Annotated[str, OneOf(("attack", "hold")), Label(Term("Order"))] = "hold"
    loot: Annotated[int, WholeNumber(0, 99), Label(Term("Loot")), CARRIED] = 0

    def judged(self, wrong: Wrong) -> Warband:
        if self.order == "attack" and sum(squad.men for squad in self.squads) < 5:
            wrong("order", Term("Five men attack, or more."))
        return self


class Captain(NamedTuple):
    """A commander's document."""

    skill: Annotated[int, WholeNumber(0, 9), Label(Term("Skill"))] = 3
    rank: Annotated[str, OneOf(("captain", "marshal")), Label(Term("Rank"))] = "captain"
    mounted: Annotated[bool, Label(Term("Mounted"))] = False
    cards: Annotated[
        tuple[Annotated[str, OneOf("spells")], ...], Each(3), Label(Term("Cards"), one=Term("Card"))
    ] = ()  # fmt: skip

    def judged(self, wrong: Wrong) -> Captain:
        if self.rank == "marshal" and self.skill < 5:
            wrong("skill", Term("A marshal has a skill of 5 or more."))
        return self


class WarbandSheets(DocumentSheets):
    health = _("Men")

    def measured(self, army: Warband) -> Measure:
        men = sum(squad.men for squad in army.squads)
        return Measure(men, 0, say(Term("{men} men"), men=men))

    def seen(self, army: Warband) -> FromAfar:
        return FromAfar(Term(""), say(Term("about {men}"), men=len(army.squads) * 10))


class WarbandLaw(TurnsLaw):
    slug = family = "warband"
    name: Any = Term("Warbands")
    armies: Any = WarbandSheets(Warband, {"kinds": KINDS, "spells": SPELLS}, Captain)


WARBAND = WarbandLaw()

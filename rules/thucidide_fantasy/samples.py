"""Sample armies (TF-8): the Realm and the Dark host, as documents of an army and its commander."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rules.core.text import Term, _
from rules.thucidide_fantasy.contingent import (
    ContingentCharacter,
    ContingentCommander,
    ContingentSheet,
    ContingentUnit,
)
from rules.thucidide_fantasy.spec import CASTER


class SampleHost(NamedTuple):
    """A sample army with its commander."""

    name: Term
    caster: Term
    sheet: ContingentSheet
    commander: ContingentCommander

    def called(self, words: Callable[[Term], str]) -> ContingentSheet:
        """Its document with the caster's name translated by `words`."""
        caster, *others = self.sheet.characters
        return self.sheet._replace(characters=(caster._replace(name=words(self.caster)), *others))


REALM_CARDS = ("magic-arrows", "word-of-power", "armour", "minor-healing")
DARK_CARDS = ("dust-warriors", "dust-warriors", "fear", "slowness")
STARTER_CARDS = (REALM_CARDS, DARK_CARDS)
"""The cards of casters without cards of their own (T-35), by side; each set costs six points."""


def _host(name: Term, caster: Term, cards: tuple[str, ...], *types: str) -> SampleHost:
    units = tuple(ContingentUnit(slug) for slug in types)
    casters = (ContingentCharacter(str(caster), CASTER, cards=cards),)
    return SampleHost(name, caster, ContingentSheet(units, casters), ContingentCommander())


REALM = _host(
    _("The Realm"), _("Court mage"), REALM_CARDS,
    "foot-medium", "foot-medium", "foot-heavy", "foot-heavy", "foot-heavy", "pike", "bows", "bows", "riders-medium",
)  # fmt: skip
"""42 points of units and a caster with 6 spell points."""
DARK_HOST = _host(
    _("The Dark host"), _("Necromancer"), DARK_CARDS,
    "warg-riders", "warg-riders", "ogres", "foot-medium", "foot-medium", "foot-light", "bows", "bows", "giant-spider",
)  # fmt: skip
"""39 points of units and a caster with 6 spell points."""
SAMPLE_HOSTS: Mapping[str, SampleHost] = {"realm": REALM, "dark-host": DARK_HOST}


def starter_cards(side: int, points: int, costs: Mapping[str, int]) -> tuple[str, ...]:
    """The cards of a side's starter set, in order, as far as the points suffice (T-35)."""
    chosen: list[str] = []
    for slug in STARTER_CARDS[side]:
        cost = costs.get(slug, points + 1)
        if cost > points:
            break
        chosen.append(slug)
        points -= cost
    return tuple(chosen)

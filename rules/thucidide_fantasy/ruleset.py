"""Ruleset object of THUCIDIDE fantasy, the entry point for the apps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rules.core.text import Said, _
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, Law, LawHistory, since
from rules.thucidide_fantasy.battle.law import FantasyBattles
from rules.thucidide_fantasy.catalogues import catalogues_of
from rules.thucidide_fantasy.documents import ContingentDocuments
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.house import HOUSE_RULES, house_of, tables_of
from rules.thucidide_fantasy.spec import House

HISTORY: LawHistory = (("1", _("First version")),)
VERSION = HISTORY[-1][0]


class ThucidideFantasy(Law):
    """Ruleset (`rules.law.Law`) of fantasy battles on a hex map with units of stands, heroes and casters."""

    slug = "thucidide-fantasy"
    name = _("THUCIDIDE fantasy")
    about = _(
        "Fantasy battles on a hex map with heroes, magic and gods. Each turn leaders activate a few of their units."
    )
    version = VERSION
    family = "thucidide_fantasy"

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """The house rules of this campaign."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> ThucidideFantasy:
        return ThucidideFantasy(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Troops, weapons, moves, hits and spells, with the campaign's changes and own items."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> ContingentDocuments:
        """Army documents (C-3)."""
        return ContingentDocuments(self.tables, self.house)

    @cached_property
    def battle(self) -> BattleLaw:
        """The battle law."""
        return FantasyBattles(self.house, self.tables)


THUCIDIDE_FANTASY = ThucidideFantasy()

"""Ruleset object of wing command, the entry point for the apps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rules.core.text import Said, _
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, Law, LawHistory, since
from rules.wing_command.battle.law import WingBattles
from rules.wing_command.catalogues import catalogues_of
from rules.wing_command.documents import WingDocuments
from rules.wing_command.figures import Tables
from rules.wing_command.house import HOUSE_RULES, house_of, tables_of
from rules.wing_command.spec import House

HISTORY: LawHistory = (("1", _("First version")),)
VERSION = HISTORY[-1][0]


class WingCommand(Law):
    """Ruleset (`rules.law.Law`) of battles between two hosts on a hex map, led by the commanders of their wings."""

    slug = "wing-command"
    name = _("Wing command")
    about = _("Battles on a hex map in which each army is a wing: its leader’s orders decide what its troops can do.")
    version = VERSION
    family = "wing_command"

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """The house rules of this campaign."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> WingCommand:
        return WingCommand(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Troops, abilities and spells, with the campaign's changes and own types."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> WingDocuments:
        """The law of army documents (C-2)."""
        return WingDocuments(self.tables, self.house)

    @cached_property
    def battle(self) -> BattleLaw:
        """The battle law."""
        return WingBattles(self.house, self.tables)


WING_COMMAND = WingCommand()

"""Ruleset of breaking point as the apps know it: the entrance to everything computed from its tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rules.breaking_point.arms import Tables
from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.catalogues import catalogues_of
from rules.breaking_point.documents import HostDocuments
from rules.breaking_point.forecast.forecast_law import Prospects
from rules.breaking_point.house import HOUSE_RULES, house_of, tables_of
from rules.breaking_point.spec import House
from rules.breaking_point.workshop.workshop_law import HostWorkshop
from rules.core.text import Said, _
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, Law, LawHistory, WorkshopLaw, since
from rules.travel import PlainTravel

# What a new version changed. A battle opened under an older one goes on by the newest, and says so.
HISTORY: LawHistory = (
    ("2", _("the armour to beat is that of the commonest machine, whatever other machines bear the same armour")),
    (
        "3",
        _("cover, melees, the shots of garrisons, withdrawals and cavalry in sieges are as rulings B-70 to B-82 say"),
    ),
)
VERSION = HISTORY[-1][0]


class BreakingPoint(Law):
    """`rules.law.Law`: armies of units that fight by attack power, force and breaking point."""

    slug = "breaking-point"
    name = _("Breaking point")
    version = VERSION
    family = "breaking_point"

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """What this campaign has set."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> BreakingPoint:
        return BreakingPoint(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Weapons, machines and types with the figures of this campaign, and its own."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> HostDocuments:
        """What an army's document says (BP-2)."""
        return HostDocuments(self.tables, self.house)

    @cached_property
    def battle(self) -> BattleLaw:
        """How battles are fought (BP-4, BP-8, BP-9)."""
        return Fights(self.house, forecast=Prospects())

    @cached_property
    def travel(self) -> PlainTravel:
        """The law says nothing of marches: the GM says how far a day leads (B-69)."""
        return PlainTravel(self.house.march, "B-69")

    @cached_property
    def workshop(self) -> WorkshopLaw:
        return HostWorkshop(self.house)


BREAKING_POINT = BreakingPoint()

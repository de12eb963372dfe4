"""Ruleset of Pathfinder as the apps know it: the entrance to everything computed from its rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.core.text import Said
from rules.core.workshop import WorkshopLaw
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, SheetLaw, since
from rules.pathfinder import leadership, market, training
from rules.pathfinder.battle.battle_law import Battles
from rules.pathfinder.codex import catalogues_of
from rules.pathfinder.documents import ArmyDocuments
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.forecast.workshop_law import Workshop
from rules.pathfinder.house import HOUSE_RULES
from rules.pathfinder.parse import unit_from_json
from rules.pathfinder.realm import Realm
from rules.pathfinder.rulebook import HISTORY, Rulebook
from rules.pathfinder.sheet import Sheet, army_sheet
from rules.pathfinder.spec import ArmySpec, CommanderSpec, UnitSpec
from rules.pathfinder.travel import Travel
from rules.realm import RealmLaw
from rules.travel import TravelLaw

REMEMBERED = 4096  # sheets, and units, of one ruleset


def _once[Key, Value](known: dict[Key, Value], key: Key, reckon: Callable[[], Value]) -> Value:
    """Another thread may forget all of it between two looks: one is taken."""
    if (found := known.get(key)) is not None:
        return found
    if len(known) >= REMEMBERED:
        known.clear()
    return known.setdefault(key, reckon())


@dataclass(frozen=True, eq=False)
class Ruleset(Rulebook):
    """`rules.law.Law`, as its apps know it."""

    def changes_since(self, version: str) -> tuple[Said, ...]:
        """What has become different since that version, oldest first."""
        return since(HISTORY, version)

    @cached_property
    def battle(self) -> BattleLaw:
        """How battles are fought (PF-3)."""
        return Battles(self, forecast=Prospects())

    @cached_property
    def workshop(self) -> WorkshopLaw:
        """What battles nobody fights would come to (PF-3)."""
        return Workshop(self)

    @property
    def house_rules(self) -> HouseRules:
        """What a campaign may set (PF-HOUSE)."""
        return HOUSE_RULES

    @cached_property
    def realm(self) -> RealmLaw:
        """What it says of kingdoms (PF-8)."""
        return Realm(self)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Everything a reader can look up, by kind."""
        return catalogues_of(self)

    @cached_property
    def armies(self) -> SheetLaw:
        """What an army's document says (PF-1)."""
        return ArmyDocuments(self)

    @cached_property
    def travel(self) -> TravelLaw:
        """How armies get over the map (PF-1.8)."""
        return Travel(self)

    # sheets
    def sheet(self, spec: ArmySpec) -> Sheet:
        """Every figure of an army (PF-1). Of the same army it is reckoned once: lists ask for many, on every page."""
        return _once(self._sheets, repr(spec), lambda: army_sheet(self, spec))

    def unit(self, data: Mapping[str, Any]) -> UnitSpec:
        """A unit as its army's row keeps it. Raises InvalidInput with a pointer for every problem."""
        return _once(self._units, repr(data), lambda: unit_from_json(data, self))

    @cached_property
    def _sheets(self) -> dict[str, Sheet]:
        return {}

    @cached_property
    def _units(self) -> dict[str, UnitSpec]:
        return {}

    def commander_sheet(self, spec: CommanderSpec) -> leadership.CommanderSheet:
        return leadership.commander_sheet(self, spec)

    def check_commander(self, spec: CommanderSpec) -> None:
        leadership.check_commander(self, spec)

    def check_boon_learned(self, spec: CommanderSpec, boon: str, tactic: str | None = None) -> None:
        leadership.check_boon_learned(self, spec, boon, tactic)

    # resources
    def price(self, spec: ArmySpec, resource: str, quantity: int = 1) -> market.Price:
        return market.price(self, spec, resource, quantity)

    def refuse_resource(self, spec: ArmySpec, resource: str, quantity: int = 1) -> None:
        market.refuse_resource(self, spec, resource, quantity)

    def unfit(self, unit: UnitSpec, resource: str) -> bool:
        return resource in self.resources and market.unfit(self, unit, self.resources[resource])

    # tactics
    def tactics_of(self, spec: ArmySpec) -> tuple[str, ...]:
        return training.tactics_of(self, spec)

    def bonus_tactics(self, spec: ArmySpec) -> list[str]:
        return training.bonus_tactics(self, spec)

    def learn_tactic_refusal(self, spec: ArmySpec, tactic: str, granted: bool = False) -> Said | None:
        return training.learn_tactic_refusal(self, spec, tactic, granted)

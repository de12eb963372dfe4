"""What mass combat keeps of a campaign travels in its document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from armies.pathfinder.models import (
    ArmyResource,
    ArmyTactic,
    ArmyWeek,
    FoundryActor,
    KingdomStock,
    PathfinderArmy,
    PathfinderCommander,
    RestCheck,
    UnitType,
    WeekChoices,
)
from armies.pathfinder.selectors.paper import on_paper
from armies.pathfinder.spec import commander_spec
from kingdom.archive.tables import CarriedTable, of_its_campaign
from kingdom.inputs import clean_text
from rules.errors import demand
from rules.text import _


def _complete(rows: Any) -> Any:
    return rows.complete()


def _demand_army(army: PathfinderArmy) -> None:
    """Whatever the rules say of it today, it is so many of a kind."""
    kind, count = army.unit, army.count
    demand(isinstance(kind.get("name"), str) and type(count) is int and count > 0, _("This is no army."))
    on_paper(army)


def _demand_commander(commander: PathfinderCommander) -> None:
    commander_spec(commander)


def _demand_unit_type(kind: UnitType) -> None:
    clean_text(kind.name, field="/name", kept=True)


CARRIED = (
    CarriedTable("pathfinder_commanders", PathfinderCommander, check=_demand_commander, ready=of_its_campaign),
    CarriedTable("pathfinder_armies", PathfinderArmy, check=_demand_army, ready=_complete),
    CarriedTable("army_resources", ArmyResource),
    CarriedTable("army_tactics", ArmyTactic),
    CarriedTable("army_weeks", ArmyWeek),
    CarriedTable("stores", KingdomStock),
    CarriedTable("unit_types", UnitType, check=_demand_unit_type),
    CarriedTable("week_choices", WeekChoices),
    CarriedTable("rest_checks", RestCheck),
)
LEFT_OUT: Mapping[type[Model], str] = {
    FoundryActor: "what means something to another program alone: it goes out by its own file"
}

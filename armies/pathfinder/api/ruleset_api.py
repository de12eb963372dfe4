"""Mass combat's part of `armies/` and `commanders/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armies.forces.declared_figures import copy_raised
from armies.pathfinder.api.inputs import ArmyChange, ArmyInput, PathfinderMarchInput, find_commander
from armies.pathfinder.api.serializers import (
    ArmySerializer,
    CommanderChange,
    CommanderInput,
    CommanderSerializer,
    MarchSerializer,
)
from armies.pathfinder.armies.march_services import march_army, reckon_march
from armies.pathfinder.armies.services import change_army, raise_armies, raise_army
from armies.pathfinder.commanders.services import appoint_commander, remove_commander, update_commander
from armies.pathfinder.forces.march_pace import Road
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.models import Kingdom, User
from rules.army_figures import CORRECTABLE, names_of
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

STATE = names_of(MASS_COMBAT_FIGURES, CORRECTABLE)


class PathfinderApi:
    army_shape = ArmySerializer
    army_input = ArmyInput
    army_change = ArmyChange
    commander_shape = CommanderSerializer
    commander_input = CommanderInput
    commander_change = CommanderChange
    march_input = PathfinderMarchInput
    marched = (ArmySerializer, MarchSerializer)

    def march_by_road(self, by: User, army: PathfinderArmy, given: dict[str, Any]) -> Any:
        road = Road(given["hexes"], given["difficult_hexes"], given["land"])
        if not given["confirm"]:
            return MarchSerializer(reckon_march(army=army, road=road)).data
        march_army(by=by, army=army, place=given["place"], road=road)
        return None

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderArmy:
        given["commander"] = find_commander(by, kingdom.campaign_id, given.get("commander"))
        return raise_army(by=by, kingdom=kingdom, **given)

    def raise_armies(
        self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]
    ) -> Sequence[PathfinderArmy]:
        given.pop("name", None)
        given["commander"] = find_commander(by, kingdom.campaign_id, given.get("commander"))
        return raise_armies(by=by, kingdom=kingdom, names=list(names), **given)

    def alike(self, army: PathfinderArmy) -> dict[str, Any]:
        sheet = {name: army.sheet[name] for name in ("unit", "count", "mount") if army.sheet.get(name) is not None}
        return {**sheet, **copy_raised(army, MASS_COMBAT_FIGURES)}

    def change_army(self, by: User, army: PathfinderArmy, given: dict[str, Any]) -> None:
        state = {name: given.pop(name) for name in STATE if name in given}
        if "commander" in given:
            given["commander"] = find_commander(by, army.campaign_id, given["commander"])
        change_army(by=by, army=army, state=state, **given)

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderCommander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: PathfinderCommander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)

    def remove_commander(self, by: User, commander: PathfinderCommander) -> None:
        remove_commander(by=by, commander=commander)

"""How mass combat answers `armies/` and `commanders/`."""

from __future__ import annotations

from typing import Any

from armies.pathfinder.api.bodies import commander_named
from armies.pathfinder.api.inputs import ArmyChange, ArmyInput
from armies.pathfinder.api.people import CommanderChange, CommanderInput, CommanderSerializer
from armies.pathfinder.api.serializers import ArmySerializer
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.services.changing import change_army
from armies.pathfinder.services.commanders import appoint_commander, remove_commander, update_commander
from armies.pathfinder.services.raising import raise_army
from kingdom.models import Kingdom, User

STATE = ("hp", "morale", "status", "arrears", "disease", "ill", "drain", "revealed")


class PathfinderApi:
    army_shape = ArmySerializer
    army_input = ArmyInput
    army_change = ArmyChange
    commander_shape = CommanderSerializer
    commander_input = CommanderInput
    commander_change = CommanderChange

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderArmy:
        given["commander"] = commander_named(by, kingdom.campaign_id, given.get("commander"))
        return raise_army(by=by, kingdom=kingdom, **given)

    def change_army(self, by: User, army: PathfinderArmy, given: dict[str, Any]) -> None:
        state = {name: given.pop(name) for name in STATE if name in given}
        if "commander" in given:
            given["commander"] = commander_named(by, army.campaign_id, given["commander"])
        change_army(by=by, army=army, state=state, **given)

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> PathfinderCommander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: PathfinderCommander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)

    def remove_commander(self, by: User, commander: PathfinderCommander) -> None:
        remove_commander(by=by, commander=commander)

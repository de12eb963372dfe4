"""Breaking point's part of `armies/` and `commanders/`: an army's document is its `units`."""

from __future__ import annotations

from typing import Any

from armies.breaking_point.api import serializers
from armies.breaking_point.armies.services import appoint_commander, update_commander
from armies.documents.api import DocumentApi
from armies.forces.declared_figures import copy_raised
from armies.models import Army, Commander
from kingdom.models import Kingdom, User
from rules.army_figures import ARMY_FIGURES

LIVED = ("wounded", "experience")


class BreakingPointApi(DocumentApi):
    army_shape: Any = serializers.BreakingPointArmySerializer
    army_input: Any = serializers.BreakingPointArmyInput
    army_change: Any = serializers.BreakingPointArmyChange
    commander_shape: Any = serializers.BreakingPointCommanderSerializer
    commander_input: Any = serializers.BreakingPointCommanderInput
    commander_change: Any = serializers.BreakingPointCommanderChange

    def alike(self, army: Army) -> dict[str, Any]:
        """Body of a new army with the same units: without losses, experience or spoils."""
        units = army.sheet.get("units", ())
        fresh = [{name: value for name, value in unit.items() if name not in LIVED} for unit in units]
        return {"units": fresh, **copy_raised(army, ARMY_FIGURES)}

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: Commander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)

"""Ruleset API of breaking point for `armies/` and `commanders/`: an army's document is its `units`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from armies.breaking_point.api import serializers
from armies.breaking_point.armies.commander_services import appoint_commander, update_commander
from armies.breaking_point.specs import add_spoils
from armies.default.api import PlainApi
from armies.models import Army, Commander
from kingdom.models import Kingdom, User
from rules.core.errors import InvalidInput

LIVED = ("wounded", "experience")


class BreakingPointApi(PlainApi):
    army_shape: Any = serializers.BreakingPointArmySerializer
    army_input: Any = serializers.BreakingPointArmyInput
    army_change: Any = serializers.BreakingPointArmyChange
    commander_shape: Any = serializers.BreakingPointCommanderSerializer
    commander_input: Any = serializers.BreakingPointCommanderInput
    commander_change: Any = serializers.BreakingPointCommanderChange

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army:
        with pointed():
            return super().raise_army(by, kingdom, _as_sheet(given))

    def raise_armies(self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]) -> Sequence[Army]:
        with pointed():
            return super().raise_armies(by, kingdom, names, _as_sheet(given))

    def alike(self, army: Army) -> dict[str, Any]:
        """As it was when it had lost nobody, learnt nothing and taken nothing."""
        units = army.sheet.get("units", ())
        return {"units": [{name: value for name, value in unit.items() if name not in LIVED} for unit in units]}

    def change_army(self, by: User, army: Army, given: dict[str, Any]) -> None:
        with pointed():
            super().change_army(by, army, _as_sheet(given, army))

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: Commander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)


def _as_sheet(given: dict[str, Any], army: Army | None = None) -> dict[str, Any]:
    rest = {name: value for name, value in given.items() if name != "units"}
    return {**rest, "sheet": add_spoils(army, {"units": given["units"]})} if "units" in given else rest


@contextmanager
def pointed() -> Iterator[None]:
    """Refusals point into the body that was sent."""
    try:
        yield
    except InvalidInput as refusal:
        errors = tuple((pointer.removeprefix("/sheet"), message) for pointer, message in refusal.errors)
        raise InvalidInput(refusal.message, refusal.field.removeprefix("/sheet"), errors) from None

"""Serializers of armies and commanders for rulesets that keep everything in the sheet document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from armies.adjustments.serializers import AdjustmentSerializer
from armies.forces.access import list_visible_commanders
from armies.forces.change_services import change_army
from armies.forces.declared_figures import copy_raised, with_sent
from armies.forces.services import (
    STATE,
    appoint_commander,
    raise_armies,
    raise_army,
    remove_commander,
    update_commander,
)
from armies.marches.api import MarchInput
from armies.models import Army, Commander
from core.api.problems import NotVisible
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from core.errors import NotInRuleset
from core.queries import find_one
from kingdom.api.fields import NameField, WholeField
from kingdom.chronicle.last_changes import UpdatedAtField
from kingdom.models import Campaign, Kingdom, User
from rules.army_law import ARMY_FIGURES, AT_RAISING, CORRECTABLE, IN_ANSWERS, names_of
from rules.core.errors import InvalidInput
from rules.core.text import _


class SheetArmySerializer(serializers.ModelSerializer):
    """An army; `sheet` is its ruleset's own document."""

    adjustments = AdjustmentSerializer(many=True, read_only=True)
    updated_at = UpdatedAtField()

    class Meta:
        model = Army
        fields: Any = tuple(dict.fromkeys((
            "id", "campaign", "kingdom", "name", "sheet", "commander", "status", "health", "health_max", "upkeep",
            *names_of(ARMY_FIGURES, IN_ANSWERS), "adjustments", "updated_at",
        )))  # fmt: skip
        read_only_fields = fields


@with_sent(ARMY_FIGURES, CORRECTABLE)
class SheetArmyChange(Input):
    """Changes of an army. Only the GM may send `health` and the members after it."""

    name = NameField(max_length=NAME_MAX)
    sheet = serializers.JSONField(required=False)
    commander = serializers.UUIDField(required=False, allow_null=True)


@with_sent(ARMY_FIGURES, AT_RAISING)
class SheetArmyInput(Input):
    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    sheet = serializers.JSONField()
    commander = serializers.UUIDField(required=False, allow_null=True)


class PlainCommanderSerializer(serializers.ModelSerializer):
    army = serializers.UUIDField(source="army.pk", default=None, read_only=True, allow_null=True)
    updated_at = UpdatedAtField()

    class Meta:
        model = Commander
        fields = (
            "id", "campaign", "kingdom", "name", "status", "captures", "away_until", "ransom", "army", "updated_at",
        )  # fmt: skip
        read_only_fields = fields


class PlainCommanderChange(Input):
    """Changes of a commander. Only the GM may send `status`, `away_until` (the day of return) and `ransom`."""

    name = NameField(max_length=NAME_MAX)
    status = serializers.ChoiceField(choices=Commander.Status.choices, required=False)
    away_until = WholeField(required=False, allow_null=True)
    ransom = WholeField(required=False, allow_null=True)


class PlainCommanderInput(Input):
    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)


class PlainApi:
    army_shape = SheetArmySerializer
    army_input = SheetArmyInput
    army_change = SheetArmyChange
    commander_shape = PlainCommanderSerializer
    commander_input = PlainCommanderInput
    commander_change = PlainCommanderChange
    march_input: type[Input] = MarchInput
    marched: Sequence[Any] = ()
    reform_input: type[Input] | None = None
    reformed: Any = None

    def reform(self, by: User, army: Army, given: Mapping[str, Any], mark: str | None) -> tuple[dict[str, Any], str]:
        raise NotInRuleset(army.campaign.ruleset)

    def march_by_road(self, by: User, army: Army, given: dict[str, Any]) -> Any:
        raise InvalidInput(_("Enter either the hexes of the path or the destination."), "/path")

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army:
        given["commander"] = _commander(by, kingdom.campaign, given.get("commander"))
        return raise_army(by=by, kingdom=kingdom, **given)

    def raise_armies(self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]) -> Sequence[Army]:
        given.pop("name", None)
        given["commander"] = _commander(by, kingdom.campaign, given.get("commander"))
        return raise_armies(by=by, kingdom=kingdom, names=list(names), **given)

    def alike(self, army: Army) -> dict[str, Any]:
        sheet = {name: value for name, value in army.sheet.items() if name != "version"}
        return {"sheet": sheet, **copy_raised(army, ARMY_FIGURES)}

    def change_army(self, by: User, army: Army, given: dict[str, Any]) -> None:
        asked = {name: given.pop(name) for name in STATE if name in given}
        state = {name: value for name, value in asked.items() if getattr(army, name) != value}
        if "commander" in given:
            given["commander"] = _commander(by, army.campaign, given["commander"])
        if given or state:
            change_army(by=by, army=army, state=state, **given)

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: Commander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)

    def remove_commander(self, by: User, commander: Commander) -> None:
        remove_commander(by=by, commander=commander)


def _commander(user: User, campaign: Campaign, pk: Any) -> Commander | None:
    if pk is None:
        return None
    found = find_one(list_visible_commanders(user).filter(campaign=campaign, pk=pk))
    if found is None:
        raise NotVisible("/commander")
    return found

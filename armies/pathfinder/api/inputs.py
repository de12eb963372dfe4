"""Input serializers of armies. The services validate values."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.forces.declared_figures import with_sent
from armies.marches.api import MarchInput
from armies.pathfinder.api.serializers import MountSerializer, UnitSerializer
from armies.pathfinder.armies.resource_services import Share
from armies.pathfinder.armies.trade_services import Disposal
from armies.pathfinder.forces.access import armies_of, list_visible_commanders, stores_visible_to
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from core.api.problems import NotVisible
from core.api.serializers import Input, OneDieInput
from core.clean_input import NAME_MAX
from core.queries import find_one
from kingdom.api.fields import NameField, WholeField
from kingdom.models import User
from rules.army_law import AT_RAISING, CORRECTABLE
from rules.core.errors import demand
from rules.core.text import _
from rules.pathfinder.spec import MASS_COMBAT_FIGURES


@extend_schema_field(UnitSerializer)
class UnitField(serializers.JSONField):
    """A unit; the rules validate its members."""


@extend_schema_field(MountSerializer(allow_null=True))
class MountField(serializers.JSONField):
    """A mount; the rules validate its members."""


@with_sent(MASS_COMBAT_FIGURES, CORRECTABLE)
class ArmyChange(Input):
    """Changes of an army. Only the GM may send `hp` and the members after it."""

    name = NameField(max_length=NAME_MAX)
    unit = UnitField()
    count = WholeField()
    mount = MountField(required=False, allow_null=True)
    commander = serializers.UUIDField(required=False, allow_null=True)


@with_sent(MASS_COMBAT_FIGURES, AT_RAISING)
class ArmyInput(Input):
    """A new army: full hp, morale 0, no tactics."""

    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    unit = UnitField()
    count = WholeField()
    mount = MountField(required=False, allow_null=True)
    commander = serializers.UUIDField(required=False, allow_null=True)


class BuyInput(Input):
    """`stock` takes a set from the kingdom's stores instead of buying. Only the GM may send `waive_building`."""

    resource = serializers.CharField(required=False)
    quantity = WholeField(required=False)
    waive_building = serializers.BooleanField(required=False)
    mount = MountField(required=False, allow_null=True)
    stock = serializers.UUIDField(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if "resource" not in given and "stock" not in given:
            required = serializers.Field.default_error_messages["required"]
            raise serializers.ValidationError({"resource": [required]})
        return given


class ShareInput(Input):
    army = serializers.UUIDField()
    quantity = WholeField(required=False)


class TransferInput(Input):
    resource = serializers.CharField()
    to = ShareInput(many=True)


class AssignInput(Input):
    commander = serializers.UUIDField(allow_null=True)


class PromoteInput(Input):
    name = NameField(max_length=NAME_MAX)


class TacticInput(Input):
    tactic = serializers.CharField()
    granted = serializers.BooleanField(required=False, default=False)


class RestInput(OneDieInput):
    """`loyalty_check` makes a Loyalty check to regain the ACR once more; `dice` is its typed d20 (`14` or `[14]`)."""

    loyalty_check = serializers.BooleanField(required=False, default=False)
    dice = serializers.ListField(child=WholeField(), required=False, allow_null=True)


class PathfinderMarchInput(MarchInput):
    """A march on the map: `path` or `to`, and `manner`. Without these a march by road to a `place`, over numbers of
    open and difficult hexes. `confirm: false` only computes it.
    """

    place = NameField(max_length=NAME_MAX, required=False)
    hexes = WholeField(required=False, default=0)
    difficult_hexes = WholeField(required=False, default=0)
    land = serializers.BooleanField(required=False, default=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["confirm"] and not {"place", "path", "to"} & given.keys():
            raise serializers.ValidationError({"place": [serializers.Field.default_error_messages["required"]]})
        return given


class DisposalInput(Input):
    """Disposal of one resource: give (`to`), store, or sell for half its price. Without quantities in `to`: all of
    it.
    """

    resource = serializers.CharField()
    choice = serializers.CharField()
    to = ShareInput(many=True, required=False)


class DisbandInput(Input):
    """Resources that are not listed are stored. `confirm: false` only previews the result."""

    resources = DisposalInput(many=True, required=False)
    confirm = serializers.BooleanField(required=False, default=True)


# Rows named by ids in request bodies, if the user may see them.


def find_commander(user: User, army_campaign: UUID, pk: UUID | None) -> PathfinderCommander | None:
    """The commander of this campaign; None for None. Raises `NotVisible` that points at `/commander`."""
    if pk is None:
        return None
    found = find_one(list_visible_commanders(user).filter(campaign=army_campaign, pk=pk))
    if found is None:
        raise NotVisible("/commander")
    return found


def stock_named(user: User, army: PathfinderArmy, pk: UUID) -> KingdomStock:
    found = find_one(stores_visible_to(user).filter(kingdom=army.kingdom_id, pk=pk))
    if found is None:
        raise NotVisible("/stock")
    return found


def shares_named(
    user: User, army: PathfinderArmy, to: list[dict[str, Any]], pointer: str, quantity: int = 1
) -> list[Share]:
    """The receiving armies of this campaign, each with its quantity. Raises `NotVisible` with the pointer."""
    wanted = [share["army"] for share in to]
    seen = {row.pk: row for row in armies_of(user, army.campaign).filter(pk__in=wanted)}
    for place, pk in enumerate(wanted):
        if pk not in seen:
            raise NotVisible(f"{pointer}/{place}/army")
    return [Share(seen[share["army"]], share.get("quantity", quantity)) for share in to]


def disposals_named(user: User, army: PathfinderArmy, given: list[dict[str, Any]]) -> dict[str, Disposal]:
    """Disposals of each resource. A single army without a quantity gets all of it."""
    held = {row.resource: row.quantity for row in army.resources.all()}
    found: dict[str, Disposal] = {}
    for place, choice in enumerate(given):
        demand(
            choice["resource"] not in found, _("List each resource only once."), field=f"/resources/{place}/resource"
        )
        to = choice.get("to", [])
        whole = held.get(choice["resource"], 1) if len(to) == 1 else 1
        shares = shares_named(user, army, to, f"/resources/{place}/to", whole)
        found[choice["resource"]] = Disposal(choice["choice"], tuple(shares))
    return found

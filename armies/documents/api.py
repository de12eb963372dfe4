"""API of armies with a declared document, whose members stand in the body beside name and commander."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.default.api import (
    PlainApi,
    PlainCommanderChange,
    PlainCommanderInput,
    PlainCommanderSerializer,
    SheetArmyChange,
    SheetArmyInput,
    SheetArmySerializer,
)
from armies.documents.commander_services import appoint_commander, update_commander
from armies.documents.forms import with_carried
from armies.documents.reform_api import HostReformedSerializer, HostReformInput, answer_reform
from armies.forces.declared_figures import copy_raised
from armies.models import Army, Commander
from core.api.serializers import Input
from core.shapes.serializers import ApiShapes
from kingdom.models import Kingdom, User
from rules.army_law import ARMY_FIGURES
from rules.core.errors import InvalidInput
from rules.core.shapes import DeclaredShape


class SheetMember(serializers.Field):
    """Output field of a member of an army's or commander's document; a missing member has its default."""

    def __init__(self, key: str = "", usual: Any = None, **options: Any):
        self.key, self.usual = key, usual
        super().__init__(read_only=True, source="*", **options)

    def to_representation(self, row: Army | Commander) -> Any:
        return row.sheet.get(self.key, self.usual)


def _described(base: type[serializers.Field], field: serializers.Field) -> Any:
    """A field of class `base` that the OpenAPI document describes as `field`."""
    return extend_schema_field(field)(type(base.__name__, (base,), {"__module__": __name__}))


class DocumentApi(PlainApi):
    """API of armies with a declared document.

    `shapes`: names of the shape's parts in the OpenAPI document; `prefix`: first part of the bodies' names.
    `commander`: shape of a commander's document, if there is one. `sheet`, `commander_sheet`: serializers of derived
    figures, shown as the member `sheet`, which a change may send back.
    """

    reform_input: Any = HostReformInput
    reformed = HostReformedSerializer

    def __init__(
        self,
        shape: DeclaredShape,
        shapes: ApiShapes | None = None,
        prefix: str = "",
        *,
        commander: DeclaredShape | None = None,
        sheet: serializers.Field | None = None,
        commander_sheet: serializers.Field | None = None,
    ):
        self.shape, self.commander_members = shape, commander
        if shapes is None:  # The bodies are written by hand.
            return
        self.shapes = shapes
        self.army_shape = self._drawn(f"{prefix}ArmySerializer", SheetArmySerializer, shape, sheet)
        self.army_input = self._sent(f"{prefix}ArmyInput", SheetArmyInput, shape, new=True)
        self.army_change = self._sent(f"{prefix}ArmyChange", SheetArmyChange, shape, new=False)
        if commander is None:
            return
        named = f"{prefix}CommanderSerializer"
        self.commander_shape = self._drawn(named, PlainCommanderSerializer, commander, commander_sheet)
        self.commander_input = self._sent(f"{prefix}CommanderInput", PlainCommanderInput, commander, new=True)
        self.commander_change = self._sent(f"{prefix}CommanderChange", PlainCommanderChange, commander, new=False)

    def _drawn(self, name: str, base: Any, shape: DeclaredShape, sheet: serializers.Field | None) -> Any:
        """Output serializer with the document's members in the place of `sheet`, or last for a commander."""
        members = {
            key: _described(SheetMember, self.shapes.field(one))(key, one.usual) for key, one in shape.members.items()
        }
        more = (*members, "sheet") if sheet else tuple(members)
        plain = base.Meta.fields if "sheet" in base.Meta.fields else (*base.Meta.fields, "sheet")
        known = [key for named in plain for key in (more if named == "sheet" else (named,))]
        meta = type("Meta", (base.Meta,), {"fields": known, "read_only_fields": known})
        return type(name, (base,), {"__module__": __name__, "sheet": sheet, **members, "Meta": meta})

    def _sent(self, name: str, base: type[Input], shape: DeclaredShape, *, new: bool) -> Any:
        """Input serializer with the document's members. The ruleset validates them, so any JSON is accepted here; null
        stands for what the ruleset makes of it.
        """
        members = {
            key: _described(serializers.JSONField, self.shapes.field(one))(
                required=new and one.needed, allow_null=not one.needed
            )
            for key, one in shape.members.items()
            if not one.carried
        }
        told = {"__module__": __name__, "__doc__": base.__doc__, "sheet": None}
        return type(name, (base,), {**told, **members})

    def reform(self, by: User, army: Army, given: Mapping[str, Any], mark: str | None) -> tuple[dict[str, Any], str]:
        return answer_reform(by, army, given, mark)

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army:
        with pointed():
            return super().raise_army(by, kingdom, self.as_sheet(given))

    def raise_armies(self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]) -> Sequence[Army]:
        with pointed():
            return super().raise_armies(by, kingdom, names, self.as_sheet(given))

    def alike(self, army: Army) -> dict[str, Any]:
        sheet = {key: value for key, value in army.sheet.items()
                 if key in self.shape.members and not self._carried(key)}  # fmt: skip
        return {**sheet, **copy_raised(army, ARMY_FIGURES)}

    def change_army(self, by: User, army: Army, given: dict[str, Any]) -> None:
        with pointed():
            super().change_army(by, army, self.as_sheet(given, army))

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander:
        if self.commander_members is None:
            return super().appoint_commander(by, kingdom, given)
        with pointed():
            return appoint_commander(by=by, kingdom=kingdom, **self._as_commander(given, {}))

    def change_commander(self, by: User, commander: Commander, given: dict[str, Any]) -> None:
        if self.commander_members is None:
            return super().change_commander(by, commander, given)
        with pointed():
            update_commander(by=by, commander=commander, **self._as_commander(given, commander.sheet))
        return None

    def _as_commander(self, given: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
        """The body with the commander's document as `sheet`. In a change, members left out stay as they were."""
        assert self.commander_members is not None
        members = self.commander_members.members
        said = {key: value for key, value in given.items() if key in members}
        rest = {key: value for key, value in given.items() if key not in members}
        before = {key: value for key, value in kept.items() if key in members}
        return {**rest, "sheet": {**before, **said}} if said else rest

    def as_sheet(self, given: Mapping[str, Any], army: Army | None = None) -> dict[str, Any]:
        """The body with the army's document as `sheet`. In a change, members left out stay as they were."""
        said = {key: value for key, value in given.items() if key in self.shape.members}
        rest = {key: value for key, value in given.items() if key not in self.shape.members}
        if army is not None and not said:
            return rest
        before = {key: value for key, value in army.sheet.items() if key in self.shape.members} if army else {}
        return {**rest, "sheet": with_carried(army, {**before, **said}, self.shape)}

    def _carried(self, key: str) -> bool:
        return self.shape.members[key].carried


@contextmanager
def pointed() -> Iterator[None]:
    """Removes `/sheet` from the pointers of refusals, so that they point into the sent body."""
    try:
        yield
    except InvalidInput as refusal:
        errors = tuple((pointer.removeprefix("/sheet"), message) for pointer, message in refusal.errors)
        raise InvalidInput(refusal.message, refusal.field.removeprefix("/sheet"), errors) from None

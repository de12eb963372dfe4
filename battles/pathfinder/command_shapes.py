"""Commands and openings of mass combat in the API's format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rest_framework import serializers

from battles.codec.requests import ABSENT, Members, read_ending
from core.clean_input import clean_text
from core.shapes.serializers import WordOrNumberField
from rules.core.errors import demand
from rules.core.text import _
from rules.law import Team
from rules.pathfinder.battle.orders.commands import (
    ChangeCondition,
    Command,
    End,
    GiveOrder,
    Interrupt,
    Next,
    Override,
    Resolve,
)
from rules.pathfinder.battle.state.battle_state import KEEP, Ambush, Opening, Order, Part, SetCondition, Side, UseOrder
from rules.pathfinder.battle.state.opening import MOST_AMMUNITION
from rules.pathfinder.spec import ArmySpec

# Battlefield conditions, as input and output.


class FortificationPartSerializer(serializers.Serializer):
    kind = serializers.CharField(required=False)
    material = serializers.CharField(required=False)
    value = serializers.IntegerField()


class ConditionMembers(serializers.Serializer):
    """`army` or `armies`: those to which it applies; without them all but `except`. `parts` are those of a
    fortification.
    """

    value = WordOrNumberField(required=False, allow_null=True)
    army = serializers.CharField(required=False)
    armies = serializers.ListField(child=serializers.CharField(), required=False)
    parts = FortificationPartSerializer(many=True, required=False)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields with `except`, which is no valid name of a class attribute."""
        return {**super().get_fields(), "except": serializers.ListField(child=serializers.CharField(), required=False)}


class ConditionSerializer(ConditionMembers):
    condition = serializers.CharField()


# Opening of a battle.

MOST = 1_000


class PathfinderOpeningRequest(NamedTuple):
    """Requested opening, complete except for the armies, which are in the database."""

    opening: Opening

    @property
    def sides(self) -> tuple[Team, ...]:
        return tuple(Team(side.name, side.armies) for side in self.opening.sides)

    @property
    def army_ids(self) -> tuple[str, ...]:
        return tuple(army for side in self.opening.sides for army in side.armies)

    def with_armies(self, specs: Mapping[str, ArmySpec]) -> Opening:
        armies = tuple(specs[army] for army in dict.fromkeys(self.army_ids))
        return replace(self.opening, armies=armies)


def opening_from_json(data: object) -> PathfinderOpeningRequest:
    """Parse sides, conditions and the other members of POST battles/. Raises `InvalidInput` with JSON pointers."""
    members = Members(data)
    opening = Opening(
        armies=(),
        sides=members.each("sides", side_from_json),
        conditions=members.each("conditions", parse_condition),
        overcomes=members.each("overcomes", _pair),
        sees_invisible=members.armies("sees_invisible"),
        cannot_leave=members.armies("cannot_leave"),
        engines_shoot=members.armies("engines_shoot"),
        magical=members.armies("magical"),
        ambushes=_ambushes(members),
        ammunition=None if members.raw("ammunition") is None else members.whole("ammunition", 1, MOST_AMMUNITION),
    )
    members.done()
    return PathfinderOpeningRequest(opening)


def side_from_json(data: object, at: str) -> Side:
    members = Members(data, at)
    side = Side(clean_text(members.raw("name"), field=f"{at}/name"), members.armies("armies"))
    members.done()
    return side


def parse_condition(data: object, at: str = "") -> SetCondition:
    """Parse `{condition, value?, armies? | army?, except?, parts?}`."""
    members = Members(data, at)
    condition = read_condition(members)
    members.done()
    return condition


def read_condition(members: Members) -> SetCondition:
    armies = members.armies("armies")
    if members.has("army"):
        demand(not armies, _("Use “army” or “armies”, not both."), field=members.pointer("army"))
        armies = (members.army("army"),)
    return SetCondition(
        condition=members.slug("condition"),
        value=members.slug_or_whole("value", MOST),
        armies=armies,
        exempt=members.armies("except"),
        parts=members.each("parts", _part),
    )


def _part(data: object, at: str) -> Part:
    members = Members(data, at)
    part = Part(members.slug_or("kind", "other"), members.slug_or("material", "stone"), members.whole("value", 0, MOST))
    members.done()
    return part


def _pair(data: object, at: str) -> tuple[str, str]:
    members = Members(data, at)
    pair = members.army("attacker"), members.army("defender")
    members.done()
    return pair


def _ambushes(members: Members) -> tuple[Ambush, ...]:
    """Parse one ambush, or a list of them (R-17: each ambusher, each target)."""
    value = members.raw("ambush")
    if value is None:
        return ()
    return members.each("ambush", _ambush) if isinstance(value, list | tuple) else (_ambush(value, "/ambush"),)


def _ambush(data: object, at: str) -> Ambush:
    members = Members(data, at)
    ambush = Ambush(members.army("by"), members.army("target"))
    members.done()
    return ambush


def condition_to_json(condition: SetCondition) -> dict[str, Any]:
    """Return a condition as the API shows it, without empty members."""
    told = {
        "value": condition.value,
        "armies": list(condition.armies),
        "except": list(condition.exempt),
        "parts": [{"kind": part.kind, "material": part.material, "value": part.value} for part in condition.parts],
    }
    given = {name: value for name, value in told.items() if value not in (None, [])}
    return {"condition": condition.condition, **given}


# Commands.

USE_KINDS = ("ability", "resource", "boon", "tactic")
NUMBER_MOST = 1_000_000


def _order(members: Members, _sides: tuple[str, ...]) -> GiveOrder:
    return GiveOrder(
        Order(
            army=members.army("army"),
            tactic=members.slug_or("tactic", None),
            strategy=members.slug_or("strategy", None),
            target=_target(members),
            use=members.each("use", _use),
            withdraw=members.slug_or("withdraw", "leave"),
            let_go=members.flag("let_go"),
            hold_the_line=members.flag("hold_the_line"),
            spawn=members.slug_or("spawn", "heal"),
            surrender=members.flag("surrender"),
            stay_at_range=members.flag("stay_at_range"),
        )
    )


def _target(members: Members) -> str | None:
    """Return the target: KEEP if absent, None (hold) if null."""
    value = members.raw("target", ABSENT)
    if value is ABSENT:
        return KEEP
    return None if value is None else members.army("target")


def _use(data: object, at: str) -> UseOrder:
    members = Members(data, at)
    kinds = [kind for kind in USE_KINDS if members.has(kind)]
    demand(
        len(kinds) == 1,
        _("Use only one of: {kinds}."),
        field=at,
        kinds=", ".join(USE_KINDS),
    )
    use = UseOrder(kinds[0], members.slug(kinds[0]), members.slug_or("option", ""), _use_target(members))
    members.done()
    return use


def _use_target(members: Members) -> str:
    return "" if members.raw("target") is None else members.army("target")


def _resolve(_members: Members, _sides: tuple[str, ...]) -> Resolve:
    return Resolve()


def _next(members: Members, _sides: tuple[str, ...]) -> Next:
    return Next(members.slug_or("kind", None))


def _condition(members: Members, _sides: tuple[str, ...]) -> ChangeCondition:
    return ChangeCondition(_set_condition(members), members.flag("lift"))


def _set_condition(members: Members) -> SetCondition:
    """Parse a condition beside "type", or nested as in the opening: {"condition": {"condition": …}}."""
    nested = members.raw("condition")
    if isinstance(nested, Mapping):
        return parse_condition(nested, "/condition")
    return read_condition(members)


def _override(members: Members, _sides: tuple[str, ...]) -> Override:
    return Override(
        members.army("army"), members.slug("field"), members.slug_or_whole("value", NUMBER_MOST), members.text("reason")
    )


def _interrupt(members: Members, _sides: tuple[str, ...]) -> Interrupt:
    return Interrupt(members.text("reason", ""))


def _end(members: Members, sides: tuple[str, ...]) -> End:
    return End(*read_ending(members, sides))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Command]] = {
    "order": _order,
    "resolve": _resolve,
    "next": _next,
    "condition": _condition,
    "override": _override,
    "interrupt": _interrupt,
    "end": _end,
}


def order_to_json(order: Order) -> dict[str, Any]:
    """Return an order as its own commander may read it."""
    told: dict[str, Any] = {"army": order.army, "tactic": order.tactic, "strategy": order.strategy}
    if order.target != KEEP:
        told["target"] = order.target
    uses = [{use.kind: use.slug, "option": use.option or None, "target": use.target or None} for use in order.use]
    flags = {"withdraw": order.withdraw, "let_go": order.let_go, "hold_the_line": order.hold_the_line}
    more = {"surrender": order.surrender, "stay_at_range": order.stay_at_range}
    return {**told, "use": uses, **flags, "spawn": order.spawn, **more}

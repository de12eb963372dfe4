"""API members of a breaking-point battle: armies with their bodies, conditions and choices."""

from __future__ import annotations

from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.breaking_point.api.serializers import GROUPS as GROUPS
from armies.breaking_point.api.serializers import UnitsField
from battles.breaking_point.command_shapes import condition_to_json, order_to_json
from core.api.serializers import Input, serialize
from core.clean_input import NAME_MAX
from core.shapes.serializers import WordOrNumberField
from kingdom.api.fields import LineSerializer, NameField, SaidField, serialize_lines
from rules.breaking_point.battle.aftermath.tolls import shares_of
from rules.breaking_point.battle.orders.legal import HostChoices, LegalFight
from rules.breaking_point.battle.state.battle_state import BattleNow, Body, Enrolled
from rules.breaking_point.battle.state.field_figures import heads_now
from rules.breaking_point.battle.telling.summary import seconds_of_a_round
from rules.breaking_point.battle.telling.words import body_name
from rules.core.breakdown import Breakdown
from rules.core.text import Said
from rules.core.viewers import LOOKS, HealthTold, told_of
from rules.law import Combatant, Figures, Summary, Viewer

KINDS = ("field", "fleet", "assault")
FIGURES = ("power", "fire-power", "combat", "defense", "breaking")


class BodyOnField(NamedTuple):
    """Body as its reader may know it. Hidden figures are None."""

    id: str
    key: str
    name: Said
    kind: str
    status: str
    state: str
    heads: int
    force: int
    losses: int | None
    penalty: int
    breaking_point: int | None
    masked: bool
    units: list[dict[str, Any]]
    figures: dict[str, int] | None
    breakdown: dict[str, Any] | None


class HostOnField(NamedTuple):
    army: Combatant
    side: str
    bodies: list[BodyOnField]
    order: dict[str, Any] | None

    @property
    def told(self) -> HealthTold:
        return told_of(self.army.health, self.army.health_max, worded=self.army.words is not None)


class UnitOnFieldSerializer(serializers.Serializer):
    """A unit of a body. For an enemy heads are rounded to one digit, and combat is null. `army` and `number` identify
    it in `share`. `lost` is its points of the body's losses, null before the end of the battle and where you may not
    know it.
    """

    army = serializers.CharField(read_only=True)
    number = serializers.IntegerField(read_only=True)

    name = serializers.CharField(read_only=True)
    type = serializers.CharField(read_only=True)
    strength = serializers.IntegerField(read_only=True)
    combat = serializers.IntegerField(read_only=True, allow_null=True)
    lost = serializers.IntegerField(read_only=True, allow_null=True)


class BodyOnFieldSerializer(serializers.Serializer):
    """A body (B-5). If its figures are hidden, `masked` is true, force is 100 and losses are percent. An unknown
    reserve is one body of kind `reserve` until it comes.
    """

    id = serializers.CharField(read_only=True)
    key = serializers.CharField(read_only=True, help_text="how orders name it")
    name = SaidField()
    kind = serializers.CharField(read_only=True)
    status = serializers.CharField(read_only=True)
    state = serializers.CharField(read_only=True)
    heads = serializers.IntegerField(read_only=True)
    force = serializers.IntegerField(read_only=True)
    losses = serializers.IntegerField(read_only=True, allow_null=True, help_text="null: told by `state` alone")
    penalty = serializers.IntegerField(read_only=True)
    breaking_point = serializers.IntegerField(read_only=True, allow_null=True, help_text="%, null: it never breaks")
    masked = serializers.BooleanField(read_only=True)
    units = UnitOnFieldSerializer(many=True, read_only=True)
    figures = serializers.DictField(child=serializers.IntegerField(), read_only=True, allow_null=True)
    breakdown = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=LineSerializer(many=True), allow_null=True))
    def get_breakdown(self, body: BodyOnField) -> dict[str, Any] | None:
        return body.breakdown


class BodyOrderSerializer(serializers.Serializer):
    do = serializers.CharField(read_only=True)
    target = serializers.CharField(read_only=True)
    pursue = serializers.BooleanField(read_only=True)
    riposte = serializers.BooleanField(read_only=True)


class HostOrderSerializer(serializers.Serializer):
    """An order as it was given; `bodies` are by body."""

    army = serializers.CharField(read_only=True)
    bodies = serializers.DictField(child=BodyOrderSerializer(), read_only=True)
    withdraw = serializers.BooleanField(read_only=True)
    commit = serializers.BooleanField(read_only=True)
    rally = serializers.CharField(read_only=True)
    distance = serializers.CharField(read_only=True)


class FieldMarkSerializer(serializers.Serializer):
    """A condition of the field, of a side (by its name) or of a body."""

    condition = serializers.CharField(read_only=True)
    value = WordOrNumberField(required=False)
    side = serializers.CharField(required=False)
    body = serializers.CharField(required=False)


class HostSerializer(serializers.Serializer):
    """An army on the field. `order` is null if you may not read it."""

    army = serializers.CharField(source="army.id", read_only=True)
    name = serializers.CharField(source="army.name", read_only=True)
    side = serializers.CharField(read_only=True)
    status = serializers.CharField(source="army.status", read_only=True)
    health = serializers.IntegerField(source="told.health", read_only=True, allow_null=True)
    health_max = serializers.IntegerField(source="told.health_max", read_only=True, allow_null=True)
    looks = serializers.CharField(source="told.looks", read_only=True, help_text=LOOKS)
    bodies = BodyOnFieldSerializer(many=True, read_only=True)
    order = HostOrderSerializer(read_only=True, allow_null=True)


class AimSerializer(serializers.Serializer):
    body = serializers.CharField(read_only=True)
    name = SaidField()
    why_not = SaidField(allow_null=True)


class BodyChoicesSerializer(serializers.Serializer):
    key = serializers.CharField(read_only=True)
    name = SaidField()
    attack = AimSerializer(many=True, read_only=True)
    shoot = AimSerializer(many=True, read_only=True)
    cannot_attack = SaidField(allow_null=True)
    cannot_shoot = SaidField(allow_null=True)
    may_pursue = serializers.BooleanField(read_only=True)
    may_withdraw = serializers.BooleanField(read_only=True)
    waits = serializers.BooleanField(read_only=True)


class HostChoicesSerializer(serializers.Serializer):
    """Orders that your army may be given now."""

    army = serializers.CharField(read_only=True)
    bodies = BodyChoicesSerializer(many=True, read_only=True)
    may_withdraw = serializers.BooleanField(read_only=True)
    may_commit = serializers.BooleanField(read_only=True)
    may_change_distance = serializers.BooleanField(read_only=True)
    rally = serializers.ListField(child=serializers.CharField(), read_only=True)


class FightOnField(NamedTuple):
    """Battle as `FightMembers` draws it."""

    battle: BattleNow
    armies: list[HostOnField]
    choices: tuple[HostChoices, ...]


class FightMembers(serializers.Serializer):
    """`scores` are those of the last command test, by side. `seconds` is the length of a round (BP-1)."""

    kind = serializers.CharField(source="battle.kind", read_only=True)
    medium = serializers.CharField(source="battle.opening.medium", read_only=True)
    distance = serializers.CharField(source="battle.distance", read_only=True)
    scores = serializers.ListField(
        source="battle.scores", child=serializers.IntegerField(allow_null=True), read_only=True
    )
    surprised = serializers.SerializerMethodField()
    seconds = serializers.SerializerMethodField()
    armies = HostSerializer(many=True, read_only=True)
    choices = HostChoicesSerializer(many=True, read_only=True)
    conditions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_surprised(self, field: FightOnField) -> list[str]:
        return [field.battle.sides[side].name for side in sorted(field.battle.surprised)]

    @extend_schema_field(serializers.IntegerField())
    def get_seconds(self, field: FightOnField) -> int:
        return seconds_of_a_round(field.battle)

    @extend_schema_field(FieldMarkSerializer(many=True))
    def get_conditions(self, field: FightOnField) -> list[dict[str, Any]]:
        names = tuple(side.name for side in field.battle.sides)
        return [condition_to_json(condition, names) for condition in field.battle.conditions]


def shape(battle: BattleNow, summary: Summary, figures: Figures, viewer: Viewer, legal: LegalFight) -> dict[str, Any]:
    armies = [_host(battle, army, figures, viewer) for army in summary.armies.values()]
    return serialize(FightMembers, FightOnField(battle, armies, legal.armies))


def _host(battle: BattleNow, army: Combatant, figures: Figures, viewer: Viewer) -> HostOnField:
    order = battle.orders.get(army.id) if viewer.commands(army.id) else None
    bodies = [_body(battle, body, figures) for body in battle.of_army(army.id)]
    return HostOnField(army, battle.sides[army.side].name, bodies, order_to_json(order) if order else None)


def _body(battle: BattleNow, body: Body, figures: Figures) -> BodyOnField:
    known = _known(body, figures)
    lost = _lost(battle, body)
    units = [
        {"army": member.army, "number": member.unit, "name": u.name, "type": u.type.slug, "strength": u.strength,
         "combat": None if body.masked else u.combat, "lost": lost.get(member)}
        for member, u in zip(body.formation.members, battle.units(body), strict=True)
    ]  # fmt: skip
    return BodyOnField(
        id=body.id,
        key=body.key,
        name=body_name(battle, body),
        kind=body.formation.kind,
        status=body.status,
        state=body.state,
        heads=body.formation.heads if body.masked else heads_now(battle, body),
        force=body.force,
        losses=None if body.army in battle.worded else body.losses,
        penalty=body.penalty,
        breaking_point=body.breaking,
        masked=body.masked,
        units=units,
        figures={name: lines.total for name, lines in known.items()} if known else None,
        breakdown={name: serialize_lines(lines) for name, lines in known.items()} if known else None,
    )


def _lost(battle: BattleNow, body: Body) -> dict[Enrolled, int]:
    """Return its units' shares of the losses after the battle, for armies whose figures the reader may know (B-78)."""
    if battle.result is None or body.masked or body.army in battle.worded:
        return {}
    known = (share for share in shares_of(battle, body) if share.army not in {*battle.masked, *battle.worded})
    return {Enrolled(share.army, share.unit): share.points for share in known}


def _known(body: Body, figures: Figures) -> dict[str, Breakdown]:
    if body.masked:
        return {}
    found = figures.get(body.army, {})
    return {name.replace("-", "_"): found[f"{name}:{body.key}"] for name in FIGURES if f"{name}:{body.key}" in found}


class SupposedGeneralInput(Input):
    name = NameField(max_length=NAME_MAX, required=False)
    mental = serializers.IntegerField(required=False)
    presence = serializers.IntegerField(required=False)
    combat = serializers.IntegerField(required=False)
    art_of_war = serializers.IntegerField(required=False)
    diplomacy = serializers.IntegerField(required=False)


class SupposedHostInput(Input):
    """A hypothetical army: as for POST armies/, with its commander."""

    kingdom = serializers.UUIDField(required=False, allow_null=True, help_text="not used")
    revealed = serializers.BooleanField(required=False, help_text="not used")
    status = serializers.CharField(required=False, help_text="not used")
    name = NameField(max_length=NAME_MAX)
    units = UnitsField()
    commander = SupposedGeneralInput(required=False, allow_null=True)

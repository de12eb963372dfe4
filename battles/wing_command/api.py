"""API shapes of a battle of wing command: its members, its opening, and armies of other rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from rest_framework import serializers

from battles.hexes.api import HexBattleMembers, HexUnitSerializer
from kingdom.api.fields import SaidField
from rules.core.shapes import ArmyId, InApi, OneOf, Text, WholeNumber
from rules.law import Viewer
from rules.wing_command.battle.combat import WARD_BONUS, warded
from rules.wing_command.battle.movement import pace_of
from rules.wing_command.battle.record.state import INITIATIVE, HostState, Wing
from rules.wing_command.battle.setup import COMBATS, LIMITS, SHARES
from rules.wing_command.spec import UnitFigures, UnitSpec


class WingTurnSerializer(serializers.Serializer):
    """The current turn. `side`: whose turn it is. `active`: the acting wing."""

    number = serializers.IntegerField(read_only=True)
    limit = serializers.IntegerField(read_only=True)
    phase = serializers.CharField(read_only=True, allow_null=True)
    side = serializers.IntegerField(read_only=True, allow_null=True)
    active = serializers.CharField(read_only=True, allow_null=True)


class WingStateSerializer(serializers.Serializer):
    """A wing. `order`: null while it is secret. `shaken`: the number of its shaken markers."""

    wing = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    order = serializers.CharField(read_only=True, allow_null=True)
    morale = serializers.IntegerField(read_only=True)
    shaken = serializers.IntegerField(read_only=True)
    leader = serializers.CharField(read_only=True, allow_null=True)
    broken = serializers.BooleanField(read_only=True)
    activated = serializers.BooleanField(read_only=True)


class WingBattleFiguresSerializer(serializers.Serializer):
    """Current figures, with the effects of spells."""

    move = serializers.IntegerField(read_only=True)
    melee = serializers.IntegerField(read_only=True)
    shot = serializers.IntegerField(read_only=True)
    range = serializers.IntegerField(read_only=True)
    guard = serializers.IntegerField(read_only=True)


class WingUnitOwnSerializer(WingBattleFiguresSerializer):
    """A unit's figures without effects, and other data. `spell`: the prepared one, for its own side and the GM only."""

    kind = serializers.CharField(read_only=True)
    size = serializers.ChoiceField(choices=["small", "large"], read_only=True)
    fly = serializers.BooleanField(read_only=True)
    infiltrate = serializers.BooleanField(read_only=True)
    profile = serializers.CharField(read_only=True, allow_null=True, help_text="of a character")
    ability = serializers.CharField(read_only=True, allow_null=True)
    art = serializers.CharField(read_only=True, allow_null=True)
    level = serializers.IntegerField(read_only=True, allow_null=True)
    pentacle = serializers.IntegerField(read_only=True, allow_null=True)
    posture = serializers.CharField(read_only=True)
    special_order = serializers.BooleanField(read_only=True)
    activated = serializers.BooleanField(read_only=True)
    wing = serializers.CharField(read_only=True)
    spell = serializers.CharField(read_only=True, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add `class`, which is a keyword in Python."""
        command_class = serializers.CharField(read_only=True, allow_null=True, help_text="of a troop")
        return {**super().get_fields(), "class": command_class}


class WingUnitSerializer(HexUnitSerializer):
    """A unit with its figures."""

    figures = WingBattleFiguresSerializer(read_only=True)
    own = WingUnitOwnSerializer(read_only=True)


class OrderPointsSerializer(serializers.Serializer):
    """The character who is giving special orders, and their points left."""

    character = serializers.CharField(read_only=True)
    points = serializers.IntegerField(read_only=True)


class WingBattleMembers(HexBattleMembers):
    """`map_version`: changes whenever the map does. `initiative`: the side that has it, null before it is rolled."""

    map_version = serializers.CharField(read_only=True)
    turn = WingTurnSerializer(read_only=True)
    initiative = serializers.IntegerField(read_only=True, allow_null=True)
    wings = WingStateSerializer(many=True, read_only=True)
    units = WingUnitSerializer(many=True, read_only=True)
    distribution = OrderPointsSerializer(read_only=True, allow_null=True)
    waits_for_report = serializers.BooleanField(read_only=True, help_text="whether an attack waits for the GM's report")


# Serializers of an army of another ruleset as a wing


class MusteredUnitSerializer(serializers.Serializer):
    """A troop or character of the wing. `kind`: the type of a troop, or the kind of a character."""

    name = SaidField()
    kind = serializers.CharField(source="figures.kind", read_only=True)
    character = serializers.BooleanField(read_only=True)
    commander = serializers.BooleanField(read_only=True, help_text="whether they lead the wing")
    size = serializers.SerializerMethodField(help_text="small or large")
    move = serializers.IntegerField(source="figures.move", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    shot = serializers.IntegerField(source="figures.shot", read_only=True, help_text="0: it doesn't shoot")
    range = serializers.IntegerField(source="figures.range", read_only=True)
    guard = serializers.IntegerField(source="figures.guard", read_only=True)
    flies = serializers.BooleanField(source="figures.fly", read_only=True)
    infiltrates = serializers.BooleanField(source="figures.infiltrate", read_only=True)
    profile = serializers.CharField(
        source="figures.profile", read_only=True, help_text="the class of a troop, the profile of a character"
    )
    ability = serializers.CharField(source="figures.ability", read_only=True, help_text="of a character: A to E")
    art = serializers.CharField(source="figures.art", read_only=True, help_text="of a mage")
    level = serializers.IntegerField(source="figures.level", read_only=True, help_text="of a mage; else 0")

    def get_size(self, unit: UnitSpec) -> str:
        return "large" if unit.figures.large else "small"


class MusteredWingSerializer(serializers.Serializer):
    """An army as a wing, with order and morale marker as it enters the battle's setup."""

    order = serializers.CharField(read_only=True)
    morale = serializers.IntegerField(read_only=True)
    units = MusteredUnitSerializer(many=True, read_only=True)


# API shape of a battle in addition to the board's: the turn, the wings, the units' figures


def members_of(state: HostState, viewer: Viewer, units: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The API members of a battle. `state`: limited to what its reader sees. `units`: as the board describes them."""
    started = state.field.started
    thrown = started and (state.turn > 1 or state.phase != INITIATIVE)
    return {
        "map_version": state.field.ground.version,
        "turn": {
            "number": state.turn,
            "limit": state.options.turn_limit,
            "phase": state.phase if started else None,
            "side": state.side if started else None,
            "active": state.wing or None,
        },
        "initiative": state.first if thrown else None,
        "wings": [_wing(state, wing) for wing in state.wings.values()],
        "units": [{**told, **_unit(state, told["unit"])} for told in units],
        "distribution": _distribution(state),
        "waits_for_report": state.blow is not None,
    }


def _wing(state: HostState, wing: Wing) -> dict[str, Any]:
    leader = wing.leader if wing.leader in state.field.tokens else ""
    return {
        "wing": wing.id,
        "army": wing.id,
        "side": wing.side,
        "name": wing.name,
        "order": wing.order or None,
        "morale": wing.morale,
        "shaken": wing.shaken,
        "leader": leader or None,
        "broken": wing.broken,
        "activated": wing.done,
    }


def _unit(state: HostState, unit: str) -> dict[str, Any]:
    own, written = state.units[unit], state.units[unit].own
    now = {
        "move": pace_of(state, unit).points,
        "melee": written.melee,
        "shot": written.shot,
        "range": written.range,
        "guard": written.guard + (WARD_BONUS if warded(state, unit) else 0),
    }
    told = {"posture": own.posture, "special_order": own.special, "activated": own.activated, "wing": own.wing}
    return {"figures": now, "own": {**_written(written, character=own.character), **told, "spell": own.spell or None}}


def _written(figures: UnitFigures, *, character: bool) -> dict[str, Any]:
    return {
        "kind": figures.kind,
        "size": "large" if figures.large else "small",
        "move": figures.move,
        "melee": figures.melee,
        "shot": figures.shot,
        "range": figures.range,
        "guard": figures.guard,
        "fly": figures.fly,
        "infiltrate": figures.infiltrate,
        "class": None if character else figures.profile,
        "profile": figures.profile if character else None,
        "ability": figures.ability or None,
        "art": figures.art or None,
        "level": figures.level or None,
        "pentacle": figures.pentacle or None,
    }


def _distribution(state: HostState) -> dict[str, Any] | None:
    open_ = state.distribution
    return {"character": open_.character, "points": open_.points} if open_ else None


# API shape of opening a battle


UNSAID = "what the campaign says, unless given"


class HostAsked(NamedTuple):
    """A side with up to six armies, each a wing. `leader`: the army whose commander leads the whole side."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    leader: Annotated[
        ArmyId, InApi("the army whose commander leads the side; the best command ability, unless given")
    ] = ""


class OptionsAsked(NamedTuple):
    """The options of an opening, besides its sides and its map."""

    combat: Annotated[str | None, OneOf(COMBATS), InApi(UNSAID)] = None
    orders_to_characters: Annotated[bool | None, InApi(UNSAID)] = None
    turn_limit: Annotated[int | None, WholeNumber(*LIMITS), InApi(UNSAID)] = None
    break_share: Annotated[int | None, WholeNumber(*SHARES), InApi(UNSAID)] = None

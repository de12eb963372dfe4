"""API shapes of a battle of THUCIDIDE fantasy: its members, its opening, and armies of other rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from rest_framework import serializers

from battles.hexes.api import HexBattleMembers, HexUnitSerializer
from kingdom.api.fields import SaidField
from rules.core.shapes import ArmyId, InApi, OneOf, Text, WholeNumber
from rules.law import Viewer
from rules.thucidide_fantasy.battle.factors import more_dice
from rules.thucidide_fantasy.battle.paces import pace_of
from rules.thucidide_fantasy.battle.record.state import DREAMS, FantasyState, Person, Unit
from rules.thucidide_fantasy.battle.setup import CHOICES, LIMITS
from rules.thucidide_fantasy.spec import BorneTrait


class FantasyTurnSerializer(serializers.Serializer):
    """The current turn. `side`: whose player turn it is. `active`: the units activated in it, at most `activations`
    times `share`. `order`: the manoeuvre order given.
    """

    number = serializers.IntegerField(read_only=True)
    limit = serializers.IntegerField(read_only=True)
    phase = serializers.CharField(read_only=True, allow_null=True)
    side = serializers.IntegerField(read_only=True, allow_null=True)
    active = serializers.ListField(child=serializers.CharField(), read_only=True)
    activations = serializers.IntegerField(read_only=True, allow_null=True)
    share = serializers.IntegerField(read_only=True, allow_null=True)
    order = serializers.CharField(read_only=True, allow_null=True)


class ContingentSideSerializer(serializers.Serializer):
    """A side: its counters, the number of enemy units it has to destroy, and of its own counted as destroyed."""

    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    counters = serializers.IntegerField(read_only=True)
    victory = serializers.IntegerField(read_only=True, allow_null=True, help_text="null before the start")
    lost = serializers.IntegerField(read_only=True)
    general = serializers.CharField(read_only=True, allow_null=True)
    consents = serializers.BooleanField(read_only=True, help_text="whether it allows the enemy's appeals to a god")
    sealed = serializers.BooleanField(
        read_only=True, help_text="whether its places stay hidden from the enemy until the battle begins"
    )
    dreams = serializers.ListField(
        child=serializers.ChoiceField(choices=DREAMS),
        read_only=True,
        help_text="what of its enemy a dream shows it before the battle; told to the side itself and the GM",
    )


class BorneTraitSerializer(serializers.Serializer):
    """A trait, and the magic object it comes from."""

    trait = serializers.CharField(read_only=True)
    object = serializers.CharField(read_only=True, allow_null=True)


class FantasyUnitOwnSerializer(serializers.Serializer):
    """Current figures of a unit or character. `stands`: for a hero, the resistance left. `cards`, `points`: visible
    only to their own side and the GM.
    """

    stands = serializers.IntegerField(read_only=True, allow_null=True)
    start = serializers.IntegerField(read_only=True, allow_null=True)
    weight = serializers.IntegerField(read_only=True, allow_null=True, help_text="level of protection, from 1")
    assault = serializers.IntegerField(read_only=True)
    melee = serializers.IntegerField(read_only=True)
    shot = serializers.IntegerField(read_only=True)
    range = serializers.IntegerField(read_only=True)
    dice = serializers.IntegerField(
        read_only=True, help_text="added to each attack of a unit by its experience and the GM's adjustments"
    )
    move = serializers.IntegerField(read_only=True, help_text="hexes when it fights this turn")
    calm = serializers.IntegerField(read_only=True, help_text="hexes when it doesn't")
    experience = serializers.CharField(read_only=True, allow_null=True)
    temper = serializers.CharField(read_only=True, allow_null=True)
    traits = BorneTraitSerializer(many=True, read_only=True)
    master = serializers.CharField(read_only=True, allow_null=True, help_text="of undead")
    turned = serializers.BooleanField(read_only=True)
    rank = serializers.CharField(read_only=True, allow_null=True, help_text="of a leader")
    cards = serializers.ListField(child=serializers.CharField(), read_only=True, allow_null=True)
    points = serializers.IntegerField(read_only=True, allow_null=True)
    activated = serializers.BooleanField(read_only=True)
    fought = serializers.BooleanField(read_only=True)
    announced = serializers.BooleanField(read_only=True)


class FantasyUnitSerializer(HexUnitSerializer):
    """A unit with its figures."""

    own = FantasyUnitOwnSerializer(read_only=True)


class WaitingFightSerializer(serializers.Serializer):
    """A combat waiting for an answer. `asks`: the kind of answer. `side`: who answers, null for the GM. `dice`:
    rolled.
    """

    attacker = serializers.CharField(read_only=True, allow_null=True)
    target = serializers.CharField(read_only=True, allow_null=True)
    asks = serializers.CharField(read_only=True, help_text="reroll, flee, pursue, report or god")
    side = serializers.IntegerField(read_only=True, allow_null=True)
    dice = serializers.IntegerField(read_only=True, allow_null=True)


class FantasyBattleMembers(HexBattleMembers):
    """`map_version`: changes whenever the map does."""

    map_version = serializers.CharField(read_only=True)
    turn = FantasyTurnSerializer(read_only=True)
    contingents = ContingentSideSerializer(many=True, read_only=True)
    units = FantasyUnitSerializer(many=True, read_only=True)
    fight = WaitingFightSerializer(read_only=True, allow_null=True)


# Serializers of an army of another ruleset as a contingent


class MusteredStandsSerializer(serializers.Serializer):
    """A unit of the contingent. Its dice are those of its weapons, without its experience."""

    name = SaidField()
    type = serializers.CharField(source="figures.type", read_only=True)
    kind = serializers.CharField(source="figures.kind", read_only=True)
    weight = serializers.IntegerField(source="figures.weight", read_only=True, help_text="level of protection, from 1")
    stands = serializers.IntegerField(source="figures.stands", read_only=True)
    move = serializers.IntegerField(source="figures.move", read_only=True, help_text="hexes when it fights this turn")
    calm = serializers.IntegerField(source="figures.calm", read_only=True, help_text="hexes when it doesn't")
    assault = serializers.IntegerField(source="figures.assault", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    shot = serializers.IntegerField(source="figures.shot", read_only=True, help_text="0: it doesn't shoot")
    range = serializers.IntegerField(source="figures.range", read_only=True)
    experience = serializers.CharField(source="figures.experience", read_only=True)
    temper = serializers.CharField(source="figures.temper", read_only=True, help_text='"" for none')
    traits = BorneTraitSerializer(source="figures.traits", many=True, read_only=True)
    master = serializers.CharField(read_only=True, help_text="of undead: the `key` of a character")


class MusteredCharacterSerializer(serializers.Serializer):
    """A character of the contingent. `points`: spell points, 0 if they don't cast. Heroes have dice and resistance."""

    key = serializers.CharField(read_only=True)
    name = SaidField()
    commander = serializers.BooleanField(read_only=True, help_text="whether they command the army")
    kind = serializers.CharField(source="figures.kind", read_only=True)
    rank = serializers.CharField(source="figures.rank", read_only=True, help_text='of a leader; else ""')
    level = serializers.CharField(source="figures.level", read_only=True, help_text='command level; else ""')
    points = serializers.IntegerField(source="figures.points", read_only=True)
    hero = serializers.BooleanField(source="figures.hero", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    resistance = serializers.IntegerField(source="figures.resistance", read_only=True)
    traits = BorneTraitSerializer(source="figures.traits", many=True, read_only=True)


class MusteredContingentSerializer(serializers.Serializer):
    """An army as a contingent, as it enters the battle's setup."""

    units = MusteredStandsSerializer(many=True, read_only=True)
    characters = MusteredCharacterSerializer(many=True, read_only=True)


# API shape of a battle in addition to the board's: the turn, the sides, the units' figures, a waiting fight


def members_of(state: FantasyState, viewer: Viewer, units: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The API members of a battle. `state`: limited to what its reader sees. `units`: as the board describes them."""
    started = state.field.started
    return {
        "map_version": state.field.ground.version,
        "turn": {
            "number": state.turn,
            "limit": state.options.turn_limit,
            "phase": state.phase if started else None,
            "side": state.side if started else None,
            "active": [unit for one in state.activations for unit in one.units],
            "activations": state.allowed if started else None,
            "share": state.share if started else None,
            "order": state.order or None,
        },
        "contingents": [_side(state, side) for side in (0, 1)],
        "units": [{**told, "own": _own(state, told["unit"])} for told in units],
        "fight": _fight(state),
    }


def _side(state: FantasyState, side: int) -> dict[str, Any]:
    general = state.generals[side]
    return {
        "side": side,
        "name": state.opening.sides[side],
        "counters": state.counters[side],
        "victory": state.victory[side] or None,
        "lost": len(state.fallen[side]),
        "general": general if general in state.field.tokens else None,
        "consents": state.consents[side],
        "sealed": state.sealed[side],
        "dreams": list(state.dreams[side]),
    }


def _own(state: FantasyState, piece: str) -> dict[str, Any]:
    told = _unit(state, state.units[piece]) if piece in state.units else _person(state.people[piece])
    pace, doing = pace_of(state, piece), state.doing(piece)
    return {
        **told,
        "move": pace.fighting,
        "calm": pace.calm,
        "activated": doing.activated,
        "fought": doing.fought,
        "announced": doing.announced,
    }


def _unit(state: FantasyState, unit: Unit) -> dict[str, Any]:
    own = unit.own
    return {
        "stands": unit.stands,
        "start": unit.start,
        "weight": own.weight,
        "assault": own.assault,
        "melee": own.melee,
        "shot": own.shot,
        "range": own.range,
        "dice": more_dice(own),
        "experience": own.experience,
        "temper": own.temper or None,
        "traits": [_trait(one) for one in own.traits],
        "master": unit.master if unit.master in state.field.tokens else None,
        "turned": bool(unit.turner),
        "rank": None,
        "cards": None,
        "points": None,
    }


def _person(person: Person) -> dict[str, Any]:
    own = person.own
    return {
        "stands": person.left if own.hero else None,
        "start": person.start if own.hero else None,
        "weight": own.weight if own.hero else None,
        "assault": 0,
        "melee": own.melee,
        "shot": own.shot,
        "range": own.range,
        "dice": 0,
        "experience": None,
        "temper": None,
        "traits": [_trait(one) for one in own.traits],
        "master": None,
        "turned": False,
        "rank": person.rank or None,
        "cards": list(person.cards) or None,
        "points": person.points or None,
    }


def _trait(one: BorneTrait) -> dict[str, Any]:
    return {"trait": one.trait, "object": one.object or None}


def _fight(state: FantasyState) -> dict[str, Any] | None:
    """The fight that waits; units the reader doesn't see are left out."""
    fight = state.fight
    if fight is None:
        return None
    known = state.field.tokens
    throw = fight.todo[0].throw if fight.todo else None
    return {
        "attacker": fight.attacker if fight.attacker in known else None,
        "target": fight.target if fight.target in known else None,
        "asks": fight.asks,
        "side": fight.side if fight.side >= 0 else None,
        "dice": throw.dice if throw else None,
    }


# API shape of opening a battle


UNSAID = "what the campaign says, unless given"


class ContingentSideAsked(NamedTuple):
    """A side. `leader`: the army whose commander is the side's general."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    leader: Annotated[
        ArmyId, InApi("the army whose commander is the side's general; the first of this rank, unless given")
    ] = ""


class ContingentOptionsAsked(NamedTuple):
    """The options of an opening, besides its sides and its map."""

    combat: Annotated[str | None, OneOf(CHOICES["combat"]), InApi(UNSAID)] = None
    supply: Annotated[str | None, OneOf(CHOICES["supply"]), InApi(UNSAID)] = None
    hindrance: Annotated[str | None, OneOf(CHOICES["hindrance"]), InApi(UNSAID)] = None
    flyers_beside: Annotated[str | None, OneOf(CHOICES["flyers_beside"]), InApi(UNSAID)] = None
    appeals: Annotated[str | None, OneOf(CHOICES["appeals"]), InApi(UNSAID)] = None
    victory_share: Annotated[str | None, OneOf(CHOICES["victory_share"]), InApi(UNSAID)] = None
    turn_limit: Annotated[int | None, WholeNumber(*LIMITS), InApi(UNSAID)] = None

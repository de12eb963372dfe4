"""Serializers of battles. They only map; queries have removed what the reader may not know."""

from battles.api.serializers.battle_shapes import BattleFrame, BattleLineSerializer, BattleSerializer
from battles.api.serializers.event_shapes import (
    DiceNeededSerializer,
    EventPageSerializer,
    EventSerializer,
    ReplaySerializer,
    asks_of,
    follows_of,
)
from battles.api.serializers.inputs import BattleInput, CommandInput
from battles.api.serializers.proposal_shapes import AnswerSerializer, HaltSerializer, ProposalSerializer

__all__ = [
    "AnswerSerializer",
    "BattleFrame",
    "BattleInput",
    "BattleLineSerializer",
    "BattleSerializer",
    "CommandInput",
    "DiceNeededSerializer",
    "EventPageSerializer",
    "EventSerializer",
    "HaltSerializer",
    "ProposalSerializer",
    "ReplaySerializer",
    "asks_of",
    "follows_of",
]

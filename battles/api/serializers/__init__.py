"""Serializers of battles. They only map; queries have removed what the reader may not know."""

from battles.api.serializers.battle_shapes import (
    BattleFrame,
    BattleInput,
    BattleLineSerializer,
    BattleSerializer,
    CommandInput,
)
from battles.api.serializers.event_shapes import (
    AnswerSerializer,
    DiceNeededSerializer,
    EventPageSerializer,
    EventSerializer,
    HaltSerializer,
    ProposalSerializer,
    ReplaySerializer,
    asks_of,
    follows_of,
)

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

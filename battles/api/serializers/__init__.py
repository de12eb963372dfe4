"""Serializers of battles. They only map: queries have left out what the reader may not know."""

from battles.api.serializers.battle import BattleFrame, BattleLineSerializer, BattleSerializer
from battles.api.serializers.dice import DiceNeededSerializer, asks_of, follows_of
from battles.api.serializers.events import EventPageSerializer, EventSerializer, ReplaySerializer
from battles.api.serializers.inputs import BattleInput, CommandInput
from battles.api.serializers.proposals import AnswerSerializer, ProposalSerializer

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
    "ProposalSerializer",
    "ReplaySerializer",
    "asks_of",
    "follows_of",
]

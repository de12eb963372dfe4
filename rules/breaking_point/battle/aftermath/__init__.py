"""Aftermath of a battle (BP-4.12, BP-6, B-47 to B-51), proposed, confirmed and undone as a whole."""

from rules.breaking_point.battle.aftermath.proposal import proposed
from rules.breaking_point.battle.aftermath.tolls import ArmyInCampaign, Consequence, World

__all__ = ["ArmyInCampaign", "Consequence", "World", "proposed"]

"""What a battle does to the world (BP-4.12, BP-6, B-47 to B-51): proposed, confirmed, undone as one."""

from .proposal import proposed
from .reckoning import ArmyInCampaign, Consequence, World

__all__ = ["ArmyInCampaign", "Consequence", "World", "proposed"]

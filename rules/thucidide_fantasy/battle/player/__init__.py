"""Computer player of THUCIDIDE fantasy."""

from rules.thucidide_fantasy.battle.player.engine_choice import next_command

__all__ = ["next_command"]

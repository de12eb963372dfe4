"""Computer player of wing command."""

from rules.wing_command.battle.player.engine_choice import next_command

__all__ = ["next_command"]

"""Engine player of wing command."""

from rules.wing_command.battle.player.choosing import next_command

__all__ = ["next_command"]

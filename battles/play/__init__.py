"""Play of a battle: commands, events, state and undo."""

"""Playing a battle: commands, events, state, undo."""

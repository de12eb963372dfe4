"""Chronicle: the recorded changes of a campaign's world, and undo."""

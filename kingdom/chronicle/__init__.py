"""Chronicle: recorded changes of the world, and undo."""

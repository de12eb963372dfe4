"""A battle in words: sentences of the log, and the battle at a glance."""

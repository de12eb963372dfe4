"""Words of a battle: sentences of the log, the summary."""

"""Words of a battle: log sentences, and the summary."""

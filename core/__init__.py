"""Building blocks without any knowledge of the game: text, input, caches, API plumbing."""

"""Time and armies: what the law of `rules.pathfinder.time` reads and what it does to the tables."""

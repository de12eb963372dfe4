"""Content of Pathfinder's rulebook."""

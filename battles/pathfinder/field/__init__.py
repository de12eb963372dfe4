"""Battle page of Pathfinder."""

"""Days, weeks and months under Pathfinder."""

"""Setup of Pathfinder battles."""

"""Mass combat for Pathfinder: `combat-de-masse` and its amendment `ultimate-campaign`."""

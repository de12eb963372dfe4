"""Mass combat for Pathfinder: the rulesets `combat-de-masse` and `ultimate-campaign`."""

"""Default UI of a ruleset's battles."""

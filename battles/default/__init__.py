"""Default battle UI for rulesets."""

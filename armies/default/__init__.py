"""Default implementation for rulesets that keep an army in its document."""

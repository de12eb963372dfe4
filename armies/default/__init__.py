"""Default army UI, for rulesets that keep an army in its sheet document."""

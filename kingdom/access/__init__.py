"""Access rules: who may see and do what in a campaign."""

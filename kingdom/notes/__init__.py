"""Notes about things of a campaign."""

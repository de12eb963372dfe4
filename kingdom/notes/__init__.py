"""Notes about objects of a campaign."""

"""Unit types of a campaign."""

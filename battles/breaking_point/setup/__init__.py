"""Setup of breaking-point battles."""

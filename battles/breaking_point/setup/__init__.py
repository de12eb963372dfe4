"""Set-up of breaking-point battles."""

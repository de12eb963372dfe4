"""Battle setup and lists of battles."""

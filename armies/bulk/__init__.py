"""Orders for several armies at once."""

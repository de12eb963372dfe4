"""Orders for many armies at once."""

"""Orders: commands, openings, and what each viewer may do."""

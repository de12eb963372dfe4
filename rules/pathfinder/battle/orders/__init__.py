"""Commands, openings, and what each viewer may do."""

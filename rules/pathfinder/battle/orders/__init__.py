"""What may be said to a battle: commands, orders, openings, and what each viewer may do."""

"""State of a battle, its events, and the view of an army in it."""

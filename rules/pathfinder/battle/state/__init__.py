"""State of a battle, the events that change it, and how an army is seen."""

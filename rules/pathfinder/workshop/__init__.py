"""Workshop of mass combat: hypothetical battles, what decides them, and what would make them even."""

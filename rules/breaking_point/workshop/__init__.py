"""Workshop of breaking points: hypothetical battles, what decides them, and what would make them even."""

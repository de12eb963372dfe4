"""Record of a battle: its state, commands and events, and what events change."""

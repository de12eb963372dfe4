"""Record of a battle: state, commands, events, and how events change the state."""

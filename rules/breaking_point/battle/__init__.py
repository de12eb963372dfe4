"""Battle of breaking points as pure functions: opening, state, commands, events, steps, narration, aftermath."""

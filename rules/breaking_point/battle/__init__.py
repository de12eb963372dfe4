"""A battle of breaking points as a pure function: opening, state, commands, events, steps, telling, aftermath."""

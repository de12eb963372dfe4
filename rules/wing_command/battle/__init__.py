"""Battle engine of wing command: state, events, commands, and one module per subject."""

"""Battles of wing command: state, events, commands, and one module a subject."""

"""Telling of a battle: sentences of the log, and the summary."""

"""Telling of a battle: its events in words, its summary."""

"""Aftermath: what a battle does to the world."""

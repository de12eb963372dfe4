"""Aftermath of a battle: what it changes in the campaign."""

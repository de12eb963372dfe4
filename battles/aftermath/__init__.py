"""Aftermath of a battle: its changes to the campaign."""

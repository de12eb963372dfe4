"""Arsenals: what a campaign has of its own beside the tables of its law."""

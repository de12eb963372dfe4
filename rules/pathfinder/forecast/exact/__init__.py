"""Exact forecast of duels (PF-3)."""

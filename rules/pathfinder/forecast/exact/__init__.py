"""Exact forecast of battles between two armies (PF-3)."""

"""Odds workshop: chances of battles that nobody plays."""

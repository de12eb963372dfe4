"""Odds workshop of breaking point."""

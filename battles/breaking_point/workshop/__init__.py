"""Odds workshop of breaking points."""

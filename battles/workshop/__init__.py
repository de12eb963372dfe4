"""Odds workshop."""

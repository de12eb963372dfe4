"""Odds workshop of mass combat."""

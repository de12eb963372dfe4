"""Compiled SQL."""

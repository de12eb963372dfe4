"""Opponents: sides the computer plays."""

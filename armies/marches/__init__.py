"""Marches on the campaign map."""

"""Marches over the campaign map."""

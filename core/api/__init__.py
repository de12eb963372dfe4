"""Plumbing of the REST API."""

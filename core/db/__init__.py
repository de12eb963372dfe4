"""Queries and writes compiled to SQL once."""

"""Notifications of changes, from PostgreSQL to open pages."""

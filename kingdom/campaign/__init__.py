"""Campaigns: creation, settings, calendar, home page."""

"""Campaigns: creation, settings, calendar and home page."""

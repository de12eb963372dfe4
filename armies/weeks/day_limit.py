"""Limit of the days that may pass at once."""

MOST_DAYS = 366

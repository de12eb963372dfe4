"""Forecast of battles of breaking points: the chances that the dice leave."""

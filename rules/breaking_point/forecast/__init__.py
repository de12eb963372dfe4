"""Forecast of breaking point battles: the probability of each outcome."""

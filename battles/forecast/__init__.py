"""Forecasts and jobs."""

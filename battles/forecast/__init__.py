"""Forecasts, and jobs that compute them."""

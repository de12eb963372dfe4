"""Odds under any law: forecasts, workshop questions, luck."""

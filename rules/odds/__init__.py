"""Odds of any law: forecasts, questions, fairness."""

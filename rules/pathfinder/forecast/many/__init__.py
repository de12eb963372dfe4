"""Thousands of battles at once: the steps of a phase on arrays, with figures from `exchange` and the views."""

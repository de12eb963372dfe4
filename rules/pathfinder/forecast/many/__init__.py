"""Thousands of battles at once: the steps of a phase in arrays, on figures that `exchange` and the views give."""

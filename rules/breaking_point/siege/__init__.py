"""Sieges by the week: what holds a place, what wears it down, how it ends (BP-8, B-57 to B-61)."""

"""Sieges by the week: how a place holds, is worn down, and falls (BP-8, B-57 to B-61)."""

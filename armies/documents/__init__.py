"""Armies whose document is a declared shape: raised, corrected, shown, exported and read from the shape alone."""

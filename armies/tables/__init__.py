"""CSV tables of armies and unit types."""

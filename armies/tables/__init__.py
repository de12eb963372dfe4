"""CSV tables of armies, unit types and commanders."""

"""Steps of a phase, as the rules number them (PF-3.5)."""

"""A phase, step by step, as the law numbers them (PF-3.5)."""

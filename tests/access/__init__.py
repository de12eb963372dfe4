"""Who gets what at which address."""

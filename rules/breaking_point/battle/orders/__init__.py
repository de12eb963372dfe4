"""Orders: refusals when one is given, choices before."""

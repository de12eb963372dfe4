"""What may be ordered: refusals when it is given, choices before it is."""

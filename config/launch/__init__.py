"""Scripts that start, build and look after an installation from outside."""

"""Scripts that start, build and check an installation from outside."""

"""Search over everything a reader may see."""

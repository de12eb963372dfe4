"""Search in everything a reader may see."""

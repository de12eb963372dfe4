"""Many battles of a few beginnings fought at once, array by array, with the engine's own figures."""

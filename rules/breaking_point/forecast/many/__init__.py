"""Many battles of one beginning fought at once, array by array, with the engine's own figures."""

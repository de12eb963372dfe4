"""Many similar battles at once, on arrays, with the engine's own figures."""

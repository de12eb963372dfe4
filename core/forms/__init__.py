"""Form fields, and tokens against double submission."""

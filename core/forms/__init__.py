"""Form fields and tokens any page uses."""

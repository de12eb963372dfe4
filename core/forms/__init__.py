"""Form fields and tokens for any page."""

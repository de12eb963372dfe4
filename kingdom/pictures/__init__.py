"""Pictures of commanders, kingdoms, armies and unit types."""

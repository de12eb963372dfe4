"""Campaign map: state, painting, fog of war."""

"""Campaign map: its state, the editor, and fog of war."""

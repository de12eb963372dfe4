"""The law of the game: pure Python, standard library only, no Django."""

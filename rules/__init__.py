"""Rules of the game: pure Python with numpy for simulations, no Django."""

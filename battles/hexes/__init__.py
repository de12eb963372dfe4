"""Battles on hexes: the board, drawn from the values that a law returns (`rules.hexbattle.board`)."""

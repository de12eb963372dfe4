"""Battles on hexes: the board, drawn of values that a law hands over (`rules.hexbattle.board`)."""

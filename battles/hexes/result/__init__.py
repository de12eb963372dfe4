"""Result of a battle on hexes: what its page says once it is over."""

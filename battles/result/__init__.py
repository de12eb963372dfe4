"""Result of a battle: what its page says once it is over."""

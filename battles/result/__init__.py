"""Result of a battle that is over, for its page."""

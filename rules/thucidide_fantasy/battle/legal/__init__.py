"""Legal choices in a battle, given the reader's picks."""

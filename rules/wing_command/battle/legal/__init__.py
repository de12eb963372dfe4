"""Legal commands of a battle as board values, given the reader's picks."""

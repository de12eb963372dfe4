"""Legal commands of a battle as board values, by what the reader has picked."""

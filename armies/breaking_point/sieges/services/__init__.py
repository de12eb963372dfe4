"""What is written of places and sieges."""

"""Computer opponents: sides of a battle that the computer plays."""

"""Steps of a battle: the command test and the nine steps of a round (B-19)."""

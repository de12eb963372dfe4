"""Words of a battle: names, log sentences, summary, and verdict of a round."""

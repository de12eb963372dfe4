"""A battle in words: names, sentences of the log, the battle at a glance, what a round did."""

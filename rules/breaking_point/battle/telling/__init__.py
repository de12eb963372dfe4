"""Telling of a battle: names, sentences of the log, the summary, what a round did."""

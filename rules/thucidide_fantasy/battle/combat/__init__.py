"""Combats: who may start one, and its steps. A combat can pause and wait for an answer (T-34)."""

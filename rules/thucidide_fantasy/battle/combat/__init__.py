"""Combats: who may open one, and what each of their steps does. A combat can stop and wait for an answer (T-34)."""

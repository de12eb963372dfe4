"""Simulation of many similar battles at once, on arrays, with the figures of the battle engine."""

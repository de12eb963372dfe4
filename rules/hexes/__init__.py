"""Hex maps: geometry, terrain, paths, sight, files, generation and painting (HX-1 to HX-12).

The package knows neither troops nor dice; a law passes in its own costs and predicates.
"""

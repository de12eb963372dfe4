"""Maps of hexes: geometry, terrain, paths, sight, files, generation and painting (HX-1 to HX-12).

They know neither troops nor dice: a law brings its costs and its predicates along.
"""

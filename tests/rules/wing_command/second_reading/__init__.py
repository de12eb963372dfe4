"""A second reading of wing command, written from the texts of the law alone.

A plain, slow referee: a situation is a dict of dicts and lists, and each paragraph of the law is a function that says
its id. It shares no code with `rules/`; geometry, terrain, ways and sight are those of the second reading of hexes.
`table` is what speaks with both readings: it draws hosts and maps, plays, and compares.
Texts: `wing-command.md`, `hexes.md`, rulings W, H, C, M.
"""

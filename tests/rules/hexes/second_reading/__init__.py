"""A second reading of hexes, marches and planned lines, written from the texts of the law alone.

It shares no code with `rules/`, so that an error would have to be made twice; `drawing` makes what both are asked.
Texts: HX-1 to HX-7, PF-1.8, PF-2.9, R-72, R-95, and `docs/maps.md` for the lands of a campaign.
"""

"""A second reading of hexes, marches and planned lines, written from the texts of the law alone.

It shares no code with `rules/`, so that an error would have to be made twice; `drawing` makes what both are asked.
`moves`, `sides` and `files` are read for battles (`tests/rules/hexbattle/test_two_readings.py`); `situations` draws
maps and places from seeds.
Texts: HX-1 to HX-8, H-1 to H-10, W-32, W-42, W-52, W-54, W-62, T-25; PF-1.8, PF-2.9, R-72, R-95, and
`docs/maps.md` for the lands of a campaign.
"""

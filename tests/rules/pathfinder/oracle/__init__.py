"""A second reading of the battle law, to hold the engine against.

Written from `pathfinder.md` and `pathfinder-rulings.md` alone, in plain dicts and if-statements; it shares no code
with `rules/` beyond the shapes of its input. It is slow and has no manners: it trusts its orders.
"""

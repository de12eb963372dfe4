"""A second reading of the law of breaking point, to hold the engine against.

Written from `breaking-point.md` and `breaking-point-rulings.md` alone, in plain values and if-statements; it shares no
code with `rules/`. It is slow and has no manners: it trusts its orders.
"""

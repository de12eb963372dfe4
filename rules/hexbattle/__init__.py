"""Rules that all hex battles share: units, ground, movement, setup, sight, endings, chances and automatic play.

The package depends on no ruleset; each ruleset builds its battle law on it. Stored and reported hexes are labels such
as "C7" (H-4).
"""

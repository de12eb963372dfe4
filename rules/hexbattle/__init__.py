"""Rules of hex battles that several laws share: units, ground, moving, setup, sight, endings, chances, play.

It knows no law. Hexes are labels ("C7") in everything that is stored or told (H-4).
"""

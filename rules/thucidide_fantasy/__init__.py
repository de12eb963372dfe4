"""Ruleset "THUCIDIDE fantasy" (document 004): units made of stands, heroes, spells, undead and gods on a hex map."""

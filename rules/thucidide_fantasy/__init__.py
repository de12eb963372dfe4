"""Ruleset of THUCIDIDE fantasy (document 004): units of stands, heroes, spells, undead and gods on a hex map."""

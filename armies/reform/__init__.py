"""Reforming armies (dividing and combining them), under any ruleset."""

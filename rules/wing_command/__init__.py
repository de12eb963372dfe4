"""Ruleset of wing command (document 003): two hosts on a hex map, fought through the command of their wings."""

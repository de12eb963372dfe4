"""Ruleset "wing command" (document 003): two hosts on a hex map, led through the commanders of their wings."""

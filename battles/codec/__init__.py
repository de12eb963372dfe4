"""Codec between JSON and the dataclasses of the rules: what is stored, and what the API speaks."""

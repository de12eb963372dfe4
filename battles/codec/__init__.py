"""Codec between JSON and the dataclasses of the rules, for storage and for the API."""

"""Battles of wing command."""

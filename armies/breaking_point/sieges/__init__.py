"""Sieges and fortified places (BP-8)."""

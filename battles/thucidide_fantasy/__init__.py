"""Battles of THUCIDIDE fantasy."""

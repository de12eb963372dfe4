"""Battles of thucidide-fantasy: the engine."""

"""Battles of breaking points that nobody fights: what decides them, and what would make them even."""

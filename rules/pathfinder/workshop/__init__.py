"""Battles of mass combat that nobody fights: what decides them, and what would make them even."""

"""Armies of wing command: each is a wing."""

"""Seed of server dice that stay the same while a table answers step by step (`rules.core.dice.Pinned`)."""

from __future__ import annotations

import secrets

SECRET_BYTES = 32


def new_dice_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)

"""Server dice that stay the same while a table answers step by step.

Dice typed at the table are asked for step by step, and nothing is decided until the last step. Dice left to the
server in between must not change from one step to the next, nor between a preview and its confirmation.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

from rules.dice import Roll


class Pinned:
    """One secret, one face for each (army, roll, turn). As unforeseeable as the secret, which nobody is shown."""

    def __init__(self, secret: str):
        self._key = bytes.fromhex(secret)
        self._turns: Counter[tuple[str, str]] = Counter()

    def roll(self, army: str, name: str, die: int) -> Roll:
        self._turns[army, name] += 1
        return Roll(army, name, die, self._face(f"{army}|{name}|{die}|{self._turns[army, name]}", die))

    def _face(self, what: str, die: int) -> int:
        limit, attempt = 256 - 256 % die, 0
        while True:
            byte = hmac.digest(self._key, f"{what}|{attempt}".encode(), hashlib.sha256)[0]
            if byte < limit:  # a byte beyond the last full run would favour the low faces
                return byte % die + 1
            attempt += 1

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...

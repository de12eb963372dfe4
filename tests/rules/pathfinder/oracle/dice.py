"""Dice that fall the same for the same purpose, whoever asks first."""

from __future__ import annotations

from hashlib import blake2b

from rules.core.dice import Roll


class KeyedDice:
    """A face depends on the battle's seed, the phase, the army, the purpose and how often that was asked before.

    Fits the engine's protocol (`roll`, `checkpoint`, `finish`); the oracle uses `face`.
    """

    def __init__(self, seed: object, phase: object):
        self._seed = f"{seed}|{phase}"
        self._asked: dict[tuple[str, str], int] = {}

    def face(self, army: str, name: str, die: int) -> int:
        count = self._asked.get((army, name), 0)
        self._asked[army, name] = count + 1
        digest = blake2b(f"{self._seed}|{army}|{name}|{count}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) % die + 1

    def asked(self) -> dict[tuple[str, str], int]:
        """How many dice were asked for each army and purpose."""
        return dict(self._asked)

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, self.face(army, name, die))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...

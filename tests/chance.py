"""Dice of the server that fall alike whenever a test runs: no run fails by chance what another one passes.

`make test-full` leaves them to chance, and so finds tests that lean on a throw. The faces follow from the test's name;
those of a world (tests/worlds.py) from the world's, since many tests stand on it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules.core import dice
from tests.everyday import FULL

PINNED = ["battles.play.dice_session", "battles.aftermath.services", "armies.weeks.passage"]
"""Modules that pin dice by a secret nobody knows. Where a test names the secret, the faces follow from that."""
TOKENS = ["battles.wing_command.ui", "battles.thucidide_fantasy.ui"]
"""Modules that draw a seed of a battle's own."""

_chance = random.Random()
_faces: dict[tuple[bytes, str], int] = {}


class Steady(dice.Pinned):
    """One face for each roll of a secret, drawn in the order of the first asking: ids differ from run to run."""

    def _face(self, what: str, die: int) -> int:
        roll = self._key, what
        if roll not in _faces:
            _faces[roll] = _chance.randint(1, die)
        return _faces[roll]


def draw_for(name: str) -> None:
    """From now on the dice fall as they always do under this name."""
    _chance.seed(name)
    _faces.clear()


@pytest.fixture(autouse=True, scope="session")
def _steady_dice() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not FULL:
            patch.setattr(dice, "urandom", _chance.randbytes)
            for module in PINNED:
                patch.setattr(f"{module}.Pinned", Steady)
            for module in TOKENS:
                patch.setattr(f"{module}.token_hex", lambda size: _chance.randbytes(size).hex())
        yield

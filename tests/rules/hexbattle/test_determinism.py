"""Determinism: a battle of the engine player hangs on its dice and its seed, not on the process that plays it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HASHES = ("1", "2")
"""Sets of strings are walked in another order under each."""
SOME_COMMANDS = 60
PLAYED = f"""
from tests.rules.thucidide_fantasy import fights as fantasy
from tests.rules.wing_command import fights as wings

for law, armies in (
    (fantasy, (fantasy.realm(0), fantasy.dark_host(1))),
    (wings, (*wings.crown(0), *wings.horde(1))),
):
    _state, commands, events = law.played(law.begun(*armies), "same", most={SOME_COMMANDS})
    print(*commands, *(type(event).__name__ for event in events), sep="\\n")
"""


def test_battles_of_both_laws_are_the_same_in_every_process():
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PLAYED], cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE, text=True,
        )
        for seed in HASHES
    ]  # fmt: skip
    first, second = (process.communicate(timeout=120)[0].splitlines() for process in running)
    assert len(first) > 2 * SOME_COMMANDS
    for one, other in zip(first, second, strict=True):
        assert one == other

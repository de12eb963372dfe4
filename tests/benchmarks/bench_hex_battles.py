"""The cost of a whole battle of the hex laws, played by their own players: against bare Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

from tests.benchmarks import Row
from tests.rules.thucidide_fantasy import fights as fantasy
from tests.rules.wing_command import fights as wings

BATTLES, ROUNDS = 8, 3
ADDITIONS = 1_000_000


def bench_battles() -> Iterator[Row]:
    """A million additions take 35 ms on a quiet machine: the targets are 150 and 24 ms there."""
    hosts = wings.begun(*wings.crown(0), *wings.horde(1))
    yield _row("battle of wing command, 12 troops against 11", partial(wings.played, hosts), 4.3)
    armies = fantasy.begun(fantasy.realm(0), fantasy.dark_host(1))
    yield _row("battle of THUCIDIDE fantasy, 9 units against 9", partial(fantasy.played, armies), 0.7)


def _row(name: str, play: Callable[[str], Any], target: float) -> Row:
    """The median of a few battles, each at its best, against the best run of the loop."""
    play("warm")
    battles: dict[int, float] = {}
    loops: list[float] = []
    for _round in range(ROUNDS):
        for seed in range(BATTLES):
            took = _seconds(partial(play, str(seed)))
            battles[seed] = min(took, battles.get(seed, took))
            loops.append(_seconds(_add))
    middle = median(battles.values())
    return Row(f"{name} ({middle * 1e3:.0f} ms), × a million additions", middle / min(loops), target, "lower")


def _seconds(work: Callable[[], object]) -> float:
    """Of the processor, whoever else wants it."""
    started = process_time()
    work()
    return process_time() - started


def _add() -> int:
    total = 0
    for number in range(ADDITIONS):
        total += number
    return total

"""Engine player: enumerates the legal acts of a side through the law's own `legal`, scores them by the law, chooses.

It knows what its side knows and nothing else: it asks `legal` of the state its viewer sees. The same seed makes the
same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from rules.battles import BattleLaw, Viewer
from rules.core.dice import Dice
from rules.core.errors import Refusal
from rules.hexbattle.board import BoardLegal

MOST_COMMANDS = 400
JITTER = 1e-6

type Offers = Callable[[BattleLaw, Any, Viewer, str], Iterator[Any]]
"""The complete commands of a unit. A law that enumerates them faster than `acts` brings its own."""
type Score = Callable[[Any, Any, Viewer], float]
"""How good a command is for who gives it: of the state they see, the command, and who they are."""


class Choice(NamedTuple):
    command: Any
    score: float


def acts(law: BattleLaw, seen: Any, viewer: Viewer, unit: str) -> Iterator[Any]:
    """Every complete command of a unit that `legal` offers: each hex, each target from there, each other act."""
    first: BoardLegal = law.legal(seen, viewer, (unit,))  # type: ignore[assignment]
    if unit not in first.picked:
        return
    yield from _confirmed(first)
    for act in first.acts:
        if act.why_not is None:
            yield from _confirmed(law.legal(seen, viewer, (unit, act.slug)))
    yield from _targeted(law, seen, viewer, first, (unit,))
    for step in first.steps:
        if step.why_not is None:
            there = law.legal(seen, viewer, (unit, step.hex))
            yield from _confirmed(there)
            yield from _targeted(law, seen, viewer, there, (unit, step.hex))


def _targeted(law: BattleLaw, seen: Any, viewer: Viewer, legal: Any, picked: tuple[str, ...]) -> Iterator[Any]:
    for target in legal.targets:
        if target.why_not is None:
            yield from _confirmed(law.legal(seen, viewer, (*picked, target.target)))


def _confirmed(legal: Any) -> Iterator[Any]:
    if legal.confirm is not None:
        yield legal.confirm.command


def choices(law: BattleLaw, state: Any, viewer: Viewer, score: Score, offers: Offers = acts) -> list[Choice]:
    """Every legal command of the units that can act now, with its score, the best first."""
    seen = law.seen(state, viewer)
    legal: BoardLegal = law.legal(seen, viewer)  # type: ignore[assignment]
    commands = list(_confirmed(legal))
    for unit in legal.able:
        commands += offers(law, seen, viewer, unit)
    distinct = list({repr(command): command for command in commands}.values())
    return sorted((Choice(command, score(seen, command, viewer)) for command in distinct), key=lambda one: -one.score)


def chosen(law: BattleLaw, state: Any, viewer: Viewer, score: Score, seed: str, offers: Offers = acts) -> Any | None:
    """The best command, of equal ones any by the seed; None where there is nothing to do."""
    found = choices(law, state, viewer, score, offers)
    if not found:
        return None
    best = [one.command for one in found if one.score >= found[0].score - JITTER]
    return Random(seed).choice(best)


class SidePlayed(NamedTuple):
    """What a player did: the state after it, the commands, and all their events."""

    state: Any
    commands: tuple[Any, ...]
    events: tuple[Any, ...]


def play(
    law: BattleLaw,
    state: Any,
    viewer: Viewer,
    score: Score,
    dice: Callable[[], Dice],
    seed: str,
    *,
    until: Callable[[Any], bool],
    most: int = MOST_COMMANDS,
    answer: Callable[[Any, Any, Random], Any] | None = None,
    offers: Offers = acts,
) -> SidePlayed:
    """Plays what is this viewer's to do until the law says so (`until`), nothing is, or somebody else has to answer.

    `dice`: the dice of a command. `answer`: the law's command that answers something pending, of the state seen, what
    is pending and a draw; without it the player stops there.
    """
    commands: list[Any] = []
    events: list[Any] = []
    while len(commands) < most and not until(state):
        drawn, seen = f"{seed}:{len(commands)}", law.seen(state, viewer)
        if pending := law.pending(seen, viewer):
            command = answer(seen, pending[0], Random(drawn)) if answer else None
        else:
            command = chosen(law, state, viewer, score, drawn, offers)
        if command is None:
            break
        done = law.decide(state, command, dice(), viewer)
        state = law.fold(state, done)
        commands.append(command)
        events += done
    return SidePlayed(state, tuple(commands), tuple(events))


def accepted(law: BattleLaw, state: Any, viewer: Viewer, command: Any, dice: Dice) -> bool:
    """Whether the law takes a command, for tests that hold `legal` to `decide`."""
    try:
        law.decide(state, command, dice, viewer)
    except Refusal:
        return False
    return True

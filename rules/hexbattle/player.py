"""Computer player: lists the legal commands of a side, scores them with the law's function, and chooses the best.

It knows only what its side knows: it calls `legal` on the state its viewer sees. The same seed gives the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from rules.battle_law import BattleLaw, Viewer
from rules.core.dice import Dice
from rules.core.errors import Refusal
from rules.hexbattle.board import BoardLegal

MOST_COMMANDS = 400
JITTER = 1e-6

type Offers = Callable[[BattleLaw, Any, Viewer, str], Iterator[Any]]
"""A function that lists the complete commands of a unit. A law that can do it faster than `acts` passes its own."""
type Score = Callable[[Any, Any, Viewer], float]
"""A function of the state seen, a command and its viewer: how good the command is; higher is better."""


class Choice(NamedTuple):
    """A legal command and its score."""

    command: Any
    score: float


def acts(law: BattleLaw, seen: Any, viewer: Viewer, unit: str) -> Iterator[Any]:
    """Every complete command of a unit that `legal` offers: each hex, each target from there, and each other act."""
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
    """Every legal command of the units that can act now, with its score, best first."""
    seen = law.seen(state, viewer)
    legal: BoardLegal = law.legal(seen, viewer)  # type: ignore[assignment]
    commands = list(_confirmed(legal))
    for unit in legal.able:
        commands += offers(law, seen, viewer, unit)
    distinct = list({repr(command): command for command in commands}.values())
    return sorted((Choice(command, score(seen, command, viewer)) for command in distinct), key=lambda one: -one.score)


def chosen(law: BattleLaw, state: Any, viewer: Viewer, score: Score, seed: str, offers: Offers = acts) -> Any | None:
    """The best command; among equals the seed decides. None if there is no command."""
    found = choices(law, state, viewer, score, offers)
    if not found:
        return None
    best = [one.command for one in found if one.score >= found[0].score - JITTER]
    return Random(seed).choice(best)


class SidePlayed(NamedTuple):
    """Result of the computer player's moves: the state afterwards, its commands, and all their events."""

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
    """Play for this viewer until `until` is true, nothing is left to do, or somebody else has to answer.

    `dice`: makes the dice of each command. `answer`: gives the command that answers a pending question, from the state
    seen, the question and a random generator; without it play stops at a question. `most`: the limit of commands.

    Raises the law's refusal if it rejects a command.
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
    """Whether the law accepts a command, for tests that compare `legal` with `decide`."""
    try:
        law.decide(state, command, dice, viewer)
    except Refusal:
        return False
    return True

"""Simulation of battles with seeded dice, as often as time allows: many at once where possible (`many`), otherwise one
by one in the engine.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import COMMAND, ROUND, BattleNow, Order
from rules.breaking_point.battle.state.conditions import terrain_of
from rules.breaking_point.battle.steps.phase import dusk_of, resolve_command, resolve_round
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.telling.summary import health_of, status_of
from rules.breaking_point.forecast.choices import idle_armies, lasting, ordered, retreating
from rules.breaking_point.forecast.exact import exactly
from rules.breaking_point.forecast.many.fights import Multitude
from rules.breaking_point.forecast.many.moments import FATES
from rules.breaking_point.forecast.many.sheets import Numbers, Sheets, fits, sheets_of
from rules.breaking_point.forecast.tally import Ended, ended, odds_of, winning_of
from rules.core.dice import Dice, Roll
from rules.core.frozen_copy import changed
from rules.core.odds import AboutOdds, Odds, Winning

# Shapes of battles that can be simulated together: equal in everything except figures and initial states.

type BattleShape = tuple[object, ...]
type NumberedBattle = tuple[int, BattleNow, Sheets]
"""Index of a battle among those asked about, the battle, and its sheets."""

CELLS = 500_000
"""Most pairs of bodies simulated together in all battles. More would fill the memory without being faster."""


def shape_of(battle: BattleNow, about: AboutOdds) -> BattleShape:
    """Return the shape of a battle: positions, the field and its rules, and all orders, with numbers instead of the
    armies' names. Battles of one shape are simulated together.
    """
    owners, ground = battle.owners(), terrain_of(battle.conditions)
    house = battle.house.plain_die, battle.house.surprise_for_battle
    field = ground.crowded, ground.harsher, battle.holds(c.NO_SURPRISE), dusk_of(battle)
    bodies = tuple(
        (owners.index(body.army), body.side, body.shoots_only, body.penalty) for body in battle.bodies.values()
    )
    asked = tuple((about.retreats.get(army), about.until.get(army)) for army in owners)
    return (
        battle.kind,
        battle.phase,
        bool(battle.due),
        house,
        field,
        bodies,
        asked,
        tuple(_outcome_told(battle, owners)),
    )


def _outcome_told(battle: BattleNow, owners: Sequence[str]) -> Iterator[object]:
    """Yield the orders of each army and body, with targets as indices in attack order."""
    places = {body.id: at for at, body in enumerate(battle.bodies.values())}
    for army in owners:
        order = battle.orders.get(army, Order(army))
        yield order.withdraw, places.get(f"{army}:{order.rally}")
    for body in battle.bodies.values():
        told = battle.orders[body.army].bodies.get(body.key) if body.army in battle.orders else None
        yield told and (told.do, places.get(told.target), told.pursue, told.riposte)


def together(drawn: Sequence[NumberedBattle], about: AboutOdds, count: int) -> Iterator[list[NumberedBattle]]:
    """Yield groups of battles of one shape, small enough that `count` simulations of each fit."""
    shapes: dict[BattleShape, list[NumberedBattle]] = {}
    for one in drawn:
        shapes.setdefault(shape_of(one[1], about), []).append(one)
    for alike in shapes.values():
        most = max(1, CELLS // (count * len(alike[0][1].bodies) ** 2))
        for first in range(0, len(alike), most):
            yield alike[first : first + most]


def fought(battle: BattleNow, about: AboutOdds, count: int, seed: int, most: int) -> list[Ended] | None:
    """Simulate this many battles on arrays. Returns each outcome with its count; None if only the battle engine can
    simulate them.
    """
    sheets = _sheets(battle)
    if sheets is None:
        return None
    fights = Multitude([battle], [sheets], count, seed)
    fights.fight(about, most)
    return list(_counted(battle, fights))


def decided(
    battles: Sequence[BattleNow], about: AboutOdds, count: int, seed: int, most: int
) -> list[list[Ended] | None]:
    """Simulate this many battles of each, those of one shape together. Returns only the winner and the duration of
    each.
    """
    found: list[list[Ended] | None] = [None] * len(battles)
    sheets = [(at, battle, _sheets(battle)) for at, battle in enumerate(battles)]
    drawn = [(at, battle, own) for at, battle, own in sheets if own is not None]
    for alike in together(drawn, about, count):
        places, begun, own = zip(*alike, strict=True)
        fights = Multitude(begun, own, count, seed)
        fights.fight(about, most)
        for at, winner, rounds in zip(places, fights.winner.tolist(), fights.rounds.tolist(), strict=True):
            ends = Counter(zip(winner, rounds, strict=True))
            found[at] = [Ended(side, {}, {}, length, float(often)) for (side, length), often in ends.items()]
    return found


def _sheets(battle: BattleNow) -> Sheets | None:
    """Return the sheets; None for a battle that only the battle engine can simulate."""
    return sheets_of(battle) if fits(battle) else None


def _counted(battle: BattleNow, fights: Multitude) -> Iterator[Ended]:
    armies = [army for side in battle.sides for army in side.armies]
    left = [fights.left[fights.own(army), 0].sum(axis=0) for army in armies]
    rows = np.stack([fights.winner[0], fights.rounds[0], *left, *fights.fates[:, 0]])
    found, counts = np.unique(rows, axis=1, return_counts=True)
    known: dict[bytes, dict[str, str]] = {}
    for column, often in zip(found.T, counts, strict=True):
        winner, rounds = int(column[0]), int(column[1])
        fates = column[2 + len(armies) :]
        if fates.tobytes() not in known:
            known[fates.tobytes()] = _fates(battle, armies, fates)
        lefts = {army: int(points) for army, points in zip(armies, column[2:], strict=False)}
        yield Ended(winner, lefts, known[fates.tobytes()], rounds, float(often))


def _fates(battle: BattleNow, armies: list[str], fates: Numbers) -> dict[str, str]:
    bodies = {
        body.id: changed(body, status=FATES[fate])
        for body, fate in zip(battle.bodies.values(), fates.tolist(), strict=True)
    }
    gone = battle.changed(bodies=bodies)
    return {army: status_of(gone, army) for army in armies}


WORK, WORK_AT_ONCE = 27_000, 24_000
"""Work of a second or two: bodies moved through a round by the engine, or through a battle on arrays."""
FEWEST, MOST, MOST_AT_ONCE = 40, 20_000, 4_000
"""Numbers of battles. Four thousand give the chance to win to within 1.5 points."""
MOST_ROUNDS = 400
USUAL_ROUNDS = 6


class Seeded:
    """Seeded dice: fast and repeatable, for simulations only."""

    __slots__ = ("_random",)

    def __init__(self, seed: int):
        self._random = Random(seed).random

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, int(self._random() * die) + 1)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def simulated(battle: BattleNow, about: AboutOdds, *, share: int = 1) -> Odds:
    """Return the simulated odds of a battle before its command test or round. `share` divides the
    work of one question.
    """
    return odds_of(battle, thrown(battle, about, share=share))


def thrown(battle: BattleNow, about: AboutOdds, *, share: int = 1) -> list[Ended]:
    """Simulate the battle; equal ends may be merged. Several questions about one battle (`share`) use the same dice on
    arrays, so that only the orders differ.
    """
    at_once = _wanted(about, min(MOST_AT_ONCE, WORK_AT_ONCE // len(battle.bodies)), share)
    found = fought(battle, about, at_once, seed_of(battle, about.seed), rounds_of(about))
    return found if found is not None else played(battle, about, share=share)


def rounds_of(about: AboutOdds) -> int:
    """Return the largest number of rounds to look ahead."""
    return MOST_ROUNDS if about.phases is None else about.phases


def played(battle: BattleNow, about: AboutOdds, *, share: int = 1) -> list[Ended]:
    """Simulate the battles one by one in the battle engine."""
    dice = Seeded(seed_of(battle, about.seed, [(army, _told(order)) for army, order in sorted(battle.orders.items())]))
    wanted = _wanted(about, WORK // (USUAL_ROUNDS * len(battle.bodies)), share)
    return [play(battle, about, dice) for _ in range(wanted)]


def _wanted(about: AboutOdds, usual: int, share: int) -> int:
    return max(1, min(MOST, about.battles or max(FEWEST, usual)) // share)


def seed_of(battle: BattleNow, seed: int, orders: object = None) -> int:
    """Return a seed that is the same for the same question, on every machine."""
    bodies = [(b.id, b.losses, b.status, b.penalty) for b in battle.bodies.values()]
    asked = repr((seed, battle.phase, bodies, orders))
    return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:8], "big")


def _told(order: Order) -> Sequence[object]:
    return sorted(order.bodies.items()), order.withdraw, order.commit, order.rally, order.distance


def play(battle: BattleNow, about: AboutOdds, dice: Dice) -> Ended:
    """Play one battle until it is over or the forecast's horizon is reached."""
    standing, fought, idle = dict(battle.orders), 0, idle_armies(battle, about)
    most = rounds_of(about)
    while battle.result is None and fought < most and not (fought and _looked_enough(battle, about)):
        leaving = retreating(battle, about, fought, _left(battle, about))
        fights = battle.phase.kind != COMMAND
        battle = resolved(ordered(battle, {**standing, **leaving}, idle if not fought else frozenset()), dice)
        fought += fights
        if fights:
            standing = dict(lasting(battle.changed(orders=standing)))
    return ended(battle, fought)


def resolved(battle: BattleNow, dice: Dice) -> BattleNow:
    """Return the battle after its command test or this round."""
    run = Run(battle, dice)
    (resolve_command if battle.phase.kind == COMMAND else resolve_round)(run)
    return run.battle


def _left(battle: BattleNow, about: AboutOdds) -> dict[str, int]:
    watched = [army for army, retreat in about.retreats.items() if retreat.health is not None]
    return {army: health_of(battle, army)[0] for army in watched if army in battle.armies}


def _looked_enough(battle: BattleNow, about: AboutOdds) -> bool:
    return any(army in battle.armies and health_of(battle, army)[0] <= least for army, least in about.until.items())


# Comparison of several similar battles, with the same dice in all of them.
#
# The same roll in the same round shows the same face in each battle, so that their chances differ by the battles and
# hardly by luck. Battles of one shape are simulated at once where possible (`many`). The engine plays fewer, with dice
# laid out beforehand.

USUAL, BY_THE_ENGINE = 2000, 150
DEEP = 64  # faces laid out for one owner and kind of roll; longer sequences repeat


class LaidOut:
    """Faces rolled beforehand for many battles, by owner and kind of roll."""

    def __init__(self, seed: int, battles: int):
        self._seed, self.battles = seed, battles
        self._rows: dict[tuple[str, str, int], list[list[int]]] = {}

    def of(self, owner: str, name: str, die: int, battle: int) -> list[int]:
        key = owner, name, die
        if key not in self._rows:
            named = hashlib.sha256(repr((self._seed, *key)).encode()).digest()
            faces = np.random.default_rng(int.from_bytes(named[:8], "big"))
            self._rows[key] = faces.integers(1, die + 1, (self.battles, DEEP)).tolist()
        return self._rows[key][battle]


class FromLaidOut:
    """Dice source of one of these battles."""

    def __init__(self, laid_out: LaidOut, battle: int):
        self._laid_out, self._battle = laid_out, battle
        self._thrown: Counter[tuple[str, str]] = Counter()

    def roll(self, army: str, name: str, die: int) -> Roll:
        at = self._thrown[army, name]
        self._thrown[army, name] += 1
        return Roll(army, name, die, self._laid_out.of(army, name, die, self._battle)[at % DEEP])

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def compared(states: Sequence[BattleNow], about: AboutOdds) -> list[Winning | None]:
    """Return who wins each battle, exact where possible; None if nothing can be foretold."""
    found: list[Winning | None] = [None] * len(states)
    thrown: list[int] = []
    for at, state in enumerate(states):
        if state.phase.kind not in (COMMAND, ROUND):
            continue
        exact = exactly(state, about)
        if exact is None:
            thrown.append(at)
        else:
            found[at] = exact.winning
    for at, winning in zip(thrown, _thrown([states[at] for at in thrown], about), strict=True):
        found[at] = winning
    return found


def _thrown(states: Sequence[BattleNow], about: AboutOdds) -> Iterator[Winning]:
    battles = min(MOST, about.battles or USUAL)
    laid_out = LaidOut(about.seed, min(battles, BY_THE_ENGINE))
    for state, ends in zip(states, decided(states, about, battles, about.seed, rounds_of(about)), strict=True):
        yield winning_of(state, _played(state, about, laid_out) if ends is None else ends)


def _played(state: BattleNow, about: AboutOdds, laid_out: LaidOut) -> list[Ended]:
    return [play(state, about, FromLaidOut(laid_out, battle)) for battle in range(laid_out.battles)]

"""A law that foretells what it is told to, for pages that only have to draw it: two sides, or many armies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.odds import (
    SIMULATED,
    AboutOdds,
    ArmyOdds,
    Choosable,
    Guess,
    Length,
    Odds,
    OddsLaw,
    OddsTable,
    SideOdds,
    TableKind,
)
from rules.core.text import _

STEPS = ("Defensive", "Cautious", "Standard", "Aggressive", "Reckless")
WIN = ((39, 34, 29), (64, 47, 36), (85, 66, 51), (90, 75, 61), (92, 82, 66))


class Told(OddsLaw):
    known = True

    def guesses(self, state: Any, viewer: Any) -> Sequence[Guess]:
        return (Guess(state),)

    def odds(self, state: Any, about: AboutOdds, viewer: Any) -> Odds | None:
        sides = len(state.sides)
        wins = [0.47, 0.40, 0.06][:sides]
        undecided = 0.03
        return Odds(
            SIMULATED,
            0.009,
            undecided,
            1 - sum(wins) - undecided,
            tuple(
                SideOdds(side.name, win, 0.1, 0.3, win - 0.05 if viewer.gm is False else win, win)
                for side, win in zip(state.sides, wins, strict=False)
            ),
            {army.id: _army(army) for army in state.armies.values()},
            Length(6.4, 11),
            (_("Orders are kept until the end."), _("The raiders are taken to stay aggressive.")),
        )

    def table_kinds(self, state: Any, row: str, column: str) -> Sequence[TableKind]:
        return TableKind("strategy", _("Strategies")), TableKind("tactic", _("Tactics"))

    def table(self, state: Any, kind: str, row: str, column: str, about: AboutOdds, viewer: Any) -> OddsTable | None:
        barred = _("Rage")
        mine = tuple(
            _choice(name, current=name == "Cautious", check=0.45 if n > 3 else 1) for n, name in enumerate(STEPS)
        )
        theirs = tuple(_choice(name, barred if n < 2 else "", name == "Aggressive") for n, name in enumerate(STEPS))
        win = tuple((None, None, *(cell / 100 for cell in line)) for line in WIN)
        mixed = (0.0, 0.0, 0.0, 0.35, 0.65) if kind == "tactic" else (0.0, 0.0, 0.0, 0.0, 1.0)
        return OddsTable(
            kind, _("Strategies"), row, column, mine, theirs, win, (None, None, 4, 4, 4), mixed,
            (0.0, 0.0, 0.0, 0.0, 1.0), 0.66, SIMULATED, 0.01,
        )  # fmt: skip


def _choice(name: str, barred: Any = "", current: bool = False, check: float = 1.0) -> Choosable:
    return Choosable(name.lower(), _(name), barred, check, current)


def _army(army: Any) -> ArmyOdds:
    stands = tuple((army.hp_max * n // 10, 0.01 * (11 - n)) for n in range(1, 11))
    rest = 1 - sum(chance for _left, chance in stands)
    health = {0: rest - 0.04, 3: 0.04}
    for left, chance in stands:
        health[left] = health.get(left, 0) + chance
    fates = {"fighting": 1 - rest, "routed": 0.04, "defeated": rest - 0.04}
    return ArmyOdds(army.id, tuple(sorted(health.items())), fates)

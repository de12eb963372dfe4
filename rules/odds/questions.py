"""Questions of the workshop as pure values for another process, and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rules.battle_law import OMNISCIENT
from rules.core.odds import AboutOdds, Method, Odds, OddsTable, Winning
from rules.core.workshop import Decisive, Evaluator, Even, decides, evens, first_wins
from rules.law import Law
from rules.registry import ruleset


@dataclass(frozen=True, slots=True)
class Meeting:
    """Battle of two armies: the law's slug, the campaign's house rules, the opening and the armies' behaviour."""

    law: str
    house: Mapping[str, Any]
    opening: Any
    bearings: Mapping[str, Any]

    @property
    def by(self) -> Law:
        return ruleset(self.law, self.house)

    @property
    def question(self) -> Any:
        return self.by.workshop.question(self.opening, self.bearings)


class Explained(NamedTuple):
    """What decides a battle and what would make it even. `error` is that of each chance behind it."""

    causes: tuple[Decisive, ...]
    evens: tuple[Even, ...]
    error: float = 0.0


def odds_of(meeting: Meeting, about: AboutOdds) -> Odds | None:
    law = meeting.by
    return law.battle.forecast.odds(law.workshop.begun(meeting.question), about, OMNISCIENT)


def table_of(meeting: Meeting, kind: str, row: str, column: str, about: AboutOdds) -> OddsTable | None:
    law = meeting.by
    state = law.workshop.begun(meeting.question)
    return law.battle.forecast.table(state, kind, row, column, about, OMNISCIENT)


def explained(meeting: Meeting, about: AboutOdds) -> Explained:
    law, question = meeting.by, meeting.question
    workshop = law.workshop
    ask = asking(law, replace(about, battles=about.battles or workshop.thrown))
    now = ask([question])[0]
    win, error = first_wins(now), 0.0 if now is None else now.error
    return Explained(decides(workshop.levers(question), win, ask), evens(workshop.dials(question), win, ask), error)


class Pairing(NamedTuple):
    """Result of one army against another. `phases` is the mean number of phases."""

    first: str
    second: str
    win: float
    lose: float
    mutual: float
    undecided: float
    phases: float
    method: Method
    error: float


@dataclass(frozen=True, slots=True)
class SweepPart:
    """Part of a sweep: one army against several, on a field. Armies are (id in the sweep, document)."""

    law: str
    house: Mapping[str, Any]
    first: tuple[str, Any]
    against: tuple[tuple[str, Any], ...]
    field: Any


def swept(part: SweepPart, about: AboutOdds) -> tuple[Pairing, ...]:
    """Return the results of all pairs that can be foretold."""
    return swept_together((part,), about)


def swept_together(parts: Sequence[SweepPart], about: AboutOdds) -> tuple[Pairing, ...]:
    """Return the results of several parts of one sweep. Batching makes each battle cheaper."""
    law = ruleset(parts[0].law, parts[0].house)
    names = [(part.first[0], other) for part in parts for other, _document in part.against]
    battles = [battle for part in parts for battle in _meetings(law, part)]
    found = law.battle.forecast.winners(battles, about, OMNISCIENT)
    pairs = zip(names, found, strict=True)
    return tuple(_pairing(first, other, winning) for (first, other), winning in pairs if winning is not None)


def _meetings(law: Law, part: SweepPart) -> Sequence[Any]:
    return law.workshop.meetings(part.first[1], [document for _name, document in part.against], part.field)


def _pairing(first: str, second: str, said: Winning) -> Pairing:
    one, two = said.wins
    return Pairing(first, second, one, two, said.mutual, said.undecided, said.phases.mean, said.method, said.error)


def mirrored(pairing: Pairing) -> Pairing:
    """Return the result as seen from the other army. Blows are simultaneous, so the order of the
    two does not matter.
    """
    return pairing._replace(
        first=pairing.second, second=pairing.first, win=pairing.lose, lose=pairing.win
    )  # fmt: skip


def asking(law: Law, about: AboutOdds) -> Evaluator:
    """Return a function that computes who wins questions of this law."""

    def ask(questions: Sequence[Any]) -> Sequence[Winning | None]:
        begun = [law.workshop.begun(question) for question in questions]
        return law.battle.forecast.winners(begun, about, OMNISCIENT)

    return ask

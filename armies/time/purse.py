"""Who is paid, as cut-offs: the last claim each treasury can meet, in order of precedence (PF-7.2).

The same precedence as `rules.pathfinder.time.week.share_out`: armies named first one by one, then the cheapest,
equal ones by id. So of each kind of claim everything up to one (amount, id) is met, and nothing beyond: what
a million rows are compared with, instead of being ranked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from armies.time import sql
from rules.pathfinder.time.passage import Stretch
from rules.pathfinder.time.week import Claim, Paid


class Cut(NamedTuple):
    """The last claim that is met."""

    amount: int
    army: UUID


EVERYTHING = Cut(2**62, UUID(int=2**128 - 1))
NOTHING = Cut(-1, UUID(int=0))


@dataclass(slots=True)
class Purse:
    """One kingdom's cut-offs for this week's pay, old debts, and the second pay of the leaderless."""

    kingdom: str
    week: Cut = EVERYTHING
    arrears: Cut = EVERYTHING
    double: Cut = NOTHING


@dataclass(slots=True)
class Purses:
    """Every kingdom's purse, and the armies that were named first with what they get."""

    purses: list[Purse] = field(default_factory=list)
    first: dict[str, Paid] = field(default_factory=dict)


class Asked(NamedTuple):
    """What a kingdom's armies ask for in all, beside those named first."""

    week: int
    arrears: int
    double: int


def fill(stretch: Stretch, params: Mapping[str, Any]) -> Purses:
    """The cut-offs of a week. One query where the treasuries suffice, a few more for each that does not."""
    asked = _asked(params)
    first = _first(stretch, params)
    found = Purses()
    for kingdom, treasury in sorted(stretch.treasuries.items()):
        purse = _Filling(kingdom, treasury, first.get(kingdom, []), stretch, params)
        found.purses.append(purse.fill(asked.get(kingdom, Asked(0, 0, 0))))
        found.first |= purse.named
    return found


def _asked(params: Mapping[str, Any]) -> dict[str, Asked]:
    with connection.cursor() as cursor:
        cursor.execute(sql.ASKED, params)
        return {str(row[0]): Asked(*map(int, row[1:])) for row in cursor.fetchall()}


def _first(stretch: Stretch, params: Mapping[str, Any]) -> dict[str, list[Claim]]:
    if not stretch.plan.choices.first:
        return {}
    claims: dict[str, list[Claim]] = {}
    with connection.cursor() as cursor:
        cursor.execute(sql.FIRST, params)
        for army, kingdom, due, owed, double in cursor.fetchall():
            claims.setdefault(str(kingdom), []).append(Claim(str(army), due, owed, double))
    return claims


class _Filling:
    """Fills one purse: each kind of claim takes its share before the next is asked."""

    def __init__(
        self, kingdom: str, treasury: int, named: Sequence[Claim], stretch: Stretch, params: Mapping[str, Any]
    ):
        self._left = max(0, treasury)
        self._kingdom = kingdom
        self._claims = sorted(named, key=lambda claim: stretch.plan.choices.first.index(claim.army))
        self._params = {**params, "kingdom": kingdom, "doubling": kingdom in stretch.plan.choices.double}
        self._met: dict[str, set[str]] = {}

    @property
    def named(self) -> dict[str, Paid]:
        """What the armies named first get."""
        met = self._met
        return {
            claim.army: Paid(
                claim.army in met["week"], not claim.owed or claim.army in met["arrears"], claim.army in met["double"]
            )
            for claim in self._claims
        }

    def fill(self, asked: Asked) -> Purse:
        purse = Purse(self._kingdom)
        self._serve("week", ((claim.army, claim.due) for claim in self._claims))
        purse.week = self._cut("week", asked.week)
        self._serve("arrears", ((claim.army, claim.owed) for claim in self._claims if claim.owed))
        purse.arrears = self._cut("arrears", asked.arrears)
        again = ((claim.army, claim.due) for claim in self._claims if claim.double and claim.army in self._met["week"])
        self._serve("double", again)
        if self._params["doubling"]:
            all_paid = purse.week == EVERYTHING
            purse.double = self._cut("double", asked.double if all_paid else None, purse.week)
        return purse

    def _serve(self, kind: str, claims: Iterable[tuple[str, int]]) -> None:
        self._met[kind] = set()
        for army, amount in claims:
            if amount <= self._left:
                self._left -= amount
                self._met[kind].add(army)

    def _cut(self, kind: str, total: int | None, paid: Cut = EVERYTHING) -> Cut:
        """Up to where the claims of this kind are met; takes what they cost."""
        if total is not None and total <= self._left:
            self._left -= total
            return EVERYTHING
        params = {**self._params, "left": self._left, "paid_amount": paid.amount, "paid_army": paid.army}
        with connection.cursor() as cursor:
            cursor.execute(sql.CUT[kind], params)
            row = cursor.fetchone()
        if row is None:
            return NOTHING
        amount, army, spent = row
        self._left -= int(spent)
        return Cut(amount, army)

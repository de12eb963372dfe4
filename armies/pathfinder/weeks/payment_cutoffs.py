"""Payments as cut-offs: the last claim each treasury can meet, in order of precedence (PF-7.2).

The same precedence as `rules.pathfinder.weeks.week.share_out`: armies named first one by one, then the cheapest,
equal ones by id. So of each kind of claim everything up to one (amount, id) is met, and nothing beyond: what
a million rows are compared with, instead of being ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from armies.pathfinder.weeks import bulk_sql
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.week import Claim, Paid


class PaymentCutoff(NamedTuple):
    """The last claim that is met."""

    amount: int
    army: UUID


EVERYTHING = PaymentCutoff(2**62, UUID(int=2**128 - 1))
NOBODY = UUID(int=0)
NOTHING = PaymentCutoff(-1, NOBODY)


@dataclass(slots=True)
class Treasury:
    """One kingdom's cut-offs for this week's pay, old debts, and the second pay of the leaderless."""

    kingdom: str
    week: PaymentCutoff = EVERYTHING
    arrears: PaymentCutoff = EVERYTHING
    double: PaymentCutoff = NOTHING


@dataclass(slots=True)
class Treasuries:
    """Every kingdom's purse, and the armies that were named first with what they get."""

    purses: list[Treasury] = field(default_factory=list)
    first: dict[str, Paid] = field(default_factory=dict)


class Asked(NamedTuple):
    """What a kingdom's armies ask for in all, beside those named first."""

    week: int
    arrears: int
    double: int


KINDS = ("week", "arrears", "double")


def fill(stretch: Stretch, params: Mapping[str, Any]) -> Treasuries:
    """The cut-offs of a week. One query where the treasuries suffice, at most one more for each kind of claim."""
    asked, first = _asked(params), _first(stretch, params)
    fillings = [
        _Filling(
            kingdom, treasury, first.get(kingdom, []), stretch.plan.choices.first,
            asked.get(kingdom, Asked(0, 0, 0)), doubles=kingdom in stretch.choices.double,
        )
        for kingdom, treasury in sorted(stretch.treasuries.items())
    ]  # fmt: skip
    for kind in KINDS:
        poor = [filling for filling in fillings if not filling.meets(kind)]
        if poor:
            _cut(kind, poor, params)
    return Treasuries(
        [one.purse for one in fillings], {army: paid for one in fillings for army, paid in one.named.items()}
    )


def _cut(kind: str, poor: Sequence[_Filling], params: Mapping[str, Any]) -> None:
    """Up to where the claims of this kind are met, in one query for all who cannot meet all of them."""
    asked: dict[str, Any] = {
        "poor": [UUID(one.purse.kingdom) for one in poor],
        "left": [one.left for one in poor],
        "paid_amount": [one.purse.week.amount for one in poor],
        "paid_army": [one.purse.week.army for one in poor],
    }
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.CUT[kind], {**params, **asked})
        edges = {str(row[0]): row[1:] for row in cursor.fetchall()}
    for one in poor:
        amount, army, spent = edges.get(one.purse.kingdom, (EVERYTHING.amount, EVERYTHING.army, 0))
        one.take(kind, PaymentCutoff(amount, army or NOBODY), int(spent))


def _asked(params: Mapping[str, Any]) -> dict[str, Asked]:
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.ASKED, params)
        return {str(row[0]): Asked(*map(int, row[1:])) for row in cursor.fetchall()}


def _first(stretch: Stretch, params: Mapping[str, Any]) -> dict[str, list[Claim]]:
    if not stretch.plan.choices.first:
        return {}
    claims: dict[str, list[Claim]] = {}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.FIRST, params)
        for army, kingdom, due, owed, double in cursor.fetchall():
            claims.setdefault(str(kingdom), []).append(Claim(str(army), due, owed, double))
    return claims


class _Filling:
    """Fills one purse: each kind of claim takes its share before the next is asked."""

    def __init__(
        self, kingdom: str, treasury: int, named: Sequence[Claim], first: Sequence[str], asked: Asked, *, doubles: bool
    ):
        self.purse = Treasury(kingdom)
        self.left = max(0, treasury)
        self._claims = sorted(named, key=lambda claim: first.index(claim.army))
        self._asked = asked
        self._doubles = doubles
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

    def meets(self, kind: str) -> bool:
        """Pays the armies named first; whether what is left then meets every other claim of this kind."""
        self._met[kind] = set()
        for army, amount in self._named_claims(kind):
            if amount <= self.left:
                self.left -= amount
                self._met[kind].add(army)
        if kind == "double" and not self._doubles:
            return True
        total: int = getattr(self._asked, kind)
        if total > self.left:
            return False
        self.take(kind, EVERYTHING, total)
        return True

    def take(self, kind: str, cut: PaymentCutoff, spent: int) -> None:
        setattr(self.purse, kind, cut)
        self.left -= spent

    def _named_claims(self, kind: str) -> Iterator[tuple[str, int]]:
        for claim in self._claims:
            if kind == "week":
                yield claim.army, claim.due
            elif kind == "arrears" and claim.owed:
                yield claim.army, claim.owed
            elif kind == "double" and claim.double and claim.army in self._met["week"]:
                yield claim.army, claim.due

"""The future of a coin, exactly: how many men each company has left after so many tosses."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.core.errors import demand
from rules.core.odds import (
    EXACT,
    AboutOdds,
    ArmyOdds,
    Choosable,
    Guess,
    Leaning,
    Length,
    Odds,
    OddsLaw,
    OddsTable,
    Proposal,
    SideOdds,
    TableKind,
)
from rules.core.text import _
from rules.law import Viewer
from rules.odds.opponents import choose

TOSSES = 400
CALL = "call"
ASSUMED = _("Whoever calls, calls either side as often as the other.")

type Left = tuple[int, int]
type Chances = Mapping[Left, float]


def calls_of(state: Any, about: AboutOdds, sides: Any) -> tuple[str, ...]:
    """What each company calls in the coming toss, "" where nobody knows."""
    names = [company.id for company in state.companies]
    given = dict(state.calls)
    for index, command in enumerate(about.commands):
        army, side = getattr(command, "army", ""), getattr(command, "side", "")
        demand(army in names, _("This army isn’t in this battle."), field=f"/orders/{index}")
        demand(side in sides, _("A coin has two sides: {sides}."), field=f"/orders/{army}/call", sides=", ".join(sides))
        given[army] = side
    return tuple(given.get(name, "") for name in names)


def tossed(left: Left, alike: float) -> Iterator[tuple[Left, float]]:
    """After one toss: the two called the same (`alike`: how likely) and lose or win together, or one of them loses."""
    one, two = left
    yield (one - 1, two - 1), alike / 2
    yield (one, two), alike / 2
    yield (one - 1, two), (1 - alike) / 2
    yield (one, two - 1), (1 - alike) / 2


def alike_of(calls: Sequence[str]) -> float:
    return 0.5 if "" in calls else float(calls[0] == calls[1])


class CoinOdds(OddsLaw):
    known = True
    commands = True

    def __init__(self, sides: Mapping[str, Any], call: Any, toss: type):
        self.sides, self.call, self.toss = sides, call, toss

    def guesses(self, state: Any, viewer: Viewer) -> Sequence[Guess]:
        return (Guess(replace(state, calls={a: side for a, side in state.calls.items() if viewer.commands(a)})),)

    def carried_out(self, state: Any, events: Sequence[Any], viewer: Viewer) -> Sequence[Any]:
        """What the coin showed, and who lost a man by it, tells what everybody had called."""
        tossed = next((event for event in events if hasattr(event, "lost")), None)
        if tossed is None:
            return ()
        shown = list(self.sides)[tossed.roll.value - 1]
        other = next(side for side in self.sides if side != shown)
        others = (company.id for company in state.companies if not viewer.commands(company.id))
        return [self.call(army, other if army in tossed.lost else shown) for army in others]

    def odds(self, state: Any, about: AboutOdds, viewer: Viewer) -> Odds | None:
        demand(not about.retreats, _("Nobody leaves a toss."), field="/withdraw")
        if state.losers:
            return None
        first = alike_of(calls_of(state, about, self.sides))
        start: Left = tuple(company.left for company in state.companies)  # type: ignore[assignment]
        least = tuple(about.until.get(company.id, 0) for company in state.companies)
        return self._told(state, *_played(start, first, least, about.phases or TOSSES))

    def _told(self, state: Any, done: Chances, open_: float, lengths: Sequence[float]) -> Odds:
        wins = [sum(c for left, c in done.items() if left[side] > 0 >= left[1 - side]) for side in (0, 1)]
        mutual = sum(chance for left, chance in done.items() if max(left) <= 0)
        decided = sum(lengths) or 1.0
        return Odds(
            EXACT, 0.0, max(0.0, 1 - sum(wins) - mutual), mutual,
            tuple(SideOdds(name, wins[s], 0.0, _gone(done, s), wins[s], wins[s]) for s, name in enumerate(state.sides)),
            {c.id: _army(c.id, done, s) for s, c in enumerate(state.companies)},
            Length(
                sum(n * chance for n, chance in enumerate(lengths, 1)) / decided,
                next((n for n in range(1, len(lengths) + 1) if sum(lengths[:n]) >= 0.9 * decided), 0),
            ),
            (ASSUMED,),
        )  # fmt: skip

    def proposals(self, state: Any, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Sequence[Proposal]:
        """Who tosses fairly loses as much by either call: only the draw can be foreseen less."""
        own, foe = state.companies[side].id, state.companies[1 - side].id
        table = None if own in state.calls else self.table(state, CALL, own, foe, AboutOdds(), viewer)
        if table is None:
            return ()
        chosen = choose(table, leaning, seed, lambda _call: float(state.companies[1 - side].left))
        return (Proposal(own, self.call(own, chosen.slug), chosen.why),)

    def carries_out(self, command: Any) -> bool:
        return isinstance(command, self.toss)

    def table_kinds(self, state: Any, row: str, column: str) -> Sequence[TableKind]:
        return () if state.losers else (TableKind(CALL, _("Calls")),)

    def table(self, state: Any, kind: str, row: str, column: str, about: AboutOdds, viewer: Viewer) -> OddsTable | None:
        demand(kind == CALL, _("Choose one of: {known}."), field="/table/kind", known=CALL)
        if state.losers:
            return None
        side = next(index for index, company in enumerate(state.companies) if company.id == row)
        calls = calls_of(state, about, self.sides)
        now = {row: calls[side], column: calls[1 - side]}

        def cell(mine: str, theirs: str) -> float:
            asked = replace(state, calls={row: mine, column: theirs})
            told = self.odds(asked, replace(about, commands=()), viewer)
            return told.sides[side].win if told else 0.0

        win = tuple(tuple(cell(mine, theirs) for theirs in self.sides) for mine in self.sides)
        best = tuple(max(range(2), key=lambda mine: win[mine][theirs]) for theirs in range(2))
        offered: Callable[[str], Any] = lambda army: tuple(  # noqa: E731
            Choosable(slug, name, current=now[army] == slug) for slug, name in self.sides.items()
        )
        value = sum(map(sum, win)) / 4
        return OddsTable(
            CALL, _("Calls"), row, column, offered(row), offered(column), win, best, (0.5, 0.5), (0.5, 0.5), value,
            EXACT, 0.0,
        )  # fmt: skip


def _played(start: Left, first: float, least: Sequence[int], most: int) -> tuple[Chances, float, list[float]]:
    """What is left in the end, how much is still open, and how likely it ends with which toss."""
    now: Chances = {start: 1.0}
    done: dict[Left, float] = defaultdict(float)
    lengths: list[float] = []
    for toss in range(most):
        after: dict[Left, float] = defaultdict(float)
        over = 0.0
        for left, chance in now.items():
            for then, share in tossed(left, first if toss == 0 else 0.5):
                ended = any(men <= stop for men, stop in zip(then, least, strict=True))
                (done if ended else after)[then] += chance * share
                over += chance * share if ended else 0.0
        now = after
        lengths.append(over)
    for left, chance in now.items():
        done[left] += chance
    return done, sum(now.values()), lengths


def _gone(done: Chances, side: int) -> float:
    return sum(chance for left, chance in done.items() if left[side] <= 0)


def _army(army: str, done: Chances, side: int) -> ArmyOdds:
    health: dict[int, float] = defaultdict(float)
    for left, chance in done.items():
        if chance:
            health[max(left[side], 0)] += chance
    gone = _gone(done, side)
    return ArmyOdds(army, tuple(sorted(health.items())), {"fighting": 1 - gone, "gone": gone})

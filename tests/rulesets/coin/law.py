"""Two companies, a number of men each, and a coin. Who called it wrong loses a man; who has none left pays for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules import law
from rules.army_law import NumberSheets
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.text import Said, _, say
from rules.realm import SheetFigure
from tests.rulesets.coin.odds import CoinOdds

HEADS, TAILS = law.DieSide("heads", _("heads")), law.DieSide("tails", _("tails"))
COIN = {side.slug: side.name for side in (HEADS, TAILS)}
STATUSES = {"fighting": _("fighting"), "gone": _("all gone")}


class Company(NamedTuple):
    id: str
    name: str
    kingdom: str
    men: int
    left: int


class Opening(NamedTuple):
    sides: tuple[str, ...]
    companies: tuple[Company, ...]


class Call(NamedTuple):
    army: str
    side: str


class Toss(NamedTuple):
    pass


class Called(NamedTuple):
    army: str
    side: str


class Tossed(NamedTuple):
    roll: Roll
    lost: tuple[str, ...]


@dataclass(frozen=True)
class State:
    sides: tuple[str, ...]
    companies: tuple[Company, ...]
    calls: Mapping[str, str] = field(default_factory=dict)
    tosses: int = 0
    closed: bool = False

    @property
    def losers(self) -> list[Company]:
        return [company for company in self.companies if not company.left]


class Battles(law.BattleLaw):
    shapes = law.Shapes(Opening, Call | Toss | law.Settling, Called | Tossed | law.SettlingEvent, State)
    status_words = STATUSES
    die_sides = {"toss": (HEADS, TAILS), "ransom": (HEADS, TAILS)}
    forecast = CoinOdds(COIN, Call, Toss)

    def check(self, opening: Opening) -> Opening:
        demand(len(opening.companies) == len(opening.sides) == 2, _("Two companies, one a side."), field="/sides")
        return opening

    def open(self, opening: Opening) -> State:
        return State(opening.sides, opening.companies)

    def decide(self, state: State, command: Any, dice: Dice, viewer: law.Viewer) -> tuple[Any, ...]:
        over = bool(state.losers)
        match command:
            case Call(army, side):
                require(not over, _("There is nothing left to call."))
                demand(side in COIN, _("A coin has two sides: {sides}."), field="/call", sides=", ".join(COIN))
                events: tuple[Any, ...] = (Called(army, side),)
            case Toss():
                require(not over, _("There is nothing left to toss for."))
                roll = dice.roll("coin", "toss", 2)
                dice.checkpoint()
                shown = self.die_sides["toss"][roll.value - 1].slug
                events = (Tossed(roll, tuple(c.id for c in state.companies if state.calls.get(c.id) != shown)),)
            case _:
                events = self.settled(command)
        dice.finish()
        return events

    def fold(self, state: State, events: Iterable[Any]) -> State:
        for event in events:
            match event:
                case Called(army, side):
                    state = replace(state, calls={**state.calls, army: side})
                case Tossed(_roll, lost):
                    left = tuple(c._replace(left=c.left - 1) if c.id in lost else c for c in state.companies)
                    state = replace(state, companies=left, calls={}, tosses=state.tosses + 1)
                case law.Closed():
                    state = replace(state, closed=True)
        return state

    def legal(self, state: State, viewer: law.Viewer, selection: law.Selection = ()) -> law.PlainLegal:
        if state.losers:
            return law.PlainLegal(("aftermath",) if viewer.gm and not state.closed else (), frozenset())
        own = frozenset(company.id for company in state.companies if viewer.commands(company.id))
        return law.PlainLegal((*(("order",) if own else ()), *(("toss",) if viewer.gm else ())), own)

    def allows(self, state: State, command: Any, viewer: law.Viewer) -> bool:
        return viewer.gm or (isinstance(command, Call) and viewer.commands(command.army))

    def bears(self, command: Any, since: Iterable[Any]) -> bool:
        """What one side calls says nothing about what the other may."""
        own = isinstance(command, Call) and command.army
        return bool(own) and all(isinstance(other, Call) and other.army != own for other in since)

    def describe(self, state: State, event: Any) -> law.LogEntry:
        names = {company.id: company.name for company in state.companies}
        match event:
            case Called(army, side):
                text = say(_("{army} calls {side}."), army=names[army], side=COIN[side])
                return law.LogEntry("called", army, "", text, rule="COIN-1", secret=True, quiet=True)
            case Tossed(roll, lost):
                told = say(_("Lost a man: {names}."), names=", ".join(names[army] for army in lost) or "–")
                return law.LogEntry("tossed", "", "", told, rolls=(roll,), rule="COIN-2")
        return super().describe(state, event)

    def summary(self, state: State) -> law.Summary:
        over, now, end = bool(state.losers), self.stage("toss", state.tosses + 1), self.stage("aftermath", 1)
        silent = [c for c in state.companies if c.id not in state.calls and not over]
        return law.Summary(
            status=law.CLOSED if state.closed else law.AFTERMATH if over else law.RUNNING,
            stage=end if over else now,
            stages=((now, "done"), (end, "current")) if over else ((now, "current"), (end, "to come")),
            sides=tuple(law.Team(name, (c.id,)) for name, c in zip(state.sides, state.companies, strict=True)),
            armies={c.id: self._combatant(c, side) for side, c in enumerate(state.companies)},
            waiting_for=tuple(law.Awaited(company.id, ("call",)) for company in silent),
            outcome=self._outcome(state) if over else None,
            names={"coin": "Coin"},
            ordered=frozenset(state.calls),
        )

    def _combatant(self, company: Company, side: int) -> law.Combatant:
        status = "fighting" if company.left else "gone"
        word, kingdom = STATUSES[status], company.kingdom
        return law.Combatant(company.id, company.name, side, status, word, company.left, company.men, kingdom=kingdom)

    def _outcome(self, state: State) -> law.Outcome:
        winner = next((side for side, company in enumerate(state.companies) if company.left), None)
        text: Said = _("Nobody is left.") if winner is None else say(_("{side} is left."), side=state.sides[winner])
        return law.Outcome(winner, "", text)

    def stage(self, kind: str, number: int) -> law.Stage:
        return law.Stage(kind, number, say(_("Toss {number}"), number=number) if kind == "toss" else _("Reckoning"))

    def aftermath(self, state: State, world: Any, choices: Mapping[str, str], dice: Dice) -> law.PlainSequel:
        """Each loser's kingdom pays 2 BP, or 4 on tails."""
        require(state.losers, _("The battle isn’t over yet."))
        rolls = tuple(dice.roll(company.id, "ransom", 2) for company in state.losers)
        dice.finish()
        return law.PlainSequel([(roll.army, 2 * roll.value) for roll in rolls], rolls=rolls)


class CoinLaw(law.Law):
    slug = family = "coin"
    name = _("Heads or tails")
    version = "1"
    battle = Battles()
    armies = NumberSheets({"men": SheetFigure(_("Men"), 1, 100, 2)}, health="men")


COIN_LAW = CoinLaw()

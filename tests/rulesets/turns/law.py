"""Units on a road of nine places. Sides take turns, and what a unit does is done at once.

A unit steps to the next place or strikes at an enemy beside it. Who is struck at is asked: they stand, and a coin
decides who falls, or gives ground. Or it flanks an enemy beside it with two dice: who is flanked says where to fall
back to, how many men guard the way, how they go, and which die is thrown again. Scouts lie hidden until they strike or
somebody stumbles over them. Every unit has an owner, who commands it beside whoever commands its army. The engine can
play a side.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from rules import law
from rules.army_law import NumberSheets
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.odds import CAUTIOUS, Leaning, OddsLaw, Proposal
from rules.core.shapes import UnitId, WholeNumber
from rules.core.text import Said, _, say
from rules.hexes.geometry import Hex, at_place, hex_at, place_of
from rules.hexes.geometry import label_of as label
from rules.law import AnswerCommand
from rules.odds.opponents import drawn
from rules.realm import SheetFigure

ROAD = range(1, 10)
STAND, YIELD = "stand", "yield"
ANSWERS = {STAND: _("stand"), YIELD: _("give ground")}
GOING = {"slowly": _("slowly"), "fast": _("fast")}
GUARDS = 3
COIN = (law.DieSide("heads", _("heads")), law.DieSide("tails", _("tails")))
STATUSES = {"fighting": _("fighting"), "gone": _("gone")}


class Unit(NamedTuple):
    id: str
    name: str
    army: str
    owner: str
    at: int
    hidden: bool


class Army(NamedTuple):
    id: str
    name: str
    kingdom: str
    units: tuple[Unit, ...]

    def without_hidden(self) -> "Army":
        return self._replace(units=tuple(unit for unit in self.units if not unit.hidden))

    def with_revealed(self, key: str) -> "Army":
        return self._replace(units=tuple(u._replace(hidden=u.hidden and u.id != key) for u in self.units))


class Opening(NamedTuple):
    sides: tuple[str, ...]
    armies: tuple[Army, ...]


class Step(NamedTuple):
    unit: UnitId
    to: Annotated[int, WholeNumber(1, 9)]


class Strike(NamedTuple):
    unit: UnitId
    target: UnitId


class Flank(NamedTuple):
    unit: UnitId
    target: UnitId


class Stepped(NamedTuple):
    unit: str
    to: int
    hidden: bool


class Asked(NamedTuple):
    unit: str
    target: str


class Flanked(NamedTuple):
    unit: UnitId
    target: UnitId
    dice: tuple[Roll, ...]


class FellBack(NamedTuple):
    unit: str
    to: Hex
    guards: int
    going: str
    dice: tuple[Roll, ...]
    again: Roll | None


class Yielded(NamedTuple):
    unit: str
    to: int


class Fell(NamedTuple):
    unit: str
    roll: Roll


class Revealed(NamedTuple):
    unit: str


class TurnPassed(NamedTuple):
    side: int


@dataclass(frozen=True)
class State:
    """`turn`: whose it is, by number. `asked`, `flanked`: who struck at whom, or flanked whom, and waits for an answer.
    `guards`: the men left behind at a place. `beaten`: the armies of which nobody is left, hidden or not.
    """

    sides: tuple[str, ...]
    armies: tuple[Army, ...]
    units: Mapping[str, Unit]
    turn: int = 0
    turns: int = 1
    asked: Asked | None = None
    flanked: Flanked | None = None
    guards: Mapping[Hex, int] = field(default_factory=dict)
    beaten: tuple[str, ...] = ()
    closed: bool = False

    @property
    def answering(self) -> Unit | None:
        """Of whom an answer is awaited."""
        open_ = self.asked or self.flanked
        return self.units[open_.target] if open_ else None

    def side_of(self, unit: Unit) -> int:
        return next(side for side, army in enumerate(self.armies) if army.id == unit.army)

    def at(self, place: int) -> Unit | None:
        return next((unit for unit in self.units.values() if unit.at == place), None)

    @property
    def losers(self) -> list[Army]:
        return [army for army in self.armies if army.id in self.beaten]

    def commanded(self, unit: Unit, viewer: law.Viewer) -> bool:
        return viewer.commands(unit.army) or (bool(unit.owner) and unit.owner == viewer.user)

    def knows(self, viewer: law.Viewer, army: str) -> bool:
        """Who commands anything of an army knows where all of it is."""
        own = (unit for listed in self.armies if listed.id == army for unit in listed.units)
        return viewer.commands(army) or any(self.commanded(unit, viewer) for unit in own)


ACTS = ("step", "strike", "flank")
NEWS = {
    Stepped: _("{unit} has moved"),
    Asked: _("{unit} strikes"),
    Flanked: _("{unit} flanks"),
    FellBack: _("{unit} fell back"),
    Yielded: _("{unit} gave ground"),
    Fell: _("{unit} fell"),
    Revealed: _("{unit} was found"),
}


class Deed(NamedTuple):
    """One thing to pick: a unit, a place or a target."""

    slug: str
    label: Said


class Legal(NamedTuple):
    commands: tuple[str, ...]
    picked: law.Selection
    deeds: tuple[Deed, ...]
    turn: bool = False


def free_places(state: State, unit: Unit) -> list[int]:
    return [place for place in ROAD if place != unit.at and state.at(place) is None]


class TurnsOdds(OddsLaw):
    """Plays, and foretells nothing: it strikes whom it can, and else goes on; a cautious one gives ground."""

    commands = by_turns = True

    def moves(self, state: State, side: int, leaning: Leaning, viewer: law.Viewer, seed: str) -> Proposal | None:
        asked = state.answering
        if asked is not None:
            return self._answer(state, asked, leaning) if state.side_of(asked) == side else None
        own = [unit for unit in state.units.values() if state.side_of(unit) == side]
        if state.losers or state.turn != side or not own:
            return None
        found = [move for unit in own for move in self._of(state, unit)]
        strikes = [move for move in found if isinstance(move.command, Strike)]
        moves = strikes or found
        return moves[drawn([1.0] * len(moves), seed)] if moves else None

    def _answer(self, state: State, unit: Unit, leaning: Leaning) -> Proposal:
        if state.flanked:
            back = at_place(free_places(state, unit)[0] - 1, 0)
            given = {"back": label(back), "guards": 0, "going": "slowly", "again": None}
            return Proposal(unit.army, AnswerCommand(unit.id, "", given), _("it falls back"))
        return Proposal(
            unit.army, AnswerCommand(unit.id, YIELD if leaning == CAUTIOUS else STAND), _("it was struck at")
        )

    def _of(self, state: State, unit: Unit) -> Iterator[Proposal]:
        for place in (unit.at - 1, unit.at + 1):
            there = state.at(place)
            if there is not None and there.army != unit.army:
                yield Proposal(unit.army, Strike(unit.id, there.id), _("an enemy is beside it"))
            elif there is None and place in ROAD:
                yield Proposal(unit.army, Step(unit.id, place), _("the road is free"))


class Battles(law.BattleLaw):
    shapes = law.Shapes(
        Opening,
        Step | Strike | Flank | AnswerCommand | law.Settling,
        Stepped | Asked | Flanked | FellBack | Yielded | Fell | Revealed | TurnPassed | law.SettlingEvent,
        State,
    )
    status_words = STATUSES
    die_sides = {"clash": COIN}
    forecast = TurnsOdds()

    def open(self, opening: Opening) -> State:
        units = {unit.id: unit for army in opening.armies for unit in army.units}
        return State(opening.sides, opening.armies, units)

    # what somebody may know
    def seen(self, state: State, viewer: law.Viewer) -> State:
        """Hidden units are there for their own only; so is what they are called."""
        blind = [army.id for army in state.armies if not state.knows(viewer, army.id)]
        units = {key: unit for key, unit in state.units.items() if not (unit.hidden and unit.army in blind)}
        armies = tuple(army.without_hidden() if army.id in blind else army for army in state.armies)
        return replace(state, units=units, armies=armies)

    def witnessed(self, state: State, event: Any, viewer: law.Viewer) -> Any | None:
        hidden = isinstance(event, Stepped) and event.hidden
        army = event.unit.partition(":")[0] if hidden else ""
        return None if hidden and not state.knows(viewer, army) else event

    # what is done
    def decide(self, state: State, command: Any, dice: Dice, viewer: law.Viewer) -> tuple[Any, ...]:
        match command:
            case Step(unit, to):
                events = tuple(self._step(state, self._actor(state, unit, viewer), to))
            case Strike(unit, target):
                events = tuple(self._strike(state, self._actor(state, unit, viewer), target, viewer))
            case Flank(unit, target):
                events = (self._flank(state, self._actor(state, unit, viewer), target, dice, viewer),)
            case AnswerCommand():
                given = self.answered(state, command, viewer)
                answer = self._fall_back if state.flanked else self._answer
                events = tuple(answer(state, given, dice))
            case _:
                events = self.settled(command)
        dice.finish()
        return events

    def _actor(self, state: State, key: str, viewer: law.Viewer) -> Unit:
        unit = self.seen(state, viewer).units.get(key)
        demand(unit, _("There is no such unit here."), field="/unit")
        assert unit is not None
        require(not state.losers, _("The battle is over."))
        require(state.answering is None, _("Somebody has to answer first."))
        require(state.side_of(unit) == state.turn, _("It is not its turn."))
        return unit

    def _step(self, state: State, unit: Unit, to: int) -> Iterator[Any]:
        demand(to in ROAD and abs(to - unit.at) == 1, _("A unit steps to the next place."), field="/to")
        there = state.at(to)
        require(there is None or (there.hidden and there.army != unit.army), _("Somebody is there already."))
        if there is not None:
            yield Revealed(there.id)  # and nobody moves
        else:
            yield Stepped(unit.id, to, unit.hidden)
        yield TurnPassed(1 - state.turn)

    def _beside(self, state: State, unit: Unit, target: str, viewer: law.Viewer) -> Unit:
        foe = self.seen(state, viewer).units.get(target)
        demand(foe is not None and foe.army != unit.army, _("There is no such unit here."), field="/target")
        assert foe is not None
        require(abs(foe.at - unit.at) == 1, _("It is not beside it."), field="/target")
        return foe

    def _flank(self, state: State, unit: Unit, target: str, dice: Dice, viewer: law.Viewer) -> Flanked:
        foe = self._beside(state, unit, target, viewer)
        rolls = tuple(dice.roll(unit.id, "flank", 6) for _die in range(2))
        dice.checkpoint()
        return Flanked(unit.id, foe.id, rolls)

    def _fall_back(self, state: State, given: AnswerCommand, dice: Dice) -> Iterator[Any]:
        assert state.flanked is not None
        lying, again = state.flanked.dice, given.answers["again"]
        fresh = None
        if isinstance(again, int):
            fresh = dice.roll(lying[again].army, "flank", 6)
            dice.checkpoint()
            lying = (*lying[:again], fresh, *lying[again + 1 :])
        to, guards = hex_at(str(given.answers["back"])), int(given.answers["guards"] or 0)
        yield FellBack(state.flanked.target, to, guards, str(given.answers["going"]), lying, fresh)
        yield TurnPassed(1 - state.turn)

    def _strike(self, state: State, unit: Unit, target: str, viewer: law.Viewer) -> Iterator[Any]:
        foe = self._beside(state, unit, target, viewer)
        if unit.hidden:
            yield Revealed(unit.id)
        yield Asked(unit.id, foe.id)

    def _answer(self, state: State, given: AnswerCommand, dice: Dice) -> Iterator[Any]:
        assert state.asked is not None
        unit, foe = state.units[state.asked.unit], state.units[state.asked.target]
        if given.choice == YIELD:
            back = 2 * foe.at - unit.at
            require(back in ROAD and state.at(back) is None, _("There is no room behind it."), field="/choice")
            yield Yielded(foe.id, back)
        else:
            roll = dice.roll(foe.id, "clash", 2)
            dice.checkpoint()
            yield Fell(foe.id if roll.value == 1 else unit.id, roll)
        yield TurnPassed(1 - state.turn)

    def fold(self, state: State, events: Iterable[Any]) -> State:
        for event in events:
            state = self._after(state, event)
        return state

    def _after(self, state: State, event: Any) -> State:
        match event:
            case Stepped(unit, to, _) | Yielded(unit, to):
                return self._with(state, state.units[unit]._replace(at=to), asked=None)
            case Revealed(unit):
                armies = tuple(army.with_revealed(unit) for army in state.armies)
                return self._with(state, state.units[unit]._replace(hidden=False), armies=armies)
            case Asked():
                return replace(state, asked=event)
            case Flanked():
                return replace(state, flanked=event)
            case FellBack(unit, to, guards):
                left = {**state.guards, to: state.guards.get(to, 0) + guards} if guards else state.guards
                moved = state.units[unit]._replace(at=place_of(to)[0] + 1)
                return self._with(state, moved, flanked=None, guards=left)
            case Fell(unit, _roll):
                left = {key: other for key, other in state.units.items() if key != unit}
                standing = {other.army for other in left.values()}
                beaten = tuple(army.id for army in state.armies if army.id not in standing)
                return replace(state, units=left, asked=None, beaten=beaten)
            case TurnPassed(side):
                return replace(state, turn=side, turns=state.turns + 1)
            case law.Closed():
                return replace(state, closed=True)
        return state

    def _with(self, state: State, unit: Unit, **more: Any) -> State:
        return replace(state, units={**state.units, unit.id: unit}, **more)

    # what may be done
    def legal(self, state: State, viewer: law.Viewer, selection: law.Selection = ()) -> Legal:
        """Nothing picked: the units that may act. A unit picked: where it may go, and whom it may strike."""
        if state.losers:
            return Legal(("aftermath",) if viewer.gm and not state.closed else (), (), ())
        own = [u for u in state.units.values() if state.side_of(u) == state.turn and state.commanded(u, viewer)]
        if state.answering or not own:
            answers = ("answer",) if self.pending(state, viewer) else ()
            return Legal(answers, (), (), bool(answers))
        unit = next((unit for unit in own if selection and unit.id == selection[0]), None)
        if unit is None:
            return Legal(ACTS, (), tuple(Deed(u.id, say(_("{unit}"), unit=u.name)) for u in own), True)
        return Legal(ACTS, (unit.id,), tuple(self._deeds(state, unit)), True)

    def _deeds(self, state: State, unit: Unit) -> Iterator[Deed]:
        for place in (unit.at - 1, unit.at + 1):
            there = state.at(place)
            if there is None and place in ROAD:
                yield Deed(f"step:{place}", say(_("to place {place}"), place=place))
            elif there is not None and there.army != unit.army:
                yield Deed(f"strike:{there.id}", say(_("strike at {unit}"), unit=there.name))
                yield Deed(f"flank:{there.id}", say(_("flank {unit}"), unit=there.name))

    def pending(self, state: State, viewer: law.Viewer) -> Sequence[law.Pending]:
        foe = state.answering
        if foe is None or not state.commanded(foe, viewer):
            return ()
        if state.flanked:
            return (law.Pending(foe.id, foe.army, say(_("{unit} is flanked."), unit=foe.name), asks=self._asks(state)),)
        text = say(_("{unit} is struck at. What does it do?"), unit=foe.name)
        return (law.Pending(foe.id, foe.army, text, tuple(ANSWERS.items())),)

    def _asks(self, state: State) -> tuple[law.AskedField, ...]:
        assert state.flanked is not None
        foe = state.units[state.flanked.target]
        return (
            law.ask_hex("back", _("Falls back to"), (at_place(place - 1, 0) for place in free_places(state, foe))),
            law.ask_number("guards", _("Guards"), 0, GUARDS),
            law.ask_choice("going", _("Goes"), GOING.items()),
            law.ask_die("again", _("Thrown again"), state.flanked.dice),
        )

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        return isinstance(command, Step | Strike) and not any(isinstance(event, Revealed | Fell) for event in events)

    def allows(self, state: State, command: Any, viewer: law.Viewer) -> bool:
        """Its unit's owner, whoever commands its army, the GM. Of a unit nobody knows nothing is said here."""
        key = command.key if isinstance(command, AnswerCommand) else getattr(command, "unit", "")
        unit = self.seen(state, viewer).units.get(key)
        own = any(state.knows(viewer, army.id) for army in state.armies)
        return viewer.gm or (own if unit is None else state.commanded(unit, viewer))

    # what is told
    def describe(self, state: State, event: Any) -> law.LogEntry:
        names = {unit.id: unit.name for army in state.armies for unit in army.units}
        match event:
            case Stepped(unit, to, _):
                return self._entry("stepped", unit, say(_("{unit} goes to place {to}."), unit=names[unit], to=to))
            case Asked(unit, target):
                text = say(_("{unit} strikes at {target}."), unit=names[unit], target=names[target])
                return self._entry("struck", unit, text)
            case Flanked(unit, target, dice):
                text = say(_("{unit} flanks {target}."), unit=names[unit], target=names[target])
                return self._entry("flanked", unit, text, *dice)
            case FellBack(unit, to, guards, going, _dice, again):
                where = {"unit": names[unit], "to": label(to), "guards": guards, "going": GOING[going]}
                text = say(_("{unit} falls back to {to} {going}, with {guards} guards."), **where)
                return self._entry("fell-back", unit, text, *([again] if again else []))
            case Yielded(unit, to):
                return self._entry("yielded", unit, say(_("{unit} gives ground to {to}."), unit=names[unit], to=to))
            case Fell(unit, roll):
                return self._entry("fell", unit, say(_("{unit} falls."), unit=names[unit]), roll)
            case Revealed(unit):
                return self._entry("revealed", unit, say(_("{unit} was there all the time."), unit=names[unit]))
            case TurnPassed(side):
                text = say(_("It is the turn of {side}."), side=state.sides[side])
                return law.LogEntry("turn", "", "", text, rule="TURN-1", quiet=True)
        return super().describe(state, event)

    def _entry(self, kind: str, unit: str, text: Any, *rolls: Roll) -> law.LogEntry:
        return law.LogEntry(kind, unit.partition(":")[0], "", text, rolls=rolls, rule="TURN-2")

    def verdict(self, before: State, events: Sequence[Any], after: State) -> law.Verdict:
        """A step is news, not the turn it is part of."""
        names = {unit.id: unit.name for army in after.armies for unit in army.units}
        told = [(event, NEWS[type(event)]) for event in events if type(event) in NEWS]
        news: Said = say(_("{side} to act"), side=after.sides[after.turn])
        if told:
            event, words = told[-1]
            news = say(words, unit=names[event.unit])
        return super().verdict(before, events, after)._replace(news=news, undo=_("Undo the move"))

    def summary(self, state: State) -> law.Summary:
        over, now, end = bool(state.losers), self.stage("turn", state.turns), self.stage("aftermath", 1)
        asked = state.answering
        waiting = law.Awaited(asked.army, ("answer",), say(_("{unit}"), unit=asked.name)) if asked else law.Awaited(
            state.armies[state.turn].id, ("act",), say(_("{side}"), side=state.sides[state.turn])
        )  # fmt: skip
        return law.Summary(
            status=law.CLOSED if state.closed else law.AFTERMATH if over else law.RUNNING,
            stage=end if over else now,
            stages=((now, "done"), (end, "current")) if over else ((now, "current"), (end, "to come")),
            sides=tuple(law.Team(name, (army.id,)) for name, army in zip(state.sides, state.armies, strict=True)),
            armies={army.id: self._combatant(state, army, side) for side, army in enumerate(state.armies)},
            waiting_for=() if over else (waiting,),
            outcome=self._outcome(state) if over else None,
            names={unit.id: unit.name for army in state.armies for unit in army.units},
        )

    def _combatant(self, state: State, army: Army, side: int) -> law.Combatant:
        left = sum(unit.army == army.id for unit in state.units.values())
        status = "fighting" if left else "gone"
        word = STATUSES[status]
        return law.Combatant(army.id, army.name, side, status, word, left, len(army.units), kingdom=army.kingdom)

    def _outcome(self, state: State) -> law.Outcome:
        winner = next(side for side, army in enumerate(state.armies) if army not in state.losers)
        text = say(_("{side} holds the road."), side=state.sides[winner])
        return law.Outcome(winner, "", text)

    def stage(self, kind: str, number: int) -> law.Stage:
        return law.Stage(kind, number, say(_("Turn {number}"), number=number) if kind == "turn" else _("Reckoning"))

    def aftermath(self, state: State, world: Any, choices: Mapping[str, str], dice: Dice) -> law.PlainSequel:
        """Each loser's kingdom pays 1 BP."""
        require(state.losers, _("The battle isn’t over yet."))
        return law.PlainSequel(tuple((army.id, 1) for army in state.losers))


class TurnsLaw(law.Law):
    slug = family = "turns"
    name = _("The road")
    version = "1"
    battle = Battles()
    armies = NumberSheets({"men": SheetFigure(_("Men"), 1, 100, 2)}, health="men")


TURNS_LAW = TurnsLaw()

"""Units on a road of nine places. Sides take turns, and what a unit does is done at once.

A unit steps to the next place or strikes at an enemy beside it. Who is struck at is asked: they stand, and a coin
decides who falls, or gives ground. Scouts lie hidden until they strike or somebody stumbles over them. Every unit has
an owner, who commands it beside whoever commands its army.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from rules import law
from rules.armies import NumberSheets
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.shapes import UnitId, WholeNumber
from rules.core.text import Said, _, say
from rules.realm import SheetFigure

ROAD = range(1, 10)
STAND, YIELD = "stand", "yield"
ANSWERS = {STAND: _("stand"), YIELD: _("give ground")}
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


class Answer(NamedTuple):
    key: str
    choice: str


class Stepped(NamedTuple):
    unit: str
    to: int
    hidden: bool


class Asked(NamedTuple):
    unit: str
    target: str


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
    """`turn`: whose it is, by number. `asked`: who struck at whom and waits for the answer."""

    sides: tuple[str, ...]
    armies: tuple[Army, ...]
    units: Mapping[str, Unit]
    turn: int = 0
    turns: int = 1
    asked: Asked | None = None
    closed: bool = False

    def side_of(self, unit: Unit) -> int:
        return next(side for side, army in enumerate(self.armies) if army.id == unit.army)

    def at(self, place: int) -> Unit | None:
        return next((unit for unit in self.units.values() if unit.at == place), None)

    @property
    def losers(self) -> list[Army]:
        return [army for army in self.armies if not any(unit.army == army.id for unit in self.units.values())]

    def commanded(self, unit: Unit, viewer: law.Viewer) -> bool:
        return viewer.commands(unit.army) or (bool(unit.owner) and unit.owner == viewer.user)

    def knows(self, viewer: law.Viewer, army: str) -> bool:
        """Who commands anything of an army knows where all of it is."""
        own = (unit for listed in self.armies if listed.id == army for unit in listed.units)
        return viewer.commands(army) or any(self.commanded(unit, viewer) for unit in own)


class Deed(NamedTuple):
    """One thing to pick: a unit, a place or a target."""

    slug: str
    label: Said


class Legal(NamedTuple):
    commands: tuple[str, ...]
    picked: law.Selection
    deeds: tuple[Deed, ...]


class Battles(law.BattleLaw):
    shapes = law.Shapes(
        Opening,
        Step | Strike | Answer | law.Settling,
        Stepped | Asked | Yielded | Fell | Revealed | TurnPassed | law.SettlingEvent,
        State,
    )
    status_words = STATUSES
    die_sides = {"clash": COIN}

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
            case Answer(key, choice):
                events = tuple(self._answer(state, key, choice, dice))
            case _:
                events = self.settled(command)
        dice.finish()
        return events

    def _actor(self, state: State, key: str, viewer: law.Viewer) -> Unit:
        unit = self.seen(state, viewer).units.get(key)
        demand(unit, _("There is no such unit here."), field="/unit")
        assert unit is not None
        require(not state.losers, _("The battle is over."))
        require(state.asked is None, _("Somebody has to answer first."))
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

    def _strike(self, state: State, unit: Unit, target: str, viewer: law.Viewer) -> Iterator[Any]:
        foe = self.seen(state, viewer).units.get(target)
        demand(foe is not None and foe.army != unit.army, _("There is no such unit here."), field="/target")
        assert foe is not None
        require(abs(foe.at - unit.at) == 1, _("It is not beside it."), field="/target")
        if unit.hidden:
            yield Revealed(unit.id)
        yield Asked(unit.id, foe.id)

    def _answer(self, state: State, key: str, choice: str, dice: Dice) -> Iterator[Any]:
        require(state.asked is not None and state.asked.target == key, _("Nobody asks that any more."), field="/key")
        demand(choice in ANSWERS, _("One of: {known}."), field="/choice", known=", ".join(ANSWERS))
        assert state.asked is not None
        unit, foe = state.units[state.asked.unit], state.units[state.asked.target]
        if choice == YIELD:
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
            case Fell(unit, _roll):
                left = {key: other for key, other in state.units.items() if key != unit}
                return replace(state, units=left, asked=None)
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
        if state.asked or not own:
            answers = ("answer",) if self.pending(state, viewer) else ()
            return Legal(answers, (), ())
        unit = next((unit for unit in own if selection and unit.id == selection[0]), None)
        if unit is None:
            return Legal(("step", "strike"), (), tuple(Deed(u.id, say(_("{unit}"), unit=u.name)) for u in own))
        return Legal(("step", "strike"), (unit.id,), tuple(self._deeds(state, unit)))

    def _deeds(self, state: State, unit: Unit) -> Iterator[Deed]:
        for place in (unit.at - 1, unit.at + 1):
            there = state.at(place)
            if there is None and place in ROAD:
                yield Deed(f"step:{place}", say(_("to place {place}"), place=place))
            elif there is not None and there.army != unit.army:
                yield Deed(f"strike:{there.id}", say(_("strike at {unit}"), unit=there.name))

    def pending(self, state: State, viewer: law.Viewer) -> Sequence[law.Pending]:
        if state.asked is None:
            return ()
        foe = state.units[state.asked.target]
        if not state.commanded(foe, viewer):
            return ()
        text = say(_("{unit} is struck at. What does it do?"), unit=foe.name)
        return (law.Pending(foe.id, foe.army, text, tuple(ANSWERS.items())),)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        return isinstance(command, Step | Strike) and not any(isinstance(event, Revealed | Fell) for event in events)

    def allows(self, state: State, command: Any, viewer: law.Viewer) -> bool:
        """Its unit's owner, whoever commands its army, the GM. Of a unit nobody knows nothing is said here."""
        key = command.key if isinstance(command, Answer) else getattr(command, "unit", "")
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

    def summary(self, state: State) -> law.Summary:
        over, now, end = bool(state.losers), self.stage("turn", state.turns), self.stage("aftermath", 1)
        asked = state.asked and state.units[state.asked.target]
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
        require(state.losers, _("The battle is not over yet."))
        return law.PlainSequel(tuple((army.id, 1) for army in state.losers))


class TurnsLaw(law.Law):
    slug = family = "turns"
    name = _("The road")
    version = "1"
    battle = Battles()
    armies = NumberSheets({"men": SheetFigure(_("Men"), 1, 100, 2)}, health="men")


TURNS_LAW = TurnsLaw()

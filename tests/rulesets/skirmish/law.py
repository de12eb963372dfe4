"""Skirmish on a map of hexes: six units a side. Sides take turns, and each acts with one unit at a time.

A unit moves, then may strike at an enemy beside it with one die. On a 6 the enemy falls; from its bound on it has to
flee, and its side says to which hex; on a 1 whoever struck falls. Scouts lie hidden. One unit of an army may be false:
it fades when it is struck down, and until then nobody else can tell it from the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from rules import law
from rules.army_law import NumberSheets
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.shapes import Slug, UnitId, slug_of
from rules.core.text import Said, _, say, verbatim
from rules.hexbattle import choosing, common, ending, seeing
from rules.hexbattle.board import Act, BoardLegal, Confirm, Facts, Piece, Target, Threat, picks_of
from rules.hexbattle.field import SIDES, Field, FrozenField, Stumbled, Token, by_name, commands, opened
from rules.hexbattle.ground import apart, hex_of
from rules.hexbattle.law import CALLED, COMMANDS, EVENTS, HexBattles
from rules.hexbattle.moving import Gait, Mover, reach, way_of
from rules.realm import SheetFigure

POINTS = {"F": 3, "R": 6, "S": 4}  # of foot, riders, scouts: a unit's name ends with its tag ("Raiders F1")
ROUTED, FADED, DONE, WAIT = "routed", "faded", "acted", "wait"
FLIGHT, FALSE = 2, _("This unit is false: it can't strike.")
STATUSES = {law.FIGHTING: _("fighting"), "beaten": _("beaten")}


class Army(NamedTuple):
    id: str
    name: str
    kingdom: str
    side: int
    men: int  # units it can lose


class Opening(NamedTuple):
    sides: tuple[str, ...]
    armies: dict[str, Army]
    map: dict[str, Any]
    tokens: tuple[Token, ...]
    false: tuple[str, ...]  # ids of the units that are


class Go(NamedTuple):
    """A unit goes along a path, or to a hex, and strikes at a target beside it; with none of these it waits."""

    unit: UnitId
    path: tuple[Slug, ...] = ()
    to: Slug = ""
    target: UnitId = ""


class Struck(NamedTuple):
    unit: str
    target: str
    roll: Roll


class Became(NamedTuple):
    """What a unit is now: routed by who stands at a hex, faded there, or done with this round."""

    unit: str
    what: str
    at: str = ""
    seen: tuple[bool, ...] = common.ALL


class TurnPassed(NamedTuple):
    side: int


class RoundBegan(NamedTuple):
    number: int


@dataclass(frozen=True)
class State:
    """`turn`: whose it is. `done`: units that have acted in this round. `false`: those, as its reader knows."""

    opening: Opening
    field: Field
    false: frozenset[str]
    turn: int = 0
    round: int = 1
    done: frozenset[str] = frozenset()
    routed: Became | None = None

    def left(self, army: str) -> int:
        """How many units an army can still lose; one that fades is no loss."""
        fallen = (one for one in self.field.tokens.values() if one.army == army and one.gone == common.DESTROYED)
        return max(0, self.opening.armies[army].men - len(list(fallen)))

    def able(self, side: int) -> list[Token]:
        found = by_name(self.field.of_side(side))
        first = self.field.stumbled.unit if self.field.stumbled else ""
        return [one for one in found if one.standing and one.id not in self.done and first in ("", one.id)]


class Frozen(NamedTuple):
    field: FrozenField
    turn: int
    round: int
    done: frozenset[str]
    routed: Became | None


WORDS = {
    "struck": _("{unit} strikes at {target}."),
    ROUTED: _("{unit} must flee."),
    FADED: _("{unit} was false: it fades on {at}."),
    DONE: _("{unit}: action finished."),
    "turn_passed": _("{side} to act"),
    "round_began": _("Round {number}"),
}


COMMAND = Go | law.AnswerCommand | COMMANDS | law.Settling
EVENT = Struck | Became | TurnPassed | RoundBegan | EVENTS | law.SettlingEvent


class Skirmish(HexBattles):
    shapes = law.Shapes(Opening, COMMAND, EVENT, Frozen, called={**CALLED, Go: "act"})
    status_words = STATUSES

    def open(self, opening: Opening) -> State:
        armies = {key: army.side for key, army in opening.armies.items()}
        return State(opening, opened(opening.map, armies, opening.tokens), frozenset(opening.false))

    def begun(self, state: State) -> tuple[Any, ...]:
        return (RoundBegan(1),)

    # what somebody may know
    def seen(self, state: State, viewer: law.Viewer) -> State:
        """Which units are false their own side knows; what they have become, everybody."""
        cut: State = super().seen(state, viewer)
        if viewer.gm:
            return cut
        tokens, own = cut.field.tokens, seeing.sides_of(state.field, viewer)
        known = frozenset(key for key, token in tokens.items() if token.side in own or token.gone == FADED)
        opening = state.opening._replace(tokens=(), false=())
        return replace(cut, opening=opening, false=state.false & known, done=state.done & tokens.keys())

    # what is done
    def mover(self, field: Field, token: Token, flight: int = 0) -> Mover:
        """In flight nobody halts it."""
        left = field.stumbled.left if field.stumbled else POINTS[token.name[-2]]
        return self.mover_of(field, token, Gait(difficult=2), flight or left, halts=not flight)

    def resolved(self, state: State, command: Any, dice: Dice, viewer: law.Viewer) -> tuple[Any, ...]:
        if isinstance(command, law.AnswerCommand):
            events = tuple(self._flee(state, self.answered(state, command, viewer)))
            return (*events, *self._next(self.fold(state, events)))
        events = tuple(self._act(state, command, dice, viewer))
        after = self.fold(state, events)
        return events if after.routed or after.field.stumbled else (*events, *self._next(after))

    def _next(self, state: State) -> Iterator[Any]:
        armies = state.opening.armies.values()
        lost = {side for side in SIDES if not any(state.left(army.id) for army in armies if army.side == side)}
        if end := ending.when_lost(state.field, lost.__contains__):
            yield end
            return
        if not any(map(state.able, SIDES)):
            yield RoundBegan(state.round + 1)
            state = replace(state, done=frozenset())
        yield TurnPassed(1 - state.turn if state.able(1 - state.turn) else state.turn)

    def _act(self, state: State, command: Go, dice: Dice, viewer: law.Viewer) -> Iterator[Any]:
        field, token = state.field, state.field.tokens.get(command.unit)
        demand(token is not None and commands(viewer, token), _("You have no such unit here."), field="/unit")
        require(state.routed is None, _("Another unit has to flee first: its side says where to."))
        require(token.side == state.turn, _("It's the other side's turn. Wait for yours."), field="/unit")
        require(token.standing and token.id not in state.done, _("This unit has acted. Choose another."), field="/unit")
        choosing.require_next(field, token.id)
        mover = self.mover(field, token)
        way = way_of(field.ground, mover, token.at, path=command.path, to=command.to)
        foe = self._aimed_at(state, token, command.target, way.end) if command.target else None
        if len(way.hexes) > 1:
            done = choosing.march(field, token.id, mover, way, self.unseen)
            yield from done.events
            if done.walk.stumbled:
                return
        elif field.stumbled:
            yield common.WentOn(token.id)
        if foe is not None:
            yield from self._strike(state, token._replace(at=way.end), foe, dice)
        yield Became(token.id, DONE, seen=seeing.own_side(token))

    def _aimed_at(self, state: State, token: Token, target: str, end: str) -> Token:
        unseen = self.unseen(state.field, token.side)
        foe = next((one for one in state.field.enemies(token.side, unseen=unseen) if one.id == target), None)
        demand(foe is not None, _("This enemy isn’t in sight. Choose another."), field="/target")
        require(token.id not in state.false, FALSE, field="/target")
        demand(apart(foe.at, end) == 1, _("Strike at an enemy beside {hex}."), field="/target", hex=end)
        return foe

    def _strike(self, state: State, token: Token, foe: Token, dice: Dice) -> Iterator[Any]:
        if token.hidden:
            yield common.Revealed(token.id, token.at, out=True)
        roll = dice.roll(token.id, "strike", 6)
        dice.checkpoint()
        yield Struck(token.id, foe.id, roll)
        field = state.field.put(token.id, at=token.at)
        if roll.value == 1:
            yield common.Destroyed(token.id, token.at)
        elif self.bound(field, foe.at) <= roll.value < 6 and self.flights(field, foe, token.at):
            yield Became(foe.id, ROUTED, token.at)
        elif roll.value >= self.bound(field, foe.at):
            yield Became(foe.id, FADED, foe.at) if foe.id in state.false else common.Destroyed(foe.id, foe.at)

    def flights(self, field: Field, token: Token, threat: str) -> tuple[str, ...]:
        """Where a unit can flee to: by what its side knows, farther from the threat."""
        near = apart(token.at, threat)
        found = reach(field.ground, self.mover(field, token, FLIGHT), token.at)
        return tuple(at for at in found if apart(at, threat) > near)

    def _flee(self, state: State, given: law.AnswerCommand) -> Iterator[Any]:
        token = state.field.tokens[given.key]
        mover = self.mover(state.field, token, FLIGHT)
        way = way_of(state.field.ground, mover, token.at, to=str(given.answers["to"]))
        fled = choosing.march(state.field, token.id, mover, way, self.unseen)
        yield from (event for event in fled.events if not isinstance(event, Stumbled))

    def after(self, state: State, event: Any) -> State:
        match event:
            case Became(_unit, "routed"):
                return replace(state, routed=event)
            case Became(unit, "faded"):
                return replace(state, field=state.field.put(unit, at="", gone=FADED))
            case Became(unit):
                return replace(state, done=state.done | {unit})
            case TurnPassed(side):
                return replace(state, turn=side, routed=None)
            case RoundBegan(number):
                return replace(state, round=number, done=frozenset())
        found: State = super().after(state, event)
        return found

    # what may be done
    def pending(self, state: State, viewer: law.Viewer) -> Sequence[law.Pending]:
        token = state.field.tokens.get(state.routed.unit) if state.routed else None
        if token is None or not commands(viewer, token):
            return ()
        hexes = map(hex_of, self.flights(state.field, token, state.routed.at))
        text = say(_("{unit} must flee."), unit=token.name)
        return (law.Pending(token.id, token.army, text, asks=(law.ask_hex("to", _("Flee to"), hexes),)),)

    def legal_in_play(self, state: State, viewer: law.Viewer, selection: law.Selection) -> BoardLegal:
        end = ("end",) if viewer.gm else ()
        if state.routed:
            return choosing.legal(self.pending(state, viewer), state.field, selection, end)
        own = [token for token in state.able(state.turn) if commands(viewer, token)]
        legal = BoardLegal((*(("act",) if own else ()), *end), able=tuple(token.id for token in own), turn=bool(own))
        picks = picks_of(selection)
        token = next((token for token in own if token.id == picks.unit), None)
        if token is None:
            return legal
        mover = self.mover(state.field, token)
        legal, target = choosing.offered(
            legal, state.field, mover, token, picks, lambda costs: self._targets(state, token, costs)
        )
        ready = legal.way or target or WAIT in picks.more
        return legal._replace(
            acts=(Act(WAIT, _("Wait"), "g-move"), *legal.acts),
            threats=self._threats(state.field.put(token.id, at=legal.way[-1]), token.id) if legal.way else (),
            facts=Facts(token.id, ((_("Move"), verbatim(str(mover.points))),)),
            confirm=self._confirm(token, legal.way, target) if ready else None,
        )

    def _threats(self, field: Field, unit: str) -> tuple[Threat, ...]:
        bar, token = self.outcomes(self.bound(field, field.tokens[unit].at)), field.tokens[unit]
        strike = lambda foe, at: Threat(foe.id, foe.name, "", "1D6", bar) if apart(at, token.at) == 1 else None  # noqa: E731
        return choosing.threats(field, field.enemies(token.side), lambda foe: self.mover(field, foe), strike)

    def _targets(self, state: State, token: Token, costs: Mapping[str, int]) -> Iterator[Target]:
        """Each enemy that is seen, from the best hex."""
        enemies = by_name(state.field.enemies(token.side))
        for foe in enemies:
            if source := choosing.best_source(state.field, costs, foe, enemies):
                least, why_not = self.bound(state.field, foe.at), FALSE if token.id in state.false else None
                chance, lines = Fraction(7 - least, 6), (say(_("It takes {bound} or more"), bound=least),)
                label, throw = say(_("Strike at {unit}"), unit=foe.name), f"1D6 ≥ {least}"
                words, bar = _("flees or falls"), self.outcomes(least)
                yield Target(
                    foe.id, foe.at, foe.name, "strike", source, chance, words, bar, lines, throw, label, why_not
                )

    def _confirm(self, token: Token, hexes: tuple[str, ...], target: Target | None) -> Confirm:
        command = Go(token.id, hexes, target=target.target if target else "")
        told = {"unit": token.name, "hex": hexes[-1] if hexes else token.at, "target": target.name if target else ""}
        if target:
            words = _("{unit} to {hex}, strike at {target}") if hexes else _("{unit} strikes at {target}")
            return Confirm(command, say(words, **told), say(_("Strike at {target}"), **told), target.throw, throws=True)
        if hexes:
            return Confirm(command, say(_("{unit} to {hex}"), **told), say(_("Go to {hex}"), **told))
        return Confirm(command, say(_("{unit} waits"), **told), _("Wait"))

    def allows_in_play(self, state: State, command: Any, viewer: law.Viewer) -> bool:
        """Of a unit that this viewer doesn't see nothing is said here."""
        unit = command.key if isinstance(command, law.AnswerCommand) else command.unit
        token = self.seen(state, viewer).field.tokens.get(unit)
        return bool(seeing.sides_of(state.field, viewer)) if token is None else commands(viewer, token)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        sure = not any(isinstance(event, Struck | common.Revealed) for event in events)
        return super().revocable(command, events) or (isinstance(command, Go) and sure)

    # what is told
    def told(self, state: State, event: Any) -> law.LogEntry:
        kind = event.what if isinstance(event, Became) else slug_of(type(event))
        told = {name: value for name, value in event._asdict().items() if f"{{{name}}}" in WORDS[kind]}
        told |= {name: common.name_of(state.field, told[name]) for name in ("unit", "target") if name in told}
        if isinstance(event, TurnPassed):
            told["side"] = state.opening.sides[event.side]
        text = say(WORDS[kind], **told)
        if isinstance(event, RoundBegan):
            before = self.stage("round" if event.number > 1 else "setup", event.number - 1).label
            return law.LogEntry(kind, "", "", text, begins=text, heading=True, ends=before)
        army, rolls = common.army_of(getattr(event, "unit", "")), (event.roll,) if isinstance(event, Struck) else ()
        return law.LogEntry(kind, army, "", text, rolls, quiet=kind in (DONE, "turn_passed"))

    def summary(self, state: State) -> law.Summary:
        kind = {law.SETUP: "setup", law.RUNNING: "round"}.get(state.field.status, "aftermath")
        return self.summary_of(state, self.stage(kind, state.round), self._combatant, self._awaited(state))

    def _awaited(self, state: State) -> list[law.Awaited]:
        """Whole armies: of units alone it would be told how many can act."""
        if state.routed:
            return [law.Awaited(common.army_of(state.routed.unit), ("answer",))]
        armies = (army for army, side in state.field.armies.items() if side == state.turn and state.left(army))
        return [law.Awaited(army, ("act",)) for army in armies]

    def _combatant(self, state: State, key: str, side: int) -> law.Combatant:
        army, left = state.opening.armies[key], state.left(key)
        status = law.FIGHTING if left else "beaten"
        word = STATUSES[status]
        return law.Combatant(key, army.name, side, status, word, left, army.men, army.kingdom, fighting=left > 0)

    def stage(self, kind: str, number: int) -> law.Stage:
        named: dict[str, Said] = {"setup": _("Setup"), "aftermath": _("Aftermath")}
        return law.Stage(kind, number, named.get(kind) or say(_("Round {number}"), number=number))

    def aftermath(self, state: State, world: Any, choices: Mapping[str, str], dice: Dice) -> law.PlainSequel:
        """Whoever didn't win pays 1 BP for each army."""
        require(state.field.ended, _("The battle isn’t over yet."))
        winner = state.field.ended and state.field.ended.winner
        return law.PlainSequel(tuple((army, 1) for army, side in state.field.armies.items() if side != winner))

    def bound(self, field: Field, at: str) -> int:
        """The least a die has to show against whoever stands there."""
        return 4 if field.ground.terrain(at).footing == "clear" else 5

    def outcomes(self, least: int) -> tuple[Piece, ...]:
        falls, nothing, flees = ("falls", _("it falls itself")), ("nothing", _("nothing")), ("flees", _("flees"))
        parts = (falls, 1), (nothing, least - 2), (flees, 6 - least), (("destroyed", _("destroyed")), 1)
        return tuple(Piece(*named, Fraction(cases, 6)) for named, cases in parts)


class SkirmishLaw(law.Law):
    slug = family = "skirmish"
    name = _("Skirmish")
    version = "1"
    battle = Skirmish()
    armies = NumberSheets({"men": SheetFigure(_("Men"), 1, 100, 2)}, health="men")


SKIRMISH_LAW = SkirmishLaw()

"""Steps of a combat (T-23): each does one thing and schedules the next, or pauses for an answer (T-34). Characters
attacked while alone flee (TF-4.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.core.dice import Roll
from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import Withdrawn
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, reach, route
from rules.thucidide_fantasy.battle.combat.retreat import burn, count_flags, light, lights, lose, walk_hexes
from rules.thucidide_fantasy.battle.factors import SHOT, bare_throw, heroes_with
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, closed_hexes, footing_ground
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import FantasyState, Fight, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import PARALYSED, alone, foe_beside, foes, is_hero, under
from rules.thucidide_fantasy.battle.throws import LETTER, count
from rules.thucidide_fantasy.spec import LEADER, TABLE
from rules.thucidide_fantasy.starter import CHARACTERS

# Pauses of a combat (T-34): it waits for an answer and continues from there.

REROLL, FLEE, PURSUE, REPORT, GOD = "reroll", "flee", "pursue", "report", "god"
OF_GM = -1


class Paused(Exception):
    """Raised when the combat waits for an answer; what has happened so far is kept."""


def pause(run: Run, asks: str, side: int, todo: Todo, options: tuple[str, ...] = ()) -> None:
    """Pause the combat before this step until somebody answers. Raises `Paused`."""
    run.then(todo)
    run.emit(e.FightPaused(Fight(todo.unit, todo.foe, asks, side, tuple(reversed(run.todo)), options)))
    raise Paused


def resumed(run: Run, asks: str) -> tuple[Fight, Todo]:
    """The fight and step that waited for this answer; the later steps are scheduled again.

    Raises `IllegalCommand` if this answer isn't waited for.
    """
    fight = run.state.fight
    require(fight is not None and fight.asks == asks, _("This answer isn’t needed now."))
    assert fight is not None
    run.todo = list(reversed(fight.todo[1:]))
    run.emit(e.FightResumed(fight.side))
    return fight, fight.todo[0]


def asked(state: FantasyState) -> str:
    """The kind of answer the battle waits for; "" if none."""
    return state.fight.asks if state.fight else ""


# Flight of characters who don't fight, when attacked while alone (TF-4.5, T-39).


def flight_mover(state: FantasyState, person: str) -> Mover:
    """The mover of a fleeing character: not through enemies, but over friends, and not stopped by difficult ground."""
    own = state.people[person].own
    side = state.side_of(person)
    kind = own.kind if own.kind in CHARACTERS else LEADER
    others = {token.at for token in state.field.tokens.values() if token.side != side and token.standing}
    return Mover(FREE_FOOT, CHARACTERS[kind].flight, frozenset(others) | closed_hexes(state, side, False))


def flights(state: FantasyState, person: str) -> tuple[str, ...]:
    """The hexes a character can flee to, their own included, best first.

    Best is farthest from the nearest enemy, then the shortest way, then reading order.
    """
    token = state.token(person)
    ground = footing_ground(state, token.side)
    found = reach(ground, flight_mover(state, person), token.at)
    enemies = [foe.at for foe in foes(state, token.side)]

    def order(at: str) -> tuple[int, int]:
        return -min((apart(at, foe) for foe in enemies), default=0), found[at]

    return tuple(sorted(found, key=order))


def flee(run: Run, todo: Todo) -> None:
    """Make a character flee who is attacked alone or whose unit died; without a way out they are captured.

    `todo.flag`: they must leave their hex (T-94).
    """
    person = todo.unit
    state = run.state
    if not state.standing(person) or is_hero(state, person):
        return
    if not todo.flag and not alone(state, person):
        return
    if under(state, person, PARALYSED):
        _captured(run, person)
        return
    options = flights(state, person)
    if todo.flag:
        options = tuple(at for at in options if at != state.at(person))
    if not options:
        _captured(run, person)
        return
    if len(options) == 1:
        _fled(run, person, options[0])
        return
    pause(run, FLEE, state.side_of(person), todo, options)


def answer(run: Run, person: str, at: str) -> None:
    """Move a fleeing character to the hex their side chose. Raises a refusal if it isn't an option."""
    fight, todo = resumed(run, FLEE)
    demand(todo.unit == person, _("Another character has to flee first."), field="/character")
    hex_ = run.state.field.ground.require_hex(at, field="/hex")
    told = ", ".join(fight.options)
    demand(hex_ in fight.options, _("Choose one of these hexes: {known}."), field="/hex", known=told)
    _fled(run, person, hex_)


def _fled(run: Run, person: str, at: str) -> None:
    state, token = run.state, run.state.token(person)
    way = (
        route(footing_ground(state, token.side), flight_mover(state, person), token.at, at) if at != token.at else None
    )
    run.emit(e.CharacterFled(person, way.hexes if way else (at,)))
    if alone(run.state, person) and foe_beside(run.state, person):
        _captured(run, person)


def _captured(run: Run, person: str) -> None:
    run.emit(Withdrawn(person, run.state.at(person), how=CAPTURED))


# Steps of a combat (T-23): each does one thing and schedules the next.
#
# Order: dice, reroll, letters, hits, confirmations, stands lost, surplus, flags and retreat, fire, flights, riposte,
# pursuit.

SURPLUS, CONFIRM, SPELL = "surplus", "confirm", "spell"
ON_TABLE = ("attack", "shot", "riposte", "heroes")
type CombatStage = Callable[[Run, Todo], None]
FURTHER: dict[str, CombatStage] = {}
"""Steps of spells and gods, registered by their modules."""


def go_on(run: Run) -> None:
    """Run the scheduled steps until none is left or somebody has to answer."""
    try:
        while run.todo:
            todo = run.todo.pop()
            (STAGES.get(todo.stage) or FURTHER[todo.stage])(run, todo)
    except Paused:
        return


def ask_again(run: Run) -> None:
    """Ask the open question again after a change of the battle, with new choices or not at all (T-34).

    If the question is still the same, nothing is recorded.
    """
    fight, before, told = run.state.fight, run.state, len(run.events)
    if fight is None:
        return
    run.todo = list(reversed(fight.todo))
    run.emit(e.FightResumed(fight.side))
    go_on(run)
    if run.state.fight == fight:
        run.state = before
        del run.events[told:]


# Dice


def throw(run: Run, todo: Todo) -> None:
    """Roll the dice; in combat by the GM's reports, ask the GM for the result instead (TF-1.17)."""
    made = todo.throw
    assert made is not None
    if run.state.options.combat == TABLE and made.name in ON_TABLE:
        pause(run, REPORT, OF_GM, todo._replace(unit=made.by, foe=made.at))
    rolls = run.roll(made.by, made.name, made.dice)
    run.then(Todo("settle", made.by, made.at, what="landed", throw=made, rolls=rolls))


def settle(run: Run, todo: Todo) -> None:
    """Ask each side with a reroll, the attacker's first (T-34), then fix the dice. `todo.what`: the next step."""
    side = holder(run.state, todo)
    if side is not None:
        pause(run, REROLL, side, todo)
    suffers = run.state.field.tokens.get(todo.foe)
    at = "" if suffers is not None and suffers.hidden else todo.foe
    run.emit(e.DiceThrown(todo.rolls[0].name, todo.unit, at, todo.rolls, todo.again))
    run.then(todo._replace(stage=todo.what, asked=0, again=-1))


def holder(state: FantasyState, todo: Todo) -> int | None:
    """The next side with a reroll that hasn't been asked about this throw; None if there is none."""
    if not state.rerolls:
        return None
    own = state.side_of(todo.unit) if todo.unit in state.field.tokens else state.side
    held = {one.side for one in state.rerolls}
    return next((side for side in (own, 1 - own) if side in held and not todo.asked & (1 << side)), None)


def reroll(run: Run, index: int | None) -> None:
    """Roll one die of the throw again, or none. Raises a refusal for a wrong index."""
    waiting = run.state.fight
    high = len(waiting.todo[0].rolls) - 1 if waiting else 0
    known = index is None or 0 <= index <= high
    demand(known, _("Enter the index of a die from 0 to {high}, or null to keep them all."), field="/index", high=high)
    fight, todo = resumed(run, REROLL)
    todo = todo._replace(asked=todo.asked | (1 << fight.side))
    if index is not None:
        old = todo.rolls[index]
        (new,) = run.roll(old.army, old.name, 1)
        run.emit(e.RerollSpent(fight.side))
        rolls = tuple(new if place == index else roll for place, roll in enumerate(todo.rolls))
        todo = todo._replace(rolls=rolls, again=index)
    run.then(todo)


def faces(rolls: tuple[Roll, ...]) -> tuple[int, ...]:
    return tuple(roll.value for roll in rolls)


# Results of dice


def landed(run: Run, todo: Todo) -> None:
    """Apply letters, then hits."""
    made = todo.throw
    assert made is not None
    shown = faces(todo.rolls)
    if made.letters and (letters := count(shown, (LETTER,))):
        run.emit(e.CountersChanged(run.state.side_of(made.by), letters, "letters"))
    hits = count(shown, made.hits)
    stage = "confirm" if hits and made.confirms else "losses"
    run.then(Todo(stage, made.by, made.at, number=hits, throw=made, before=todo.rolls))


def confirm(run: Run, todo: Todo) -> None:
    """Roll a confirmation die for each remaining loss, stage by stage (T-46)."""
    rolls = run.roll(todo.unit, CONFIRM, todo.number)
    run.then(todo._replace(stage="settle", what="confirmed", rolls=rolls))


def confirmed(run: Run, todo: Todo) -> None:
    made = todo.throw
    assert made is not None
    kept = count(faces(todo.rolls), made.confirms[todo.step])
    run.emit(e.Confirmed(todo.unit, todo.foe, todo.rolls, kept))
    more = kept and todo.step + 1 < len(made.confirms)
    run.then(todo._replace(stage="confirm" if more else "losses", number=kept, step=todo.step + 1, rolls=()))


def losses(run: Run, todo: Todo) -> None:
    """Apply losses; hits beyond the stands strike a hero (TF-4.4). Then flags, fire and flights."""
    made, state = todo.throw, run.state
    assert made is not None
    if not state.standing(made.at):
        return
    if made.at in state.people and not state.people[made.at].own.hero:
        run.then(*((Todo("flight", made.at),) if todo.number else ()))
        return
    place = state.at(made.at)
    heroes = heroes_with(state, made.at)
    flags = count(faces(todo.before), made.flags)
    after = [Todo("flags", made.at, number=flags)]
    if made.lights and lights(state, made.at, place, faces(todo.before)):
        after.append(Todo("light", made.by, hexes=(place,)))
    beyond = lose(run, made.at, todo.number, "fire" if made.fire else "combat")
    run.then(*after)
    if beyond > 0 and heroes:
        run.then(Todo("surplus", made.by, heroes[0], number=beyond, throw=made))


def surplus(run: Run, todo: Todo) -> None:
    """Roll the hits beyond the stands of a destroyed unit again, against a hero who was with it (T-66)."""
    made = todo.throw
    assert made is not None
    if not run.state.standing(todo.foe):
        return
    again = bare_throw(
        run.state, SURPLUS, todo.unit, todo.foe, todo.number, ranged=made.name in (SHOT, SPELL),
        advantage=made.advantage, foul=made.foul, fire=made.fire, letters=made.letters,
    )  # fmt: skip
    run.then(Todo("throw", todo.unit, todo.foe, throw=again._replace(lights=False)))


# The GM's report (TF-1.17, T-40)


def report(run: Run, stands: int, flags: int, hexes: int, counters: int) -> None:
    """Apply the GM's report: stands lost, flags, hexes of retreat, counters won. Raises a refusal if too many."""
    waiting = run.state.fight
    made = waiting.todo[0].throw if waiting and waiting.asks == REPORT else None
    dice = made.dice if made else 0
    for name, value, most in (
        ("stands", stands, dice), ("flags", flags, dice), ("hexes", hexes, 4 * (dice + 1)), ("counters", counters, dice)
    ):  # fmt: skip
        fits = made is None or 0 <= value <= most
        demand(fits, _("Enter a whole number from {low} to {high}."), field=f"/{name}", low=0, high=most)
    resumed(run, REPORT)
    assert made is not None
    state = run.state
    if counters:
        run.emit(e.CountersChanged(state.side_of(made.by), counters, "report"))
    if made.at in state.units and flags:
        run.emit(e.FlagsCounted(made.at, flags, 0, 0))
    run.then(Todo("hexes", made.at, number=hexes))
    lose(run, made.at, stands, by_gm=True)


def reported_hexes(run: Run, todo: Todo) -> None:
    if run.state.standing(todo.unit) and todo.number and todo.unit in run.state.units:
        walk_hexes(run, todo.unit, todo.number)


STAGES: Mapping[str, CombatStage] = {
    "throw": throw,
    "settle": settle,
    "landed": landed,
    "confirm": confirm,
    "confirmed": confirmed,
    "losses": losses,
    "surplus": surplus,
    "flags": count_flags,
    "light": light,
    "burn": burn,
    "flight": flee,
    "hexes": reported_hexes,
}
"""The steps that any throw may lead to."""

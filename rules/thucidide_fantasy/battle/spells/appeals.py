"""Appeals to a god (TF-7): both tables, and the choices they leave. Also summoned units (TF-5.3, T-31)."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import UnitName, _
from rules.hexbattle.common import DESTROYED, EffectBegan
from rules.hexbattle.field import Token, unit_ids
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.combat.steps import FURTHER, GOD, pause, resumed
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import AnswerGod
from rules.thucidide_fantasy.battle.record.fold import CRUMBLED
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Todo, Unit
from rules.thucidide_fantasy.battle.run import Run, expose_phantoms, finds_room
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, DOUBLE_FLAGS, NO_FLAGS, PARALYSED, flies_itself
from rules.thucidide_fantasy.battle.spells.aiming import looks_empty, phantom_types
from rules.thucidide_fantasy.figures import plain_figures
from rules.thucidide_fantasy.grimoire import (
    APPEALS,
    INTERVENTIONS,
    RETURNED_STANDS,
    SERVANT_DICE,
    SERVANT_RESISTANCE,
    SERVANT_TRAITS,
    divine,
)
from rules.thucidide_fantasy.spec import CAVALRY, FOUL_TOUCH, HERO, UNDEAD, BorneTrait, CharacterFigures, UnitFigures
from rules.thucidide_fantasy.starter import HERO_FASTER, KINDS, TROOPS

# Summoned units (TF-5.3, T-31): raised dead, skeletons, phantoms. Their ids follow H-8.

ZOMBIES, SKELETONS = "zombies", "skeletons"
RAISED = (ZOMBIES, SKELETONS)
SERVANT_NAME = _("Servant of the god")


def new_id(state: FantasyState, army: str) -> str:
    """The next id in an army; gaps and order reveal nothing (H-8).

    It depends on the digits of the army's own ids, so a renamed army gets the same one.
    """
    own = [token.id for token in state.field.tokens.values() if token.army == army]
    found = unit_ids(own[0].rpartition(":")[2], state.opening.salt, 2 * len(own) + 1)
    others = (f"{army}:{one.rpartition(':')[2]}" for one in found)
    return next(one for one in others if one not in own)


def appear(
    run: Run, army: str, at: str, name: UnitName, figures: UnitFigures, *, master: str = "", false: bool = False,
    grave: str = "",
) -> None:  # fmt: skip
    """Make a unit appear on a hex, unless an enemy in a grove holds it, which ends the grove (T-70)."""
    state, side = run.state, run.state.field.armies[army]
    if not finds_room(run, side, at):
        return
    token = Token(new_id(state, army), army, side, name, at, counted=False)
    unit = Unit(figures, figures.stands, figures.stands, master=master, summoned=True, false=false)
    run.emit(e.Summoned(token, unit, grave))


def figures_of(state: FantasyState, type_: str) -> tuple[UnitName, UnitFigures]:
    """The name and figures of a type that spells raise."""
    name, figures = state.opening.raised[type_]
    return _called(state, name), figures


def _called(state: FantasyState, name: UnitName) -> UnitName:
    """The name. A battle of a former version keeps it in the language in which it was opened, as units have theirs."""
    return state.opening.called.get(str(name), name)


def skeletons(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Raise skeletons on these hexes."""
    name, figures = figures_of(run.state, SKELETONS)
    for at in targets:
        appear(run, run.state.token(caster).army, at, name, figures, master=caster)


def animate(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Raise a fallen unit as zombies with its weapons, without the adjustments of its army (T-81)."""
    at, fallen = targets
    name, figures = figures_of(run.state, ZOMBIES)
    own = plain_figures(run.state.units[fallen].own)
    foul = tuple(one for one in own.traits if one.trait == FOUL_TOUCH)
    risen = figures._replace(
        weapon=own.weapon, missile=own.missile, assault=own.assault, melee=own.melee, shot=own.shot, range=own.range,
        fire=own.fire, traits=(*figures.traits, *foul),
    )  # fmt: skip
    appear(run, run.state.token(caster).army, at, name, risen, master=caster, grave=fallen)


def phantom(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Create a phantom of a type the caster's army has, named like one of its units; it has the type's stands."""
    at, type_ = targets
    like = phantom_types(run.state, caster)[type_]
    model = run.state.units[like].own
    stands = TROOPS[type_].stands if type_ in TROOPS else model.stands
    appear(run, run.state.token(caster).army, at, run.state.name(like), model._replace(stands=stands), false=True)


# Appeals to a god (TF-7): both tables, and the choices they leave.

DIVINE, INTERVENTION = "divine", "intervention"
APPEAL_TABLE = "appeal"
STANDS, COPY, SERVANT, REROLL = "stands-return", "copy", "servant", "reroll"
NEAR_CASTER = 3
LASTS_ONE, LASTS_TWO = 2, 3


def appeal_by_spell(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    appeal(run, caster)


def appeal(run: Run, caster: str) -> None:
    """Roll 2D6 on the table of appeals."""
    rolls = run.roll(caster, DIVINE, 2)
    run.then(Todo("settle", caster, what="appealed", rolls=rolls))


def appealed(run: Run, todo: Todo) -> None:
    """Apply a roll on the table of appeals."""
    caster = todo.unit
    answer = divine(APPEALS, sum(roll.value for roll in todo.rolls))
    run.emit(e.GodAnswered(caster, APPEAL_TABLE, todo.rolls, answer))
    if answer == "angry":
        run.emit(EffectBegan(_timer(run.state, caster, PARALYSED, (caster,), LASTS_ONE)))
    elif answer == "carried-home":
        run.emit(e.Carrying(caster, run.state.at(caster)))
    elif answer == "intervention":
        rolls = run.roll(caster, INTERVENTION, 2)
        run.then(Todo("settle", caster, what="intervened", rolls=rolls))


def intervened(run: Run, todo: Todo) -> None:
    """Apply a roll on the table of interventions; some results ask the side for a choice."""
    caster, state = todo.unit, run.state
    answer = divine(INTERVENTIONS, sum(roll.value for roll in todo.rolls))
    run.emit(e.GodAnswered(caster, INTERVENTION, todo.rolls, answer))
    side = state.side_of(caster)
    if answer == REROLL:
        run.emit(e.RerollGained(side))
    elif answer == DOUBLE_FLAGS:
        run.emit(EffectBegan(_timer(state, caster, answer, (f"side:{side}",), LASTS_ONE)))
    elif answer == NO_FLAGS:
        run.emit(EffectBegan(Timer(answer, (f"side:{side}",), caster, side, CASTING, LASTS_ONE)))
    elif answer == DIVINE_BELL:
        run.emit(EffectBegan(_timer(state, caster, DIVINE_BELL, (state.at(caster),), LASTS_TWO)))
    else:
        run.then(Todo("god", caster, what=answer))


def ask_choice(run: Run, todo: Todo) -> None:
    """Ask the side to choose what the god gives; skipped if there is nothing to choose."""
    options = choosable(run.state, todo.unit, todo.what) if run.state.standing(todo.unit) else ()
    if options:
        pause(run, GOD, run.state.side_of(todo.unit), todo, options)


def _timer(state: FantasyState, caster: str, effect: str, on: tuple[str, ...], left: int) -> Timer:
    """An effect of a god. The current phase counts only in the caster's own turn (T-36)."""
    side = state.side_of(caster)
    return Timer(effect, on, caster, side, CASTING, left - (side != state.side))


# Choices left to the side


def choosable(state: FantasyState, caster: str, answer: str) -> tuple[str, ...]:
    """The units an answer may name; () if there is nothing to choose."""
    side = state.side_of(caster)
    own = [unit for unit in state.units if state.field.tokens[unit].side == side and not state.units[unit].false]
    if answer == STANDS:
        return tuple(unit for unit in own if may_return(state, unit))
    if answer == COPY:  # on the map or lost
        models = [unit for unit in own if not state.field.tokens[unit].waiting]
    else:
        models = [unit for unit in own if state.standing(unit)]
    living = (unit for unit in models if not state.units[unit].own.has(UNDEAD))
    return tuple(unit for unit in living if free_near(state, caster, unit))


def may_return(state: FantasyState, unit: str) -> bool:
    """Whether stands can return to a unit: it lost some or fell, and isn't turned."""
    own, token = state.units[unit], state.field.tokens[unit]
    if own.turner or (own.stands >= own.start and token.standing):
        return False
    return token.standing or token.gone in (DESTROYED, CRUMBLED)


def free_near(state: FantasyState, caster: str, unit: str) -> tuple[str, ...]:
    """Free hexes within 3 of the caster for a unit or a copy of it; flyers may be placed over any terrain."""
    ground, side, high = state.field.ground, state.side_of(caster), flies_itself(state, unit)
    near = ground.within(state.at(caster), NEAR_CASTER)
    return tuple(at for at in ground.labels if at in near and looks_empty(state, at, side, high=high))


def answer(run: Run, given: AnswerGod) -> None:
    """Apply a side's choice. Raises a refusal if it isn't possible."""
    waiting = run.state.fight
    require(waiting is not None and waiting.asks == GOD, _("No god’s answer needs a choice now."))
    assert waiting is not None
    caster, what = waiting.todo[0].unit, waiting.todo[0].what
    check = _check_stands if what == STANDS else _check_one
    check(run.state, caster, given, waiting.options)
    resumed(run, GOD)
    if what == STANDS:
        for unit, number in given.stands.items():
            at = given.places.get(unit, "")
            if not at or finds_room(run, run.state.side_of(caster), at):
                run.emit(e.StandsReturned(unit, number, at))
    elif what == COPY:
        _copy(run, given)
    else:
        _servant(run, caster, given)
    expose_phantoms(run)


def _check_one(state: FantasyState, caster: str, given: AnswerGod, options: tuple[str, ...]) -> None:
    demand(given.unit in options, _("Choose one of: {choices}."), field="/unit", choices=", ".join(options))
    at = state.field.ground.require_hex(given.hex, field="/hex")
    require(
        at in free_near(state, caster, given.unit), _("Choose a free hex within 3 hexes of the caster."), field="/hex"
    )


def _check_stands(state: FantasyState, caster: str, given: AnswerGod, options: tuple[str, ...]) -> None:
    total = sum(given.stands.values())
    demand(0 <= total <= RETURNED_STANDS, _("At most {most} stands can return."), field="/stands", most=RETURNED_STANDS)
    taken: set[str] = set()
    for unit, number in given.stands.items():
        at = f"/stands/{unit}"
        demand(unit in options, _("Choose one of: {choices}."), field=at, choices=", ".join(options))
        own = state.units[unit]
        most = own.start - (own.stands if state.standing(unit) else 0)
        demand(1 <= number <= most, _("Enter a whole number from {low} to {high}."), field=at, low=1, high=most)
        if not state.standing(unit):
            place = state.field.ground.require_hex(given.places.get(unit, ""), field=f"/places/{unit}")
            free = place in free_near(state, caster, unit) and place not in taken
            require(free, _("Choose a free hex within 3 hexes of the caster."), field=f"/places/{unit}")
            taken.add(place)


def _copy(run: Run, given: AnswerGod) -> None:
    state = run.state
    model = state.field.tokens[given.unit]
    figures = state.units[given.unit].own
    at = state.field.ground.require_hex(given.hex)
    if not finds_room(run, model.side, at):
        return
    token = Token(new_id(state, model.army), model.army, model.side, model.name, at, counted=False)
    run.emit(e.Summoned(token, Unit(figures, figures.stands, figures.stands, summoned=True)))


def _servant(run: Run, caster: str, given: AnswerGod) -> None:
    """Summon a hero modelled on a unit's type (T-83). As a character it has no share in adjustments."""
    state, own = run.state, plain_figures(run.state.units[given.unit].own)
    army = state.token(caster).army
    flyer = tuple(one for one in own.traits if one.trait == "flyer")
    traits: tuple[BorneTrait, ...] = (*SERVANT_TRAITS, *flyer)
    hero = CharacterFigures(
        HERO, hero=True, weight=own.weight, mounted=KINDS[own.kind].retreat > 1 or own.kind == CAVALRY,
        melee=SERVANT_DICE, shot=SERVANT_DICE if own.shot else 0, range=own.range if own.shot else 0,
        resistance=SERVANT_RESISTANCE, move=own.move + HERO_FASTER, calm=own.calm + HERO_FASTER, traits=traits,
    )  # fmt: skip
    at = state.field.ground.require_hex(given.hex)
    if not finds_room(run, state.side_of(caster), at):
        return
    name = _called(state, SERVANT_NAME)
    token = Token(new_id(state, army), army, state.side_of(caster), name, at, character=True, counted=False)
    run.emit(e.Summoned(token, Unit(own, 0, 0, summoned=True), hero=hero))


def usual_answer(state: FantasyState) -> AnswerGod:
    """A reasonable default choice: the most stands for standing units first, or the first unit and free hex."""
    waiting = state.fight
    assert waiting is not None
    caster, what = waiting.todo[0].unit, waiting.todo[0].what
    if what != STANDS:
        return AnswerGod(unit=waiting.options[0], hex=free_near(state, caster, waiting.options[0])[0])
    stands: dict[str, int] = {}
    places: dict[str, str] = {}
    left = RETURNED_STANDS
    for unit in sorted(waiting.options, key=lambda one: not state.standing(one)):
        own = state.units[unit]
        missing = own.start - (own.stands if state.standing(unit) else 0)
        if not left or not missing:
            continue
        if not state.standing(unit):
            free = [at for at in free_near(state, caster, unit) if at not in places.values()]
            if not free:
                continue
            places[unit] = free[0]
        stands[unit] = min(left, missing)
        left -= stands[unit]
    return AnswerGod(stands, places)


FURTHER.update({"appealed": appealed, "intervened": intervened, "god": ask_choice})

"""Shots of spells (TF-6.3, 6.4, T-80): magic arrows, the word of power, fire from the sky."""

from __future__ import annotations

from rules.thucidide_fantasy.battle.combat.fire import is_flammable
from rules.thucidide_fantasy.battle.combat.steps import FURTHER, SPELL
from rules.thucidide_fantasy.battle.factors import BELL, bare_throw
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import alone, bears, is_hero
from rules.thucidide_fantasy.battle.spells.aiming import spell_of
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, FLAG, count


def shoot_spell(run: Run, caster: str, slug: str, targets: tuple[str, ...], *, turned: bool = False) -> None:
    """As many shots as the spell has, each by itself. At a piece they follow it; at a hex they strike who is there."""
    target = targets[0]
    named = target in run.state.field.tokens
    if named and target in run.state.units and run.state.units[target].false:
        run.emit(e.PhantomVanished(target, run.state.at(target)))
        return
    shot = Todo("spell-shot", caster, target if named else "", () if named else (target,), what=slug, flag=turned)
    run.then(*(shot for _time in range(spell_of(run.state, slug).times)))


def one_shot(run: Run, todo: Todo) -> None:
    state, spell = run.state, spell_of(run.state, todo.what)
    struck = todo.foe or struck_on(state, todo.hexes[0])
    if todo.foe and not state.standing(todo.foe):
        return
    if not struck:
        if spell.fire:
            rolls = run.roll(todo.unit, SPELL, spell.shot)
            run.then(todo._replace(stage="settle", what="fire-fell", rolls=rolls))
        return
    if struck in state.units and state.units[struck].false:
        run.emit(e.PhantomVanished(struck, state.at(struck)))
        return
    dice = 1 if bears(state, struck, BELL) else spell.shot
    flags = (FLAG, ADVANTAGE) if spell.advantages else (FLAG,)
    made = bare_throw(
        state, SPELL, todo.unit, struck, dice, ranged=True, fire=spell.fire, letters=False, flags=flags,
    )  # fmt: skip
    run.then(Todo("throw", todo.unit, struck, throw=made))


def struck_on(state: FantasyState, at: str) -> str:
    """Who on a hex a spell strikes: the unit, of characters alone a hero only (T-80)."""
    unit = state.unit_at(at)
    if unit:
        return unit
    return next((one for one in state.people_at(at) if is_hero(state, one) and alone(state, one)), "")


def fire_fell(run: Run, todo: Todo) -> None:
    """Dice on an empty hex throw only for the lighting."""
    (at,) = todo.hexes
    if count((roll.value for roll in todo.rolls), (ADVANTAGE,)) and is_flammable(run.state, at):
        run.then(Todo("light", todo.unit, hexes=(at,)))


FURTHER.update({"spell-shot": one_shot, "fire-fell": fire_fell})

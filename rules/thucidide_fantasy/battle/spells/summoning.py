"""Summoned units (TF-5.3, T-31): raised dead, skeletons, phantoms. Their ids follow H-8."""

from __future__ import annotations

from rules.hexbattle.tokens import Token, unit_ids
from rules.thucidide_fantasy.battle.contact import finds_room
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState, Unit
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.spells.aiming import phantom_types
from rules.thucidide_fantasy.spec import FOUL_TOUCH, UnitFigures
from rules.thucidide_fantasy.starter import TROOPS

ZOMBIES, SKELETONS = "zombies", "skeletons"
RAISED = (ZOMBIES, SKELETONS)


def new_id(state: FantasyState, army: str) -> str:
    """The next id in an army; gaps and order reveal nothing (H-8).

    It depends on the digits of the army's own ids, so a renamed army gets the same one.
    """
    own = [token.id for token in state.field.tokens.values() if token.army == army]
    found = unit_ids(own[0].rpartition(":")[2], state.opening.salt, 2 * len(own) + 1)
    others = (f"{army}:{one.rpartition(':')[2]}" for one in found)
    return next(one for one in others if one not in own)


def appear(
    run: Run, army: str, at: str, name: str, figures: UnitFigures, *, master: str = "", false: bool = False,
    grave: str = "",
) -> None:  # fmt: skip
    """Make a unit appear on a hex, unless an enemy in a grove holds it, which ends the grove (T-70)."""
    state, side = run.state, run.state.field.armies[army]
    if not finds_room(run, side, at):
        return
    token = Token(new_id(state, army), army, side, name, at, counted=False)
    unit = Unit(figures, figures.stands, figures.stands, master=master, summoned=True, false=false)
    run.emit(e.Summoned(token, unit, grave))


def figures_of(state: FantasyState, type_: str) -> tuple[str, UnitFigures]:
    """The name and figures of a type that spells raise."""
    return state.opening.raised[type_]


def skeletons(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Raise skeletons on these hexes."""
    name, figures = figures_of(run.state, SKELETONS)
    for at in targets:
        appear(run, run.state.token(caster).army, at, name, figures, master=caster)


def animate(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Raise a fallen unit as zombies with its weapons (T-81)."""
    at, fallen = targets
    name, figures = figures_of(run.state, ZOMBIES)
    own = run.state.units[fallen].own
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

"""Frozen state of a battle: its differences from the opening, for storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.hexbattle.field import FrozenField, opened
from rules.hexbattle.field import freeze as freeze_field
from rules.hexbattle.field import thaw as thaw_field
from rules.thucidide_fantasy.battle.record.entering import (
    army_names_of,
    generals_of,
    people_of,
    tokens_of,
    units_of,
    with_one_general,
)
from rules.thucidide_fantasy.battle.record.state import (
    Activation,
    BattleOpening,
    FantasyState,
    Fight,
    Person,
    Reroll,
    Unit,
)
from rules.thucidide_fantasy.spec import BattleOptions, ContingentSpec

PLAIN = (
    "options", "generals", "counters", "victory", "consents", "turn", "first", "side", "phase", "share", "allowed",
    "activations", "order", "rerolls", "fight", "joined", "sealed", "dreams",
)  # fmt: skip


class FrozenBattle(NamedTuple):
    """The stored form of a state. `units`, `people`: those that differ from the opening."""

    field: FrozenField
    units: Mapping[str, Unit]
    people: Mapping[str, Person]
    options: BattleOptions
    generals: tuple[str, ...]
    counters: tuple[int, ...]
    victory: tuple[int, ...]
    consents: tuple[bool, ...]
    turn: int
    first: int
    side: int
    phase: str
    share: int
    allowed: int
    activations: tuple[Activation, ...]
    order: str
    rerolls: tuple[Reroll, ...]
    fight: Fight | None
    joined: tuple[ContingentSpec, ...]
    fallen: tuple[tuple[str, ...], ...]
    used_graves: tuple[str, ...]
    last: tuple[str, ...]
    sealed: tuple[bool, ...] = (False, False)
    dreams: tuple[tuple[str, ...], ...] = ((), ())


def state_of(opening: BattleOpening) -> FantasyState:
    """The state before the first event: all units in the reserve."""
    tokens = [token for army in opening.contingents for token in tokens_of(army, opening.salt)]
    units: dict[str, Unit] = {}
    people: dict[str, Person] = {}
    for army in opening.contingents:
        units |= units_of(army, opening.salt)
        people |= people_of(army, opening.salt)
    armies = opening.contingents
    field = opened(opening.map, {army.id: army.side for army in armies}, tokens, army_names_of(opening))
    generals = generals_of(opening, people)
    return FantasyState(opening, field, units, with_one_general(people, generals), opening.options, generals)


def freeze(state: FantasyState) -> FrozenBattle:
    before = state_of(state.opening)
    plain = {name: getattr(state, name) for name in PLAIN}
    return FrozenBattle(
        field=freeze_field(before.field, state.field),
        units={unit: own for unit, own in state.units.items() if before.units.get(unit) != own},
        people={one: own for one, own in state.people.items() if before.people.get(one) != own},
        fallen=tuple(tuple(sorted(fallen)) for fallen in state.fallen),
        used_graves=tuple(sorted(state.used_graves)),
        last=state.last or (),
        **plain,
    )


def thaw(opening: BattleOpening, frozen: FrozenBattle) -> FantasyState:
    before = state_of(opening)
    field = thaw_field(before.field, frozen.field)
    if frozen.joined:
        field = field.but(army_names=army_names_of(opening, frozen.joined))
    return before.but(
        field=field,
        units={**before.units, **frozen.units},
        people={**before.people, **frozen.people},
        fallen=tuple(map(frozenset, frozen.fallen)),
        used_graves=frozenset(frozen.used_graves),
        last=(frozen.last[0], frozen.last[1]) if frozen.last else None,
        **{name: getattr(frozen, name) for name in PLAIN},
    )

"""Armies entering a battle: ids that reveal nothing (H-8), and tokens, units and characters in order (T-66). Also the
battle's frozen state for storage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.hexbattle.field import FrozenField, Token, distinct_army_names, opened, unit_ids
from rules.hexbattle.field import freeze as freeze_field
from rules.hexbattle.field import thaw as thaw_field
from rules.thucidide_fantasy.battle.record.state import (
    Activation,
    BattleOpening,
    FantasyState,
    Fight,
    Person,
    Reroll,
    Unit,
)
from rules.thucidide_fantasy.spec import GENERAL, SUB_GENERAL, UNDEAD, BattleOptions, CharacterSpec, ContingentSpec

# Armies entering a battle: ids that reveal nothing (H-8), and tokens, units and characters in order (T-66).


def ids_of(army: ContingentSpec, salt: str) -> tuple[str, ...]:
    """The ids of its units, then of its characters."""
    return army.ids or unit_ids(army.id, salt, len(army.units) + len(army.characters))


def entering(army: ContingentSpec, salt: str) -> ContingentSpec:
    """The army with its ids stored."""
    return army._replace(ids=ids_of(army, salt))


def people_in_order(army: ContingentSpec) -> tuple[CharacterSpec, ...]:
    """The characters in the order of T-66: the commander first, then as in the document."""
    return tuple(sorted(army.characters, key=lambda one: not one.commander))


def tokens_of(army: ContingentSpec, salt: str) -> tuple[Token, ...]:
    """The tokens of an army, all in the reserve."""
    names = [unit.name for unit in army.units]
    people = [person.name for person in people_in_order(army)]
    ids = ids_of(army, salt)
    units = (Token(id_, army.id, army.side, name) for id_, name in zip(ids, names, strict=False))
    others = zip(ids[len(names) :], people, strict=True)
    return (*units, *(Token(id_, army.id, army.side, name, character=True) for id_, name in others))


def army_names_of(opening: BattleOpening, joined: Iterable[ContingentSpec] = ()) -> dict[str, str]:
    """Army names that tell units of the same name apart. `joined`: reinforcements."""
    armies = (*opening.contingents, *joined)
    return distinct_army_names([(army.id, army.name, army.side) for army in armies], opening.sides)


def units_of(army: ContingentSpec, salt: str) -> dict[str, Unit]:
    """The units of an army by id, with their masters."""
    ids = ids_of(army, salt)
    masters = _masters(army, ids)
    return {
        id_: Unit(unit.figures, unit.figures.stands, unit.figures.stands,
                  master=masters.get(unit.master, masters.get("", "")) if unit.figures.has(UNDEAD) else "")
        for id_, unit in zip(ids, army.units, strict=False)
    }  # fmt: skip


def _masters(army: ContingentSpec, ids: tuple[str, ...]) -> Mapping[str, str]:
    """The ids of possible masters by key; under "" the default: the first caster, else the commander (C-3)."""
    people = people_in_order(army)
    own = dict(zip((person.key for person in people), ids[len(army.units) :], strict=True))
    unnamed = [person for person in army.characters if person.figures.casts and not person.commander]
    usual = next(iter(unnamed or people), None)
    return {**own, **({"": own[usual.key]} if usual else {})}


def people_of(army: ContingentSpec, salt: str) -> dict[str, Person]:
    """The characters of an army by id, in the order of T-66."""
    ids = ids_of(army, salt)[len(army.units) :]
    return {
        id_: Person(
            person.figures, person.figures.resistance, person.figures.resistance, person.figures.rank,
            person.commander, person.key, person.figures.cards, person.figures.points,
        )
        for id_, person in zip(ids, people_in_order(army), strict=True)
    }  # fmt: skip


def generals_of(opening: BattleOpening, people: Mapping[str, Person]) -> tuple[str, ...]:
    """The general of each side: the one the opening names, else the first army's (T-84); "" for none."""
    found = []
    for side in range(len(opening.sides)):
        armies = [army.id for army in opening.contingents if army.side == side]
        own = [one for one, person in people.items() if army_of(one) in armies and person.rank == GENERAL]
        named = [one for one in own if army_of(one) == opening.generals[side]]
        found.append(next(iter(named or own), ""))
    return tuple(found)


def with_one_general(people: Mapping[str, Person], generals: Iterable[str]) -> dict[str, Person]:
    """The characters, with all other generals made sub-generals (T-84)."""
    chosen = set(generals)
    return {
        one: person._replace(rank=GENERAL if one in chosen else SUB_GENERAL) if person.own.rank == GENERAL else person
        for one, person in people.items()
    }


def army_of(piece: str) -> str:
    return piece.rpartition(":")[0]


# Frozen state of a battle: its differences from the opening, for storage.

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

"""Armies entering a battle: ids that reveal nothing (H-8), and tokens, units and characters in order (T-66)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.hexbattle.field import distinct_army_names
from rules.hexbattle.tokens import Token, unit_ids
from rules.thucidide_fantasy.battle.record.state import BattleOpening, Person, Unit
from rules.thucidide_fantasy.spec import GENERAL, SUB_GENERAL, UNDEAD, CharacterSpec, ContingentSpec


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

"""Wings entering a battle: ids and tokens of their units, and leaders."""

from __future__ import annotations

from collections.abc import Mapping

from rules.hexbattle.field import distinct_army_names
from rules.hexbattle.tokens import Token, unit_ids
from rules.wing_command.battle.record.state import BattleOpening, Unit, Wing
from rules.wing_command.spec import GROUND, INFILTRATING, WingSpec


def ids_of(wing: WingSpec, salt: str) -> tuple[str, ...]:
    """The ids of its units: those stored, or else derived from the salt."""
    return wing.ids or unit_ids(wing.id, salt, len(wing.units))


def identified(wing: WingSpec, salt: str) -> WingSpec:
    """The wing with the ids of its units stored."""
    return wing._replace(ids=ids_of(wing, salt))


def tokens_of(wing: WingSpec, salt: str) -> tuple[Token, ...]:
    """The tokens of a wing, all in the reserve. Infiltrators start hidden."""
    return tuple(
        Token(id_, wing.id, wing.side, unit.name, character=unit.character, hidden=unit.figures.infiltrate)
        for id_, unit in zip(ids_of(wing, salt), wing.units, strict=True)
    )


def army_names_of(opening: BattleOpening, wings: Mapping[str, Wing]) -> dict[str, str]:
    """Army names that tell units of the same name apart."""
    return distinct_army_names([(wing.id, wing.name, wing.side) for wing in wings.values()], opening.sides)


def units_of(wing: WingSpec, salt: str) -> dict[str, Unit]:
    return {
        id_: Unit(
            wing.id, unit.figures, unit.character, unit.commander, unit.key,
            posture=INFILTRATING if unit.figures.infiltrate else GROUND,
        )
        for id_, unit in zip(ids_of(wing, salt), wing.units, strict=True)
    }  # fmt: skip


def formed(wing: WingSpec, salt: str) -> Wing:
    """The wing as it starts the battle."""
    members = ids_of(wing, salt)
    leader = next((id_ for id_, unit in zip(members, wing.units, strict=True) if unit.commander), "")
    return Wing(wing.id, wing.name, wing.side, members, wing.order, wing.morale, leader, troops=wing.troops)


def leaders_of(opening: BattleOpening) -> tuple[str, ...]:
    """The army leader of each side: the one the opening names, else by ability, then prestige, then order (C-1)."""
    found = []
    for side in range(len(opening.sides)):
        own = [wing for wing in opening.wings if wing.side == side and wing.commander]
        named = [wing for wing in own if wing.id == opening.army_leaders[side]]
        best = min(named or own, key=_precedence, default=None)
        found.append(formed(best, opening.salt).leader if best else "")
    return tuple(found)


def _precedence(wing: WingSpec) -> tuple[str, int]:
    assert wing.commander is not None
    return wing.commander.figures.ability, -wing.prestige
